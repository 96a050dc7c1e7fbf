//! The state of one session as far as decisions read it. Must never hold texts, nor anything that is final: it stays
//! small however long a conversation lasts.

mod busy;
mod reply;

pub use reply::{Claim, Noted, Reply};
use serde::{Deserialize, Serialize};

use crate::ids::{At, MessageId, ReplyId, TurnId};
use crate::rules::Rules;
use crate::status::{Author, ReplyStatus};

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
    /// Whether a turn had taken it and was stopped for newer messages: it waits with them, and its own window is over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reopened: bool,
    /// Until then its transcript is waited for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub awaited: Option<At>,
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
    /// What the interrupted turn before it had written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial: Option<ReplyId>,
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
    /// A turn died that a control command had asked to start no further effect; the next one inherits that.
    #[serde(default)]
    pub orphan_stop: bool,
    /// The interrupted turn that may still say what it had written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interrupted: Option<TurnId>,
    /// What it had written, for the next turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial: Option<ReplyId>,
}

impl Session {
    /// The open reply with that id.
    #[must_use]
    pub fn reply(&self, id: ReplyId) -> Option<&Reply> {
        self.replies.iter().find(|reply| reply.id == id)
    }

    /// The messages that wait for a turn which has not begun, in order of arrival.
    #[must_use]
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

    /// Whether the window is over and nothing goes before the next turn, so that a worker may take the session at `now`.
    #[must_use]
    pub fn is_ripe(&self, now: At, rules: &Rules) -> bool {
        self.turn_due(rules).is_some_and(|due| due <= now)
    }

    /// When the next turn may begin, as far as time alone decides; `None` while something else goes before it.
    fn turn_due(&self, rules: &Rules) -> Option<At> {
        let window = self.window?;
        let free = self.owner.is_none() && self.takeover.is_none();
        let wanted = self.rerun.is_some() || !self.uncovered.is_empty();
        (free && wanted && !self.waits_for_replies(rules.strategy)).then_some(window.due)
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
            .find(|reply| self.is_in_line(reply))
            .filter(|reply| reply.status.is_waiting())
    }

    /// Whether later replies wait for this one: it is undelivered, or a hand-over whose outcome is not known will be
    /// repeated, which may be the first that really reaches the channel.
    #[must_use]
    pub fn is_in_line(&self, reply: &Reply) -> bool {
        reply.is_undelivered() || (reply.status == ReplyStatus::Unknown && reply.is_repeat())
    }

    /// The next hand-over to attempt, with the instant at which it is due; `None` while the head is held.
    #[must_use]
    pub fn next_dispatch(&self) -> Option<(ReplyId, At)> {
        self.next_attempt(0)
    }

    /// The next hand-over, with the first instant at which a claim made `ahead_ms` before it is due does something.
    fn next_attempt(&self, ahead_ms: u64) -> Option<(ReplyId, At)> {
        let head = self
            .head()
            .filter(|reply| !self.is_held(reply) && self.may_send(reply));
        let head = head.map(|reply| (reply.id, reply.not_before));
        let repeats = self
            .replies
            .iter()
            .filter(|reply| reply.status == ReplyStatus::Unknown && self.may_send(reply))
            .filter_map(|reply| Some((reply.id, reply.retry_at?)));
        head.into_iter()
            .chain(repeats)
            .map(|(id, due)| (id, self.attempt_from(due, ahead_ms)))
            .min_by_key(|(_, at)| *at)
    }

    /// Before a live outside lock's lease ends, attempts are in vain; nobody makes them. The lock is read at the due time.
    fn attempt_from(&self, due: At, ahead_ms: u64) -> At {
        let lease_end = self.lock.as_ref().map(|lock| lock.lease_until);
        lease_end
            .filter(|end| due < *end)
            .unwrap_or(due.minus(ahead_ms))
    }

    /// Whether automation may send this reply: no person answers in the agent's place, and no operator has its messages
    /// answered anew.
    #[must_use]
    pub fn may_send(&self, reply: &Reply) -> bool {
        let taken_over = self.takeover.is_some() && reply.author == Author::Agent;
        !taken_over && !self.is_being_rerun(reply.id)
    }

    /// Whether an operator asked for another answer to this reply's messages and that turn is not over.
    #[must_use]
    pub fn is_being_rerun(&self, reply: ReplyId) -> bool {
        let in_turn = self.owner.as_ref().and_then(|owner| owner.rerun);
        self.rerun == Some(reply) || in_turn == Some(reply)
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
        let dispatch = self.next_attempt(rules.claim_ahead_ms).map(|(_, at)| at);
        self.next_timer(rules).into_iter().chain(dispatch).min()
    }

    /// The earliest instant at which something other than a hand-over has to happen; hand-overs have their tickets.
    #[must_use]
    pub fn next_timer(&self, rules: &Rules) -> Option<At> {
        let window = self.turn_due(rules);
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
        let age = if self.may_park_for_age(reply) {
            Some(rules.park_age_ms.min(rules.expire_age_ms))
        } else {
            Some(rules.expire_age_ms).filter(|_| !reply.has_left())
        };
        let age = age.map(|age| reply.queued_at.plus(age));
        let hold = reply
            .held_since
            .filter(|_| reply.noted.is_none())
            .map(|since| since.plus(rules.max_hold_ms));
        hold.into_iter().chain(age).min()
    }

    /// Whether the age guard may park this reply: never while its hold is live.
    #[must_use]
    pub fn may_park_for_age(&self, reply: &Reply) -> bool {
        !self.is_held(reply)
    }
}
