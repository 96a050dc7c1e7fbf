//! Holds a session's log and its hand-overs against the invariants. Pure. Must never trust what the server says about
//! itself where the deliver address or the order of events tells it.

mod reading;

use std::collections::{BTreeMap, BTreeSet};

use replygate_gate::{MessageId, ReplyStatus};
use replygate_ports::store::Step;
use serde::Serialize;

use crate::simulate::endpoint::Receipt;

/// Breaches of each invariant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub struct Breaches {
    /// A reply that the channel has or may have was cancelled or superseded.
    pub i1: usize,
    /// A part was handed over more than once.
    pub i2: usize,
    /// Replies of a conversation were handed over out of order.
    pub i3: usize,
    /// A message was answered by two delivered replies.
    pub i4: usize,
    /// A superseded reply has no later reply that covers its messages.
    pub i5: usize,
    /// A reply was parked while its hold was live, or after it was cancelled.
    pub i6: usize,
    /// A turn did something without owning the session.
    pub i7: usize,
    /// An acknowledged message ended neither covered nor dropped by record.
    pub i8: usize,
}

impl Breaches {
    /// All of them.
    #[must_use]
    pub fn total(&self) -> usize {
        self.i1 + self.i2 + self.i3 + self.i4 + self.i5 + self.i6 + self.i7 + self.i8
    }
}

/// What is known of one session.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// Messages that were acknowledged.
    pub accepted: &'a BTreeSet<MessageId>,
    /// Its log.
    pub steps: &'a [Step],
    /// What the deliver address got, in the order in which it came.
    pub receipts: &'a [Receipt],
}

/// What was found in all sessions.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Breaches.
    pub breaches: Breaches,
    /// How the replies ended.
    pub ends: BTreeMap<ReplyStatus, usize>,
    /// Replies that have not ended.
    pub open: usize,
    /// Hand-overs of replies that the log does not know.
    pub unlogged: usize,
    /// Delivered minus ideal, for replies that nothing kept past it.
    pub over_ideal_ms: Vec<f64>,
    /// Delivered minus the end of what kept it, for the others.
    pub over_hold_ms: Vec<f64>,
}

#[cfg(test)]
mod tests;
