//! Operations: one deed on many replies, planned, carried out and kept.

use super::stored::stored_words;
use super::{
    At, ChannelRef, Choice, OperationId, Page, ParkedFilter, ReplyId, RequestId, SessionId,
};
use serde::{Deserialize, Serialize};

stored_words! {
    /// Where an operation is.
    OperationWord {
        /// The set is frozen, nothing is done.
        Planned = "planned",
        /// It was planned too long ago to be started.
        Expired = "expired",
        /// Replies are acted on, one after the other.
        Running = "running",
        /// The first few were acted on; it waits for what comes of them.
        Waiting = "waiting",
        /// A person let it wait.
        Paused = "paused",
        /// Too many came back, so it waits for a person.
        Halted = "halted",
        /// A person ended it.
        Stopped = "stopped",
        /// It is over.
        Finished = "finished",
    }
}

impl OperationWord {
    /// Whether nothing follows any more.
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Expired | Self::Stopped | Self::Finished)
    }
}

stored_words! {
    /// What became of one reply of an operation.
    ItemWord {
        /// Nothing yet.
        Ready = "ready",
        /// Acted on; what comes of it is not known yet.
        Queued = "queued",
        /// It reached the customer, or the agent's new answer took its place.
        Delivered = "delivered",
        /// It is not sent, as was wanted.
        Dropped = "dropped",
        /// It waits for a person again.
        CameBack = "came_back",
        /// It was not acted on.
        Skipped = "skipped",
        /// The deed failed.
        Failed = "failed",
    }
}

stored_words! {
    /// How a person steers an operation.
    Steer {
        /// Begin.
        Start = "start",
        /// Let it wait.
        Pause = "pause",
        /// Go on.
        Resume = "resume",
        /// End it: no more replies are acted on.
        Stop = "stop",
    }
}

/// How an operation is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pace {
    /// At most so many replies a minute.
    pub per_minute: u32,
    /// After so many it waits for what comes of them; 0 goes straight through.
    pub first: u32,
    /// It halts when more than this share of what is known came back, in percent; 100 never halts.
    pub halt_percent: u8,
}

impl Pace {
    /// What a page suggests for so many replies: five a second, and the first five on trial where there are more than
    /// twenty.
    #[must_use]
    pub const fn usual(replies: u32) -> Self {
        Self {
            per_minute: 300,
            first: if replies > 20 { 5 } else { 0 },
            halt_percent: 20,
        }
    }
}

/// A line of the list of operations, and the head of an operation's page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperationRow {
    /// Its name.
    pub id: OperationId,
    /// Grows with every change.
    pub version: u64,
    /// What is done.
    pub choice: Choice,
    /// Where it is.
    pub state: OperationWord,
    /// Who planned it.
    pub by: String,
    /// Why, in their words.
    pub reason: Option<String>,
    /// How it is carried out.
    pub pace: Pace,
    /// When it was planned.
    pub planned: At,
    /// When it was started.
    pub started: Option<At>,
    /// When it ended.
    pub ended: Option<At>,
    /// How many replies are in each state; states with none are left out.
    pub counts: Vec<(ItemWord, u32)>,
}

impl OperationRow {
    /// How many replies are in this state.
    #[must_use]
    pub fn count(&self, word: ItemWord) -> u32 {
        let found = self.counts.iter().find(|(own, _)| *own == word);
        found.map_or(0, |(_, count)| *count)
    }

    /// How many replies it has.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.counts.iter().map(|(_, count)| count).sum()
    }

    /// How many replies nothing more will be done with, of those that were not skipped.
    #[must_use]
    pub fn acted_on(&self) -> u32 {
        self.total() - self.count(ItemWord::Ready) - self.count(ItemWord::Skipped)
    }
}

/// One reply of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperationItem {
    /// Its place in the order of acting, from 0.
    pub place: u32,
    /// The reply.
    pub reply: ReplyId,
    /// Its session.
    pub session: SessionId,
    /// Its channel.
    pub channel: ChannelRef,
    /// What became of it.
    pub state: ItemWord,
    /// The stored word for why, or for what was noticed when it was planned.
    pub why: Option<String>,
    /// When its state changed last.
    pub at: At,
}

/// An operation's page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperationDetail {
    /// The line of the list.
    pub row: OperationRow,
    /// What the plan says; only while it is planned.
    pub plan: Option<PlanSummary>,
    /// The operation that runs first, while this one waits for it.
    pub behind: Option<OperationId>,
    /// Its replies, in the order of acting.
    pub items: Page<OperationItem>,
}

/// What a plan says before anything is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanSummary {
    /// How many will be acted on, by channel.
    pub channels: Vec<(ChannelRef, u32)>,
    /// How many are skipped, by the stored word for why.
    pub skipped: Vec<(String, u32)>,
    /// How many are acted on although something was noticed, by the stored word for what.
    pub noticed: Vec<(String, u32)>,
    /// When the oldest and the newest of them were written.
    pub written: Option<(At, At)>,
    /// It cannot be started from then on.
    pub expires: At,
}

impl PlanSummary {
    /// Whether the number has to be typed before it is started: above a hundred replies, or on more than one channel.
    #[must_use]
    pub fn asks_for_the_number(&self) -> bool {
        let replies: u32 = self.channels.iter().map(|(_, count)| count).sum();
        replies > 100 || self.channels.len() > 1
    }
}

/// What is to be planned.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PlanAsked {
    /// What is to be done with each.
    pub choice: Choice,
    /// Which.
    pub set: PlanSet,
    /// Minted with the page. The same one again leads to the first plan.
    pub request_id: RequestId,
}

/// Which replies an operation is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanSet {
    /// These, with the generations that were seen.
    Picked(Vec<(ReplyId, u32)>),
    /// All that match and came to wait no later than the page was made. A filter without a term is refused.
    Matching {
        /// The filter.
        filter: ParkedFilter,
        /// When the page was made.
        as_of: At,
    },
}

/// A turn of the wheel.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SteerAsked {
    /// Which operation.
    pub operation: OperationId,
    /// How.
    pub steer: Steer,
    /// With which pace; only read at the start.
    pub pace: Pace,
    /// Why. Needed at the start of more than one.
    pub reason: Option<String>,
    /// The number of replies, typed by the person, where it is asked for.
    pub typed: Option<String>,
}
