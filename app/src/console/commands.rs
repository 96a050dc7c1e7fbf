//! The area of commands: what an operator does to one session or one reply.

use crate::view::{
    Caller, ConsoleError, LockOwner, Outcome, ReplyAction, RequestId, SessionAction,
};
use async_trait::async_trait;

/// Commands on one thing.
///
/// All of them keep the same promises. Within one transaction the request id is recorded and the deed is done, or
/// neither. A request id that is already recorded returns its first [`Outcome`] and does nothing. What was seen and is
/// no longer so is a [`ConsoleError::Conflict`] that says how it stands now, by whom and since when, and nothing is
/// done. A check that speaks against a command is [`ConsoleError::Refused`] unless it is overruled with a reason.
#[async_trait]
pub trait Commands: Send + Sync {
    /// A fresh request id for a form that is being rendered; unguessable, never given twice.
    fn mint(&self) -> RequestId;

    /// What a request did, from the store: `None` when it did nothing. Needs
    /// [`Permission::See`](crate::view::Permission::See).
    async fn outcome(
        &self,
        who: &Caller,
        request: RequestId,
    ) -> Result<Option<Outcome>, ConsoleError>;

    /// Sends a parked or unknown reply as it is written. Needs
    /// [`Permission::ActOnOne`](crate::view::Permission::ActOnOne).
    async fn reprocess(&self, who: &Caller, what: ReplyAction) -> Result<Outcome, ConsoleError>;

    /// Lets the agent answer the reply's messages again; the new reply supersedes the old one. Needs
    /// [`Permission::ActOnOne`](crate::view::Permission::ActOnOne).
    async fn rerun(&self, who: &Caller, what: ReplyAction) -> Result<Outcome, ConsoleError>;

    /// Decides that a parked or unknown reply is not sent. Needs
    /// [`Permission::ActOnOne`](crate::view::Permission::ActOnOne).
    async fn discard(&self, who: &Caller, what: ReplyAction) -> Result<Outcome, ConsoleError>;

    /// Records that an unknown reply did reach the customer. Needs
    /// [`Permission::ActOnOne`](crate::view::Permission::ActOnOne).
    async fn mark_delivered(
        &self,
        who: &Caller,
        what: ReplyAction,
    ) -> Result<Outcome, ConsoleError>;

    /// Lets held replies go without a verdict. Needs
    /// [`Permission::ReleaseLocks`](crate::view::Permission::ReleaseLocks).
    async fn release_hold(
        &self,
        who: &Caller,
        what: SessionAction,
    ) -> Result<Outcome, ConsoleError>;

    /// Takes off the outside lock with this token; a later lock is a [`ConsoleError::Conflict`]. Needs
    /// [`Permission::ReleaseLocks`](crate::view::Permission::ReleaseLocks).
    async fn unlock(
        &self,
        who: &Caller,
        what: SessionAction,
        lock: LockOwner,
    ) -> Result<Outcome, ConsoleError>;

    /// From now on `who` answers instead of the agent; undelivered replies are parked. Somebody else's takeover is a
    /// [`ConsoleError::Conflict`]. Needs [`Permission::ActOnOne`](crate::view::Permission::ActOnOne).
    async fn take_over(&self, who: &Caller, what: SessionAction) -> Result<Outcome, ConsoleError>;

    /// Writes to the customer as the person who took over; the [`Outcome::reply`] is the new reply. Without an own
    /// takeover it is a [`ConsoleError::Conflict`]. Needs
    /// [`Permission::ActOnOne`](crate::view::Permission::ActOnOne).
    async fn say(
        &self,
        who: &Caller,
        what: SessionAction,
        text: String,
    ) -> Result<Outcome, ConsoleError>;

    /// The agent answers again. Needs [`Permission::ActOnOne`](crate::view::Permission::ActOnOne).
    async fn hand_back(&self, who: &Caller, what: SessionAction) -> Result<Outcome, ConsoleError>;
}
