//! One session's log read from its beginning, beside what its deliver address got.

use std::collections::{BTreeMap, BTreeSet};

use replygate_gate::{At, Event, MessageId, ParkReason, ReplyId, ReplyStatus, Session, evolve};

use super::{Record, Tally};
use crate::simulate::endpoint::Receipt;

#[derive(Default)]
struct Reply {
    seq: u64,
    covers: Vec<MessageId>,
    /// When it would leave in a world without overhead; 0 until its turn is committed.
    ideal: At,
    /// Whether its turn waited for the one before it, which the ideal then counts from.
    queued: bool,
    /// When what kept it ended last: newer messages, or the reply before it.
    free_at: At,
    /// The channel has it or may have it.
    left: bool,
    withdrawn: bool,
    end: Option<ReplyStatus>,
}

struct Reading<'t> {
    tally: &'t mut Tally,
    delay_ms: u64,
    replies: BTreeMap<ReplyId, Reply>,
    /// Those that something other than their own time keeps now.
    kept: BTreeSet<ReplyId>,
    supersedes: Vec<(ReplyId, ReplyId)>,
    ended: BTreeSet<MessageId>,
    /// When the running turn's window closed.
    closed: At,
    /// When the last turn ended.
    turn_ended: At,
}

impl Tally {
    /// Takes one session in; `delay_ms` is its channel's operational delay.
    pub fn take(&mut self, record: &Record<'_>, delay_ms: u64) {
        let mut reading = Reading {
            tally: self,
            delay_ms,
            replies: BTreeMap::new(),
            kept: BTreeSet::new(),
            supersedes: Vec::new(),
            ended: BTreeSet::new(),
            closed: At(0),
            turn_ended: At(0),
        };
        let mut session = Session::default();
        for step in record.steps {
            for event in &step.events {
                reading.event(step.at, event, &session);
                session = evolve(session, event);
                reading.holds(step.at, &session);
            }
        }
        reading.receipts(record.receipts);
        reading.fates();
        let lost = record.accepted.difference(&reading.ended).count();
        self.breaches.i8 += lost;
    }
}

impl Reading<'_> {
    fn event(&mut self, at: At, event: &Event, before: &Session) {
        match event {
            Event::Dropped { messages, .. } => self.ended.extend(messages),
            Event::Edited { edit, .. } => {
                self.ended.insert(*edit);
            }
            Event::Taken { .. } => {
                self.tally.breaches.i7 += usize::from(before.owner.is_some());
                self.closed = before.window.map_or(At(0), |window| window.due);
            }
            Event::Renewed { fence, .. } | Event::EffectReserved { fence, .. } => {
                self.owned(*fence, before);
            }
            Event::Committed {
                fence,
                burst,
                reply,
                run_ms,
                ..
            } => {
                self.owned(*fence, before);
                self.ended.extend(burst);
                let (closed, ended) = (self.closed, self.turn_ended);
                let ideal = closed.max(ended).plus(run_ms + self.delay_ms);
                self.turn_ended = at;
                if let Some(reply) = reply.and_then(|reply| self.replies.get_mut(&reply)) {
                    (reply.ideal, reply.queued) = (ideal, ended > closed);
                }
            }
            Event::TurnFailed { fence, burst, .. } => {
                self.owned(*fence, before);
                self.ended.extend(burst);
                self.turn_ended = at;
            }
            Event::TurnLost { .. } => self.turn_ended = at,
            Event::Replied {
                reply, seq, covers, ..
            } => {
                let known = self.replies.entry(*reply).or_default();
                (known.seq, known.covers) = (*seq, covers.clone());
                self.ended.extend(covers);
            }
            Event::Superseded { reply, by } => {
                self.supersedes.push((*reply, *by));
                self.withdrawn(*reply, ReplyStatus::Superseded);
            }
            Event::Cancelled { reply, .. } => self.withdrawn(*reply, ReplyStatus::Cancelled),
            Event::Delivered { reply, .. } => self.left(*reply, ReplyStatus::Delivered),
            Event::OutcomeUnknown { reply, .. } => self.left(*reply, ReplyStatus::Unknown),
            Event::Parked { reply, reason, .. } => {
                self.parked(*reply, *reason, before);
                self.end(*reply, ReplyStatus::Parked);
            }
            Event::Expired { reply } => self.end(*reply, ReplyStatus::Expired),
            Event::Discarded { reply } => self.end(*reply, ReplyStatus::Discarded),
            _ => {}
        }
    }

    fn owned(&mut self, fence: u64, before: &Session) {
        let owns = before
            .owner
            .as_ref()
            .is_some_and(|owner| owner.fence == fence);
        self.tally.breaches.i7 += usize::from(!owns);
    }

    fn parked(&mut self, reply: ReplyId, reason: ParkReason, before: &Session) {
        let waits_in_vain = matches!(reason, ParkReason::LockStuck | ParkReason::TooOld);
        let held = before
            .reply(reply)
            .is_some_and(|reply| before.is_held(reply));
        let withdrawn = self
            .replies
            .get(&reply)
            .is_some_and(|reply| reply.withdrawn);
        self.tally.breaches.i6 += usize::from(withdrawn || (waits_in_vain && held));
    }

    fn withdrawn(&mut self, reply: ReplyId, end: ReplyStatus) {
        self.replies.entry(reply).or_default().withdrawn = true;
        self.end(reply, end);
    }

    fn left(&mut self, reply: ReplyId, end: ReplyStatus) {
        self.replies.entry(reply).or_default().left = true;
        self.end(reply, end);
    }

    fn end(&mut self, reply: ReplyId, end: ReplyStatus) {
        self.replies.entry(reply).or_default().end = Some(end);
    }

    /// Notes until when something other than its own time keeps a reply.
    fn holds(&mut self, at: At, session: &Session) {
        let head = session.head().map(|reply| reply.id);
        for reply in session
            .undelivered()
            .filter(|reply| reply.status.is_waiting())
        {
            let known = self.replies.entry(reply.id).or_default();
            if session.is_held(reply) || head != Some(reply.id) {
                self.kept.insert(reply.id);
            } else if self.kept.remove(&reply.id) {
                known.free_at = at;
            }
        }
    }

    fn receipts(&mut self, receipts: &[Receipt]) {
        let mut parts: BTreeSet<(ReplyId, u16)> = BTreeSet::new();
        let mut answered: BTreeMap<MessageId, ReplyId> = BTreeMap::new();
        let mut last_seq = 0;
        for receipt in receipts {
            if !parts.insert((receipt.reply, receipt.part)) {
                self.tally.breaches.i2 += 1;
                continue;
            }
            let Some(reply) = self.replies.get_mut(&receipt.reply) else {
                self.tally.unlogged += 1;
                continue;
            };
            reply.left = true;
            if receipt.part > 0 {
                continue;
            }
            self.tally.breaches.i3 += usize::from(reply.seq < last_seq);
            last_seq = last_seq.max(reply.seq);
            for message in &reply.covers {
                let other = answered.insert(*message, receipt.reply);
                self.tally.breaches.i4 += usize::from(other.is_some());
            }
            if reply.queued || reply.free_at > reply.ideal {
                let free = reply.free_at.max(reply.ideal);
                self.tally.over_hold_ms.push(over(receipt.at, free));
            } else {
                self.tally.over_ideal_ms.push(over(receipt.at, reply.ideal));
            }
        }
    }

    fn fates(&mut self) {
        for reply in self.replies.values() {
            self.tally.breaches.i1 += usize::from(reply.left && reply.withdrawn);
            match reply.end {
                Some(end) => *self.tally.ends.entry(end).or_default() += 1,
                None => self.tally.open += 1,
            }
        }
        for (old, by) in &self.supersedes {
            let covered = match (self.replies.get(old), self.replies.get(by)) {
                (Some(old), Some(by)) => {
                    by.seq > old.seq && old.covers.iter().all(|id| by.covers.contains(id))
                }
                _ => false,
            };
            self.tally.breaches.i5 += usize::from(!covered);
        }
    }
}

fn over(at: At, ideal: At) -> f64 {
    (at.0 - ideal.0) as f64
}
