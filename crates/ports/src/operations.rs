//! Operations: one deed on many replies, planned on a frozen set and kept for good with what came of each. Must never
//! act: whoever carries an operation out writes here what it did.

use std::collections::BTreeMap;

use async_trait::async_trait;
use replygate_gate::{At, OperationId, ReplyId, SessionId, words};
use serde::{Deserialize, Serialize};

use crate::store::StoreError;

words! {
    /// What is done with each reply.
    OperationVerb, "operation verb", {
        /// It is sent as it is written.
        Reprocess = "reprocess",
        /// The agent answers its messages again.
        Rerun = "rerun",
        /// It is not sent.
        Discard = "discard",
    }
}

words! {
    /// Where an operation is.
    OperationState, "operation state", {
        /// The set is frozen, nothing is done.
        Planned = "planned",
        /// Replies are acted on, one after the other.
        Running = "running",
        /// The first few were acted on; it waits for what comes of them.
        Waiting = "waiting",
        /// A person let it wait.
        Paused = "paused",
        /// Too many came back, so it waits for a person.
        Halted = "halted",
        /// A person ended it: what was not acted on stays as it was. Final.
        Stopped = "stopped",
        /// Every reply was acted on or skipped, and what came of it is known as far as it will be. Final.
        Finished = "finished",
    }
}

impl OperationState {
    /// Whether somebody has to carry it out.
    #[must_use]
    pub const fn is_active(self) -> bool {
        matches!(self, Self::Running | Self::Waiting)
    }

    /// Whether nothing follows any more.
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Stopped | Self::Finished)
    }
}

words! {
    /// What became of one reply of an operation.
    ItemState, "operation item state", {
        /// Nothing yet.
        Ready = "ready",
        /// It was not acted on; the code says why.
        Skipped = "skipped",
        /// It was acted on, and what comes of it is not known yet.
        Queued = "queued",
        /// The channel accepted it, or the agent's new answer took its place.
        Delivered = "delivered",
        /// It was dropped, as the operation wanted.
        Dropped = "dropped",
        /// It waits for a person again.
        CameBack = "came_back",
        /// The deed failed; the code says why.
        Failed = "failed",
    }
}

/// How an operation is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pace {
    /// At most so many replies a minute.
    pub per_minute: u32,
    /// After so many it waits for what comes of them; 0 goes straight through.
    pub first: u32,
    /// It halts when more than this share of what is known came back, in percent; 100 never halts.
    pub halt_percent: u8,
}

/// An operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Its id.
    pub id: OperationId,
    /// Grows with every change, those of its items included. 1 when it is planned.
    pub version: u64,
    /// Minted with the form that planned it; unique for ever.
    pub request_id: String,
    /// What is done.
    pub verb: OperationVerb,
    /// Where it is.
    pub state: OperationState,
    /// Who planned it.
    pub by: String,
    /// Why, in their words.
    pub reason: Option<String>,
    /// How it is carried out.
    pub pace: Pace,
    /// When it was planned.
    pub planned_at: At,
    /// When it was started.
    pub started_at: Option<At>,
    /// When it ended.
    pub ended_at: Option<At>,
    /// How many items are in each state; states with none are left out.
    pub counts: BTreeMap<ItemState, u32>,
}

impl Operation {
    /// How many items are in this state.
    #[must_use]
    pub fn count(&self, state: ItemState) -> u32 {
        self.counts.get(&state).copied().unwrap_or(0)
    }

    /// How many items it has.
    #[must_use]
    pub fn items(&self) -> u32 {
        self.counts.values().sum()
    }
}

/// One reply of an operation, as it was when it was planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its place in the order of acting, from 0.
    pub place: u32,
    /// The reply.
    pub reply: ReplyId,
    /// The generation that was seen.
    pub generation: u32,
    /// Its session.
    pub session: SessionId,
    /// Its channel.
    pub channel: String,
    /// What became of it.
    pub state: ItemState,
    /// Why it was skipped, failed or came back.
    pub code: Option<String>,
    /// When its state changed last.
    pub at: At,
}

/// What became of one item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// Its place.
    pub place: u32,
    /// What became of it.
    pub state: ItemState,
    /// Why.
    pub code: Option<String>,
    /// When.
    pub at: At,
}

/// A plan was not stored.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The same request stored this operation before.
    #[error("the request was carried out before")]
    Repeated(OperationId),
    /// A fault.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// An operation was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// Somebody else changed it first, or it is not there.
    #[error("the operation changed meanwhile")]
    Conflict,
    /// A fault.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Where operations live.
#[async_trait]
pub trait Operations: Send + Sync {
    /// Stores a plan with its items. `counts` of what is given is not read.
    async fn plan(&self, operation: Operation, items: Vec<Item>) -> Result<(), PlanError>;

    /// One operation.
    async fn operation(&self, id: OperationId) -> Result<Option<Operation>, StoreError>;

    /// All operations, newest plan first, behind the key of the last one seen.
    async fn operations(
        &self,
        after: Option<(At, OperationId)>,
        limit: u32,
    ) -> Result<Vec<Operation>, StoreError>;

    /// The operations that somebody has to carry out, in the order in which they were started.
    async fn active(&self) -> Result<Vec<Operation>, StoreError>;

    /// Items by place, behind `after`, only those in `state` where one is given.
    async fn items(
        &self,
        id: OperationId,
        state: Option<ItemState>,
        after: Option<u32>,
        limit: u32,
    ) -> Result<Vec<Item>, StoreError>;

    /// Replaces state, reason, pace and times, if the stored version is still `operation.version`; returns the new one.
    async fn change(&self, operation: Operation) -> Result<u64, ChangeError>;

    /// Writes what became of items; returns the operation's new version.
    async fn settle(&self, id: OperationId, settled: Vec<Settled>) -> Result<u64, StoreError>;
}
