//! What is wrong with an installation: its services, work that nobody looks after, holds that do not end, tickets that
//! lead nowhere. Must never decide anything about a session: what it mends, it mends by reminding those who decide.

mod look;
mod mend;
mod tickets;

use replygate_gate::{At, ReplyId, SessionId};
use serde::Serialize;

pub(crate) use look::look;
pub(crate) use mend::mend;
pub(crate) use tickets::{Repair, idle_tickets};

/// What was found.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Report {
    /// Nothing needs attention.
    pub(crate) ok: bool,
    /// What the services told.
    pub(crate) services: Vec<Told>,
    /// Queues that exist, with what waits in them.
    pub(crate) queues: Vec<Queue>,
    /// Sessions with open work.
    pub(crate) open_sessions: usize,
    /// What is wrong in sessions.
    pub(crate) ailments: Vec<Ailment>,
    /// Tickets whose reply needs none.
    pub(crate) idle_tickets: usize,
    /// What was mended.
    pub(crate) mended: usize,
}

/// What a service told.
#[derive(Debug, Serialize)]
pub(crate) struct Told {
    /// Which.
    pub(crate) service: String,
    /// `good`, `warning` or `bad`.
    pub(crate) level: &'static str,
    /// What was found, and what to do about it.
    pub(crate) words: String,
}

/// A queue.
#[derive(Debug, Serialize)]
pub(crate) struct Queue {
    /// Its name.
    pub(crate) name: String,
    /// What waits in it.
    pub(crate) messages: u32,
    /// Who reads it.
    pub(crate) consumers: u32,
}

/// What can be wrong in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// A reply is due and nobody hands it over: its ticket got lost, or no worker runs.
    NoTicket,
    /// A time has come and nobody looked after the session.
    NoTimer,
    /// A reply is held for longer than the channel allows.
    Held,
    /// An outside system locked the session and does not renew the lock.
    Locked,
    /// Its channel is not configured, so that nothing can be done.
    NoChannel,
}

/// Something wrong in a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Ailment {
    /// What.
    pub(crate) kind: Kind,
    /// Where.
    pub(crate) session: SessionId,
    /// The session's version.
    pub(crate) version: u64,
    /// The reply that it is about.
    pub(crate) reply: Option<ReplyId>,
    /// How often that was tried.
    pub(crate) attempt: u32,
    /// Since when, in milliseconds since the Unix epoch.
    pub(crate) since: At,
}

impl Kind {
    /// What it is and what to do, for people.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::NoTicket => "is due and has no ticket that anybody sees; --repair publishes one",
            Self::NoTimer => "needs attention and gets none; --repair wakes the workers",
            Self::Held => {
                "is held for longer than max_hold_ms; a worker releases it, --repair wakes them"
            }
            Self::Locked => {
                "is locked by a holder that does not renew; `replygate unlock` removes the lock"
            }
            Self::NoChannel => "has open work on a channel that is not configured; configure it",
        }
    }
}
