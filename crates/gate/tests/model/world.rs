//! The model's state: the session that production code decides on, who is busy with it, and a record kept beside it by which the
//! invariants are judged. The record must never be read by a step.

use replygate_gate::{
    ClaimToken, Decision, Event, MessageId, ParkReason, ReplyId, Session, Strategy, TurnLoss,
    evolve,
};

/// A process that runs turns.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Worker {
    /// It has nothing to do.
    #[default]
    Idle,
    /// It holds a fencing token and the verdicts under which its agent answers.
    Running {
        fence: u64,
        verdicts: Vec<(ReplyId, Decision)>,
    },
}

/// A process that hands replies over.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Consumer {
    /// It has nothing to do.
    #[default]
    Idle,
    /// It claimed a reply at that epoch and has not sent it.
    Claimed {
        reply: ReplyId,
        token: ClaimToken,
        epoch: u64,
    },
    /// It sent the reply and has not said so.
    Sent { reply: ReplyId, token: ClaimToken },
}

impl Consumer {
    /// The claim it believes to hold.
    pub fn token(&self) -> Option<ClaimToken> {
        match self {
            Self::Idle => None,
            Self::Claimed { token, .. } | Self::Sent { token, .. } => Some(*token),
        }
    }
}

/// What became of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fate {
    Open,
    Delivered,
    Cancelled,
    Superseded(ReplyId),
    Other,
}

/// One reply as an observer of the events knows it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Booked {
    pub id: ReplyId,
    pub seq: u64,
    pub covers: Vec<MessageId>,
    pub fate: Fate,
    /// How often the channel got it.
    pub handed: u8,
    /// The newest epoch that an evaluator or a turn that let it go had really read.
    pub seen: u64,
}

/// Faults and rarities that may still happen; every one that happens is gone, so that no path is endless.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Budget {
    /// Messages still to arrive.
    pub arrivals: u8,
    /// Processes that die.
    pub crashes: u8,
    /// Leases, claims and holds that end although their holder lives.
    pub expiries: u8,
    /// Agents that fail for good.
    pub agent_failures: u8,
    /// Turns without an answer.
    pub silences: u8,
    /// Definite refusals of the channel.
    pub refusals: u8,
    /// Early verdicts against a reply.
    pub objections: u8,
    /// Turns that reserve an outside effect.
    pub effects: u8,
    /// Turns that an evaluator stops.
    pub aborts: u8,
    /// Changes of the strategy.
    pub switches: u8,
}

/// One state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct World {
    pub session: Session,
    pub strategy: Strategy,
    pub workers: [Worker; 2],
    pub consumers: [Consumer; 2],
    pub left: Budget,
    pub book: Vec<Booked>,
    /// Messages of turns that said nothing.
    pub silent: Vec<MessageId>,
    /// Messages that were refused on record.
    pub rejected: Vec<MessageId>,
    pub arrived: u8,
    /// The fencing token of the turn that may commit.
    pub turn: Option<u64>,
    /// The rule that an event broke.
    pub breach: Option<&'static str>,
}

impl World {
    pub fn booked(&self, id: ReplyId) -> Option<&Booked> {
        self.book.iter().find(|booked| booked.id == id)
    }

    pub fn booked_mut(&mut self, id: ReplyId) -> &mut Booked {
        self.book
            .iter_mut()
            .find(|booked| booked.id == id)
            .expect("events name replies that were announced")
    }

    /// The channel gets a reply: for the first time only after every earlier one had its first time.
    pub fn hands_over(&mut self, id: ReplyId) {
        let seq = self.booked_mut(id).seq;
        let first = self.booked_mut(id).handed == 0;
        let overtaken = self
            .book
            .iter()
            .any(|booked| booked.handed > 0 && booked.seq > seq);
        if first && overtaken {
            self.breaks("I3");
        }
        self.booked_mut(id).handed += 1;
    }

    pub fn breaks(&mut self, rule: &'static str) {
        self.breach = self.breach.or(Some(rule));
    }

    /// Applies events; `read` is the epoch that whoever caused them had really read.
    pub fn apply(&mut self, events: &[Event], read: u64) {
        for event in events {
            self.record(event, read);
            self.session = evolve(std::mem::take(&mut self.session), event);
        }
    }

    fn record(&mut self, event: &Event, read: u64) {
        match event {
            Event::Replied {
                reply,
                seq,
                covers,
                cleared,
                ..
            } => {
                if self.book.iter().any(|booked| booked.seq >= *seq) {
                    self.breaks("numbers grow");
                }
                self.book.push(Booked {
                    id: *reply,
                    seq: *seq,
                    covers: covers.clone(),
                    fate: Fate::Open,
                    handed: 0,
                    seen: *cleared,
                });
            }
            Event::Released { reply, epoch } => {
                let booked = self.booked_mut(*reply);
                booked.seen = booked.seen.max(read.min(*epoch));
            }
            Event::Superseded { reply, by } => {
                self.ends(*reply, Fate::Superseded(*by));
                let covers = self.booked_mut(*reply).covers.clone();
                if let Some(successor) = self.book.iter_mut().find(|booked| booked.id == *by) {
                    successor.covers.extend(covers);
                    successor.covers.sort_unstable();
                    successor.covers.dedup();
                }
            }
            Event::Cancelled { reply, .. } => self.ends(*reply, Fate::Cancelled),
            Event::Delivered { reply, .. } | Event::Cut { reply } => {
                self.ends(*reply, Fate::Delivered);
            }
            Event::Expired { reply } | Event::Discarded { reply } => self.ends(*reply, Fate::Other),
            Event::Claimed { reply, .. } => self.claimed(*reply),
            Event::Parked { reply, reason, .. } => self.parked(*reply, *reason),
            Event::OutcomeUnknown { reply, .. }
            | Event::NotSent { reply, .. }
            | Event::AttemptFailed { reply, .. }
                if self.booked_mut(*reply).fate != Fate::Open =>
            {
                self.breaks("final is final");
            }
            Event::Taken { fence, .. } => {
                self.taken();
                if self.turn.is_some() || *fence <= self.session.last_fence {
                    self.breaks("I7");
                }
                self.turn = Some(*fence);
            }
            Event::TurnLost {
                reason, effects, ..
            } => self.turn_lost(*reason, *effects),
            Event::Rejected { message, .. } => self.rejected.push(*message),
            Event::TurnFailed { fence, .. } => self.turn_ends(*fence),
            Event::Committed {
                fence,
                reply,
                burst,
                ..
            } => {
                self.turn_ends(*fence);
                if reply.is_none() {
                    self.silent.extend(burst);
                }
            }
            _ => {}
        }
    }

    /// A queued message's turn begins when what it waited for is over.
    fn taken(&mut self) {
        let first = self.session.undelivered().next();
        if self.strategy == Strategy::Enqueue
            && first.is_some_and(|reply| !self.session.is_held(reply))
        {
            self.breaks("queue");
        }
    }

    /// A turn that changed the outside world is stopped by no message.
    fn turn_lost(&mut self, reason: TurnLoss, effects: bool) {
        let owner = self.session.owner.as_ref();
        let reserved = effects || owner.is_some_and(|owner| owner.effects);
        if reserved && reason.is_by_newer_messages() {
            self.breaks("effects stand");
        }
        self.turn = None;
    }

    fn turn_ends(&mut self, fence: u64) {
        if self.turn != Some(fence) {
            self.breaks("I7");
        }
        self.turn = None;
    }

    fn ends(&mut self, reply: ReplyId, fate: Fate) {
        if self.booked_mut(reply).fate != Fate::Open {
            self.breaks("final is final");
        }
        self.booked_mut(reply).fate = fate;
    }

    /// A first hand-over begins only when every message that waits was read by whoever let the reply go.
    fn claimed(&mut self, id: ReplyId) {
        let waits = self
            .session
            .reply(id)
            .is_some_and(|reply| reply.status.is_waiting());
        let newest = self
            .session
            .uncovered
            .iter()
            .map(|message| message.epoch)
            .max();
        let booked = self.booked_mut(id);
        let (open, unread) = (booked.fate == Fate::Open, newest.unwrap_or(0) > booked.seen);
        if !open {
            self.breaks("final is final");
        }
        if waits && unread {
            self.breaks("hold");
        }
    }

    fn parked(&mut self, id: ReplyId, reason: ParkReason) {
        let held = self
            .session
            .reply(id)
            .is_none_or(|reply| reply.status.is_waiting() && self.session.is_held(reply));
        let by_waiting = matches!(reason, ParkReason::LockStuck | ParkReason::TooOld);
        if (by_waiting && held) || self.booked_mut(id).fate != Fate::Open {
            self.breaks("I6");
        }
    }
}
