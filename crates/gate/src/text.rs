//! What the debounce, the control commands and the triage rules know about written language: character classes, folding, words, and the word
//! lists of `lang/`. It never decides anything about a session and never keeps a text.

pub mod chars;
pub mod fold;
pub mod languages;
mod tongue;
pub mod words;

pub use languages::{Languages, UnknownLanguage};
pub use tongue::Tongue;
