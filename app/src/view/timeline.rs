//! A session's event log, made readable.

use super::{At, EventId};
use serde::{Deserialize, Serialize};

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TimelineEvent {
    /// Its name; `#e-{id}` in an address scrolls to it.
    pub id: EventId,
    /// When.
    pub at: At,
    /// The event's stored name, for example `claimed`. The words for people are in the message catalogue; an unknown
    /// name is shown as it is.
    pub kind: String,
    /// Ids, numbers and reasons of this event, in the order in which they are to be read. Never a customer's text.
    pub facts: Vec<Fact>,
}

/// A named value of an event.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fact {
    /// What it is, for example `reply`.
    pub name: String,
    /// Its value, for example `rep_01J…`.
    pub value: String,
}
