//! The page itself: complete HTML with the conversation so far, a style sheet and a script. It works without the script
//! (post, redirect, reload). Must never put anything unescaped into the HTML: words come from strangers.

mod html;
mod line;
mod words;

pub use html::{Page, render};
pub(crate) use line::notice_key;
pub use line::{Line, Speaker};
pub use words::Language;

/// The style sheet, served as `/chat/{channel}/chat.css`.
pub const CSS: &str = include_str!("page/chat.css");

/// The script, served as `/chat/{channel}/chat.js`.
pub const JS: &str = include_str!("page/chat.js");

/// The policy under which the page works: nothing from elsewhere, nothing inline.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; \
    connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'self'";

/// The longest message that the page takes, in characters.
pub const TEXT_CHARS: usize = 10_000;
