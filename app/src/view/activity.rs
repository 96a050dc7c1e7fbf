//! The log of what people did.

use super::At;
use super::stored::stored_words;
use serde::{Deserialize, Serialize};

stored_words! {
    /// How something that somebody did ended.
    ActivityResult {
        /// It was done.
        Done = "done",
        /// It was refused.
        Refused = "refused",
        /// It failed, and nobody can say here whether it was done.
        Failed = "failed",
    }
}

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActivityRow {
    /// Its place in the log, from 1.
    pub place: u64,
    /// When.
    pub at: At,
    /// Who.
    pub by: String,
    /// Their role at that moment, by stored word; `program` for a program.
    pub role: String,
    /// What they did, by stored word.
    pub verb: String,
    /// To what; empty where there is no object.
    pub object: String,
    /// The page of the object, where there is one.
    pub address: Option<String>,
    /// How it was before.
    pub before: Option<String>,
    /// How it was after.
    pub after: Option<String>,
    /// Why, in their words.
    pub reason: Option<String>,
    /// How it ended.
    pub result: ActivityResult,
}

/// Which lines are wanted. Everything given must match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActivityFilter {
    /// Of this person.
    pub by: Option<String>,
    /// With this verb.
    pub verb: Option<String>,
    /// On this object.
    pub object: Option<String>,
}

impl ActivityFilter {
    /// Whether everything matches.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
