//! What the debounce, the control commands and the triage rules know about written language: character classes, folding, words, and the word
//! lists of `lang/`. It never decides anything about a session and never keeps a text.

mod asking;
pub mod chars;
pub mod fold;
pub mod languages;
mod tongue;
pub mod words;
mod written;

pub use asking::asks;
pub use languages::{Languages, UnknownLanguage};
pub use tongue::Tongue;
pub use written::written_in;
