//! Whether every part works.

use super::At;
use super::stored::stored_words;
use serde::{Deserialize, Serialize};

stored_words! {
    /// How a part is.
    HealthWord {
        /// It works.
        Fine = "fine",
        /// It works, and something is to be looked at.
        Strained = "strained",
        /// It does not work.
        Down = "down",
    }
}

stored_words! {
    /// A part of an installation.
    HealthPart {
        /// The database.
        Store = "store",
        /// Timers and reminders: what is due is done.
        Schedule = "schedule",
        /// A channel's way to its customers.
        Channel = "channel",
        /// Those who answer.
        Agent = "agent",
        /// The live stream of the console.
        Stream = "stream",
    }
}

/// How one part is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Health {
    /// Which sort of part.
    pub part: HealthPart,
    /// Its name, where there are several of the sort.
    pub name: Option<String>,
    /// How it is.
    pub word: HealthWord,
    /// Numbers that say why: so many, of so many.
    pub of: Option<(u64, u64)>,
    /// How long it took or is late, in milliseconds.
    pub ms: Option<u64>,
}

/// Every part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HealthReport {
    /// The parts, worst first.
    pub parts: Vec<Health>,
    /// The server's version.
    pub version: String,
    /// Since when it runs.
    pub since: At,
    /// The server's time when this was read.
    pub as_of: At,
}
