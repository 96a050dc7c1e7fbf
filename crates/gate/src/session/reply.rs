//! A reply that is not final. Must never carry its text.

use serde::{Deserialize, Serialize};

use crate::event::CancelledBy;
use crate::ids::{At, ClaimToken, MessageId, ReplyId};
use crate::status::{Author, Decision, ParkReason, ReplyStatus};

/// The right to hand a reply over, until a deadline.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Claim {
    /// Proof for the settle.
    pub token: ClaimToken,
    /// From then on the outcome counts as not known.
    pub until: At,
}

/// A verdict that waits: for the commit that brings the answer, or for a claim that may come back unsent.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Noted {
    /// The verdict; never `RELEASE_FIRST`, which takes effect at once.
    pub decision: Decision,
    /// The epoch it was given for.
    pub epoch: u64,
    /// Whether the answer is committed, or a command said so: it applies as soon as the claim comes back unsent.
    pub ready: bool,
    /// The reply that took this one's place; a `MERGE` that is ready without one tells that the new answer failed.
    pub successor: Option<ReplyId>,
    /// Who takes the reply back.
    #[serde(default)]
    pub by: CancelledBy,
}

impl Noted {
    /// Whether the answer that was to take the reply's place failed.
    #[must_use]
    pub fn has_no_replacement(&self) -> bool {
        self.ready && self.decision == Decision::Merge && self.successor.is_none()
    }
}

/// An answer on its way to the user.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Reply {
    /// Stays the same for the reply's whole life.
    pub id: ReplyId,
    /// Its place in the conversation's order.
    pub seq: u64,
    /// Where it is.
    pub status: ReplyStatus,
    /// The messages it answers, sorted.
    pub covers: Vec<MessageId>,
    /// Who wrote it.
    pub author: Author,
    /// Since when the oldest of the messages that it answers waits; `None` when it answers none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<At>,
    /// When it was put in line: committed, or sent again by an operator.
    pub queued_at: At,
    /// Not handed over earlier.
    pub not_before: At,
    /// Up to this epoch newer messages do not hold it.
    pub cleared: u64,
    /// Since when newer messages hold it.
    pub held_since: Option<At>,
    /// A verdict that waits.
    pub noted: Option<Noted>,
    /// Whether it also answers what a superseded reply answered.
    pub merged: bool,
    /// Whether its turn committed an outside effect.
    pub effects: bool,
    /// How many parts it has.
    pub parts: u16,
    /// How many of them the channel accepted.
    pub sent: u16,
    /// Who is handing it over.
    pub claim: Option<Claim>,
    /// Attempts that met a stuck lock.
    pub attempts: u8,
    /// Definite failures of the channel, and outcomes not known that are repeated.
    pub failures: u8,
    /// When an outcome that is not known is tried again, kept while that is being done; only under `at_least_once`.
    pub retry_at: Option<At>,
    /// Whether an earlier hand-over may have reached the channel.
    pub maybe_sent: bool,
    /// Grows whenever the reply is parked, becomes unknown, or is put back in line; operators name the one they saw.
    pub generation: u32,
    /// Why it waits for a person.
    pub parked: Option<ParkReason>,
}

impl Reply {
    /// Whether it waits, or is being handed over.
    #[must_use]
    pub fn is_undelivered(&self) -> bool {
        self.status.is_waiting() || self.status == ReplyStatus::Dispatching
    }

    /// Whether its hand-over repeats one whose outcome is not known: outside the order, and back to UNKNOWN when it fails.
    #[must_use]
    pub fn is_repeat(&self) -> bool {
        self.retry_at.is_some()
    }

    /// Whether a committed verdict or a command takes it back as far as it has not left.
    #[must_use]
    pub fn is_withdrawn(&self) -> bool {
        self.noted.as_ref().is_some_and(|noted| noted.ready)
    }

    /// Whether some of it certainly or possibly reached the user, so that automation may no longer take it back.
    #[must_use]
    pub fn has_left(&self) -> bool {
        self.sent > 0 || self.maybe_sent
    }
}
