//! A copy of what tickets lead to, so that a ticket whose reply is held or final is dropped without asking the store. Must
//! never let a reply through: whoever finds nothing here asks the store.

use async_trait::async_trait;
use replygate_gate::{ReplyId, Session, SessionId};

/// What is told lives so long, in milliseconds: longer than a ticket waits behind others, shorter than anybody would miss
/// it.
pub const MIRROR_LIFE_MS: u64 = 2_000;

/// A session at one version, as far as tickets go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glance {
    /// The session's version.
    pub version: u64,
    /// The only reply that a ticket could lead to.
    pub next: Option<ReplyId>,
    /// The reply whose turn it would be if newer messages did not hold it.
    pub held: Option<ReplyId>,
}

/// Why a ticket leads nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vain {
    /// Newer messages hold its reply.
    Held,
    /// Its reply is final, on its way, behind another one, or waits for a person.
    Passed,
}

impl Vain {
    /// The word under which it is counted.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Passed => "passed",
        }
    }
}

impl Glance {
    /// What tickets for the session at that version lead to.
    #[must_use]
    pub fn of(session: &Session, version: u64) -> Self {
        let held = session.head().filter(|reply| session.is_held(reply));
        Self {
            version,
            next: session.next_dispatch().map(|(reply, _)| reply),
            held: held.map(|reply| reply.id),
        }
    }

    /// Why a ticket for `reply` that was issued at version `issued` leads nowhere; `None` when the store has to be asked.
    ///
    /// Whatever lets the reply go later issues a ticket at a later version, so that nothing is lost with this one. A glance
    /// from before the ticket says nothing about it.
    #[must_use]
    pub fn refuses(&self, reply: ReplyId, issued: u64) -> Option<Vain> {
        if self.version < issued || self.next == Some(reply) {
            return None;
        }
        Some(if self.held == Some(reply) {
            Vain::Held
        } else {
            Vain::Passed
        })
    }
}

/// Glances of sessions. It may forget any of them at any time.
#[async_trait]
pub trait Mirror: Send + Sync {
    /// Tells what a session looks like, for [`MIRROR_LIFE_MS`]; never waits for others. What is told of an older version
    /// than is known changes nothing.
    async fn tell(&self, session: SessionId, glance: Glance);

    /// The newest glance of the session that was told not long ago.
    async fn look(&self, session: SessionId) -> Option<Glance>;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glance(version: u64, next: Option<u128>, held: Option<u128>) -> Glance {
        Glance {
            version,
            next: next.map(ReplyId),
            held: held.map(ReplyId),
        }
    }

    #[test]
    fn a_glance_from_before_the_ticket_says_nothing_about_it() {
        assert_eq!(glance(4, None, None).refuses(ReplyId(1), 5), None);
    }

    #[test]
    fn a_held_reply_and_one_that_is_through_are_told_apart() {
        let glance = glance(5, None, Some(1));
        assert_eq!(glance.refuses(ReplyId(1), 5), Some(Vain::Held));
        assert_eq!(glance.refuses(ReplyId(2), 3), Some(Vain::Passed));
    }

    #[test]
    fn the_next_reply_is_never_refused() {
        assert_eq!(glance(9, Some(1), None).refuses(ReplyId(1), 2), None);
    }
}
