//! Whether anything waits for a person, and whether the system keeps up.

use super::{At, ChannelId, ChannelRef, Count, OperationId, StatusWord};
use serde::{Deserialize, Serialize};

/// What the overview is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverviewAsked {
    /// The charts begin then.
    pub from: At,
    /// And end before.
    pub to: At,
    /// Only this channel.
    pub channel: Option<ChannelId>,
}

/// The overview.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overview {
    /// What waits for a person, by harm.
    pub needs: Vec<Need>,
    /// How many replies were delivered in the last hour.
    pub delivered: u64,
    /// How long half of those customers waited at most, in milliseconds.
    pub median_ms: Option<u64>,
    /// How much is where at this moment, from the customer to the customer.
    pub flow: Vec<(FlowStation, u32)>,
    /// What became of replies, in equal parts of time.
    pub outcomes: Vec<OutcomePart>,
    /// How long customers waited, in the same parts.
    pub times: Vec<TimePart>,
    /// The length of a part, in milliseconds.
    pub step_ms: i64,
    /// The channels that the page offers.
    pub channels: Vec<ChannelRef>,
    /// The server's time when this was read.
    pub as_of: At,
}

/// Something that waits for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// Replies whose outcome nobody knows.
    Unknown {
        /// How many; `None` where they could not be counted in time.
        count: Option<u64>,
    },
    /// Tool calls whose outcome nobody knows.
    UnknownCalls {
        /// How many.
        count: Count,
    },
    /// Replies that are parked.
    Parked {
        /// How many; `None` where they could not be counted in time.
        count: Option<u64>,
        /// Since when the oldest one waits, as far back as was looked.
        oldest: Option<At>,
    },
    /// Sessions whose outside lock outlived its lease.
    Locked {
        /// How many.
        count: u32,
    },
    /// Tool calls that were held back and nobody judged yet.
    Unjudged {
        /// How many.
        count: Count,
    },
    /// An operation that halted.
    Halted {
        /// Which.
        operation: OperationId,
    },
    /// A channel that fails.
    Failing {
        /// Which.
        channel: ChannelRef,
        /// So many of its last replies failed.
        failures: u32,
        /// Of so many.
        of: u32,
    },
}

super::stored::stored_words! {
    /// A station on the way from the customer to the customer.
    FlowStation {
        /// Messages are being collected.
        Collecting = "collecting",
        /// The agent works.
        Thinking = "thinking",
        /// Replies are held or judged.
        Deciding = "deciding",
        /// Replies wait to be sent, or are being sent.
        Sending = "sending",
        /// Replies wait for a person.
        Parked = "parked",
    }
}

/// What became of replies in one part of time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomePart {
    /// Its beginning.
    pub at: At,
    /// How many came to each status.
    pub counts: Vec<(StatusWord, u64)>,
}

impl OutcomePart {
    /// How many came to this status.
    #[must_use]
    pub fn count(&self, status: StatusWord) -> u64 {
        let found = self.counts.iter().find(|(own, _)| *own == status);
        found.map_or(0, |(_, count)| *count)
    }
}

/// How long customers waited in one part of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimePart {
    /// Its beginning.
    pub at: At,
    /// Half of them waited at most so long, in milliseconds.
    pub median_ms: u64,
    /// Nineteen of twenty waited at most so long, in milliseconds.
    pub p95_ms: u64,
}
