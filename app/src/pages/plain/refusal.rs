//! The page that stands in the place of an answer which there is none of: it says why, in the frame of the console.

use crate::parts::Trouble;
use crate::plain::Asked;
use crate::view::ConsoleError;
use leptos::prelude::*;

/// The page; whoever asks for it says in its context why.
#[expect(
    clippy::unused_async,
    reason = "a page may wait; this one has nothing to wait for"
)]
pub(super) async fn page(_asked: Asked) -> AnyView {
    let error = use_context().unwrap_or(ConsoleError::Unavailable);
    view! { <Trouble error/> }.into_any()
}
