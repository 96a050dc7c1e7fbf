//! Strict fakes of what agents and evaluators talk to, written from the vendors' documents: a field that these do not name
//! fails the request, and a script says what is answered, how slowly, and where it breaks.

pub mod adk;
pub mod anthropic;
pub mod langgraph;
pub mod openai;
mod stand;

pub use stand::{Act, Beat, End, Seen, Stand};

/// What a tool may be called, for all providers: 1 to 64 letters, digits, `_` and `-`.
fn is_tool_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}
