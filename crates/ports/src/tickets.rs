//! Tickets: reminders that a reply is due. They may be lost, repeated or late without harm: the store decides, and the
//! sweeper publishes again. They carry ids only.

use async_trait::async_trait;
use replygate_gate::{At, ReplyId, SessionId};
use serde::{Deserialize, Serialize};

/// A reminder that a reply is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Ticket {
    /// The reply.
    pub reply: ReplyId,
    /// Its session.
    pub session: SessionId,
    /// How often it was tried before, for display; the store counts for itself.
    pub attempt: u32,
    /// The session's version that it was issued at; `None` when only the store may answer it, as for one that is
    /// published again.
    pub version: Option<u64>,
}

/// A ticket that arrived.
#[derive(Debug)]
pub struct Arrived {
    /// The ticket.
    pub ticket: Ticket,
    /// What [`Tickets::done`] needs.
    pub receipt: u64,
}

/// The queue was not reachable.
#[derive(Debug, thiserror::Error)]
#[error("the ticket queue is unavailable")]
pub struct TicketsUnavailable(#[source] pub Box<dyn std::error::Error + Send + Sync>);

/// A queue of tickets, each with a due time.
#[async_trait]
pub trait Tickets: Send + Sync {
    /// Queues a ticket that arrives at `due`, never earlier.
    async fn publish(&self, ticket: Ticket, due: At) -> Result<(), TicketsUnavailable>;

    /// The next ticket that is due; waits for one. Cancel safe: a ticket is not lost when the future is dropped.
    async fn next(&self) -> Result<Arrived, TicketsUnavailable>;

    /// The ticket was dealt with and need not come again.
    async fn done(&self, receipt: u64) -> Result<(), TicketsUnavailable>;

    /// No more tickets are wanted here: those that were not handed out go to other consumers. What was handed out may
    /// still be finished.
    async fn leave(&self);
}
