//! The state of one session as far as decisions read it. Must never hold texts, nor anything that is final: it stays
//! small however long a conversation lasts.

mod reply;

pub use reply::{Claim, Noted, Reply};
use serde::{Deserialize, Serialize};

use crate::ids::{At, MessageId, ReplyId, TurnId};
use crate::rules::Rules;

/// A message that no turn has covered yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Waiting {
    /// The message.
    pub id: MessageId,
    /// The epoch that its arrival began.
    pub epoch: u64,
    /// When it was received.
    pub at: At,
    /// Whether its text hangs, so that more is to be expected.
    pub dangles: bool,
    /// The message whose text it corrects.
    pub edit_of: Option<MessageId>,
}

/// When the messages that wait become a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Window {
    /// When the window closes.
    pub due: At,
}

/// The one turn that may commit.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Owner {
    /// The turn.
    pub turn: TurnId,
    /// Its fencing token; grows with every take.
    pub fence: u64,
    /// When its lease ends unless renewed.
    pub until: At,
    /// The instant from which the turn's run and the operational delay count: when its window closed.
    pub base: At,
    /// The session's epoch at the take; the turn knows of nothing newer.
    pub epoch: u64,
    /// The messages it answers.
    pub burst: Vec<MessageId>,
    /// The reply whose messages an operator wants answered again.
    pub rerun: Option<ReplyId>,
    /// Whether it reserved an outside effect.
    pub effects: bool,
    /// Whether a control command asked it to start no further effect.
    pub stopping: bool,
}

/// A lock that another system put on the session.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct OutsideLock {
    /// Who holds it.
    pub holder: String,
    /// Until then it is alive; the holder must renew it.
    pub lease_until: At,
    /// From then on it is gone, whatever its holder does.
    pub expires: At,
}

impl OutsideLock {
    /// Whether it still keeps replies back at `now`.
    #[must_use]
    pub fn holds(&self, now: At) -> bool {
        now < self.expires
    }

    /// Whether its holder is silent although the lock has not run out: attempts that meet it count.
    #[must_use]
    pub fn is_stuck(&self, now: At) -> bool {
        self.lease_until <= now && now < self.expires
    }
}

/// A person answers instead of the agent.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Takeover {
    /// The operator.
    pub by: String,
    /// Since when.
    pub since: At,
}

/// One session: what is open in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Session {
    /// Grows with every arrival and command.
    pub epoch: u64,
    /// The last sequence number given to a reply.
    pub last_seq: u64,
    /// The last fencing token given to a turn.
    pub last_fence: u64,
    /// Messages that no turn has covered, in order of arrival; those of the running turn included.
    pub uncovered: Vec<Waiting>,
    /// When the waiting messages become a turn.
    pub window: Option<Window>,
    /// The running turn.
    pub owner: Option<Owner>,
    /// Replies that are not final, by sequence number.
    pub replies: Vec<Reply>,
    /// A lock from outside.
    pub lock: Option<OutsideLock>,
    /// The person who answers.
    pub takeover: Option<Takeover>,
    /// The reply that an operator wants answered anew by the next turn.
    pub rerun: Option<ReplyId>,
    /// A turn died after it reserved an outside effect; the next one inherits it.
    pub orphan_effects: bool,
}

impl Session {
    /// The open reply with that id.
    #[must_use]
    pub fn reply(&self, id: ReplyId) -> Option<&Reply> {
        self.replies.iter().find(|reply| reply.id == id)
    }

    /// The messages that wait for a turn which has not begun, in order of arrival.
    pub fn fresh(&self) -> impl DoubleEndedIterator<Item = &Waiting> {
        self.uncovered
            .iter()
            .filter(|message| !self.in_burst(message.id))
    }

    /// Whether the running turn answers this message.
    #[must_use]
    pub fn in_burst(&self, message: MessageId) -> bool {
        self.owner
            .as_ref()
            .is_some_and(|owner| owner.burst.contains(&message))
    }

    /// Whether newer messages that no verdict has cleared keep this reply back.
    #[must_use]
    pub fn is_held(&self, reply: &Reply) -> bool {
        self.uncovered
            .iter()
            .any(|message| message.epoch > reply.cleared)
    }

    /// Whether the window is over and no turn runs, so that a worker may take the session at `now`.
    #[must_use]
    pub fn is_ripe(&self, now: At) -> bool {
        self.window.is_some_and(|window| window.due <= now)
            && self.owner.is_none()
            && self.takeover.is_none()
            && (self.rerun.is_some() || !self.uncovered.is_empty())
    }

    /// The replies that a verdict may still concern: waiting, or claimed but not settled.
    pub fn undelivered(&self) -> impl Iterator<Item = &Reply> {
        self.replies.iter().filter(|reply| reply.is_undelivered())
    }

    /// The reply whose turn it is to be handed over, held or not: the first that waits, unless one before it is on its way.
    #[must_use]
    pub fn head(&self) -> Option<&Reply> {
        self.replies
            .iter()
            .find(|reply| reply.is_undelivered())
            .filter(|reply| reply.status.is_waiting())
    }

    /// The next hand-over to attempt, with the instant at which it is due; `None` while the head is held.
    #[must_use]
    pub fn next_dispatch(&self) -> Option<(ReplyId, At)> {
        let repeat = self
            .replies
            .iter()
            .find_map(|reply| reply.retry_at.map(|at| (reply.id, at)));
        let head = self
            .head()
            .filter(|reply| !self.is_held(reply))
            .map(|reply| (reply.id, reply.not_before.max(self.lock_lease_end())));
        match (head, repeat) {
            (Some(head), Some(repeat)) => Some(if repeat.1 < head.1 { repeat } else { head }),
            (head, repeat) => head.or(repeat),
        }
    }

    /// Before a live outside lock's lease ends, attempts are in vain; nobody makes them.
    fn lock_lease_end(&self) -> At {
        self.lock
            .as_ref()
            .map_or(At(i64::MIN), |lock| lock.lease_until)
    }

    /// Whether anything is open, so that retention must keep the session whole.
    #[must_use]
    pub fn is_open(&self) -> bool {
        !self.uncovered.is_empty()
            || self.owner.is_some()
            || !self.replies.is_empty()
            || self.lock.is_some()
            || self.takeover.is_some()
            || self.rerun.is_some()
    }

    /// The earliest instant at which something has to happen without anybody asking; `None` when the session is at rest.
    ///
    /// Timers and the sweeper both work from this one number.
    #[must_use]
    pub fn next_deadline(&self, rules: &Rules) -> Option<At> {
        let dispatch = self.next_dispatch().map(|(_, at)| at.minus(rules.claim_ahead_ms));
        self.next_timer(rules).into_iter().chain(dispatch).min()
    }

    /// The earliest instant at which something other than a hand-over has to happen; hand-overs have their tickets.
    #[must_use]
    pub fn next_timer(&self, rules: &Rules) -> Option<At> {
        let window = self
            .window
            .filter(|_| self.owner.is_none() && self.takeover.is_none());
        let window = window
            .filter(|_| self.rerun.is_some() || !self.uncovered.is_empty())
            .map(|window| window.due);
        let owner = self.owner.as_ref().map(|owner| owner.until);
        let replies = self
            .replies
            .iter()
            .filter_map(|reply| self.reply_deadline(reply, rules));
        let lock = self.lock.as_ref().map(|lock| lock.expires);
        window
            .into_iter()
            .chain(lock)
            .chain(owner)
            .chain(replies)
            .min()
    }

    fn reply_deadline(&self, reply: &Reply, rules: &Rules) -> Option<At> {
        if let Some(claim) = &reply.claim {
            return Some(claim.until);
        }
        if !reply.status.is_waiting() {
            return None;
        }
        let age = reply.queued_at.plus(if self.may_park_for_age(reply) {
            rules.park_age_ms
        } else {
            rules.expire_age_ms
        });
        let hold = reply
            .held_since
            .filter(|_| reply.noted.is_none())
            .map(|since| since.plus(rules.max_hold_ms));
        hold.into_iter().chain([age]).min()
    }

    /// Whether the age guard may park this reply: never while its hold is live.
    #[must_use]
    pub fn may_park_for_age(&self, reply: &Reply) -> bool {
        !self.is_held(reply)
    }
}
