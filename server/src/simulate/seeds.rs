//! The seven stories: two messages of which the second lets go, takes back or completes the first, without and with
//! debounce; and a lock that nobody releases. Must never call a story right that differs in a count, an order or by more
//! than its tolerance in a time.

mod check;
mod play;
mod print;
mod story;
mod timeline;

use serde::Serialize;

pub use play::{Channels, play};
pub use print::print;
pub use story::{Ending, STORIES, Story};
pub use timeline::{Entry, timeline};

/// What became of one story.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Told {
    /// Its name.
    pub name: &'static str,
    /// Whether everything was as it had to be.
    pub ok: bool,
    /// What differs, in words.
    pub differs: Vec<String>,
    /// What happened, in milliseconds since the first message was received.
    pub timeline: Vec<Entry>,
}

/// All stories.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// Whether all are right.
    pub ok: bool,
    /// In the order of [`STORIES`].
    pub stories: Vec<Told>,
}
