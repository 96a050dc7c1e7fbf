//! Holds a session's log and its hand-overs against the invariants. Pure. Must never trust what the server says about
//! itself where the deliver address or the order of events tells it.

use std::collections::{BTreeMap, BTreeSet};

use replygate_gate::{At, Event, MessageId, ParkReason, ReplyId, ReplyStatus, Session, evolve};
use replygate_ports::store::Step;
use serde::Serialize;

use crate::simulate::endpoint::Receipt;

/// Breaches of each invariant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub struct Breaches {
    /// A reply that the channel has or may have was cancelled or superseded.
    pub i1: usize,
    /// A part was handed over more than once.
    pub i2: usize,
    /// Replies of a conversation were handed over out of order.
    pub i3: usize,
    /// A message was answered by two delivered replies.
    pub i4: usize,
    /// A superseded reply has no later reply that covers its messages.
    pub i5: usize,
    /// A reply was parked while its hold was live, or after it was cancelled.
    pub i6: usize,
    /// A turn did something without owning the session.
    pub i7: usize,
    /// An acknowledged message ended neither covered nor dropped by record.
    pub i8: usize,
}

impl Breaches {
    /// All of them.
    #[must_use]
    pub fn total(&self) -> usize {
        self.i1 + self.i2 + self.i3 + self.i4 + self.i5 + self.i6 + self.i7 + self.i8
    }
}

/// What is known of one session.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// Messages that were acknowledged.
    pub accepted: &'a BTreeSet<MessageId>,
    /// Its log.
    pub steps: &'a [Step],
    /// What the deliver address got, in the order in which it came.
    pub receipts: &'a [Receipt],
}

/// What was found in all sessions.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Breaches.
    pub breaches: Breaches,
    /// How the replies ended.
    pub ends: BTreeMap<ReplyStatus, usize>,
    /// Replies that have not ended.
    pub open: usize,
    /// Hand-overs of replies that the log does not know.
    pub unlogged: usize,
    /// Delivered minus ideal, for replies that nothing kept past it.
    pub over_ideal_ms: Vec<f64>,
    /// Delivered minus the end of what kept it, for the others.
    pub over_hold_ms: Vec<f64>,
}

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

#[cfg(test)]
mod tests {
    use replygate_gate::debounce::Signal;
    use replygate_gate::{Author, CancelledBy, DeliveredBy, TurnId};

    use super::*;

    const A: MessageId = MessageId(1);
    const B: MessageId = MessageId(2);
    const OF_A: ReplyId = ReplyId(11);
    const OF_B: ReplyId = ReplyId(12);

    fn arrived(message: MessageId, at: i64) -> Event {
        let (at, due) = (At(at), At(at));
        Event::Arrived {
            message,
            at,
            signal: Signal::Closed,
            dangles: false,
            edit_of: None,
            due,
        }
    }

    fn taken(burst: MessageId, fence: u64, at: i64) -> Event {
        Event::Taken {
            turn: TurnId(fence.into()),
            fence,
            until: At(at + 9_000),
            base: At(at),
            burst: vec![burst],
            rerun: None,
            effects: false,
        }
    }

    fn written(reply: ReplyId, covers: &[MessageId], fence: u64, at: i64) -> Vec<Event> {
        let burst = vec![*covers.last().unwrap()];
        vec![
            Event::Replied {
                reply,
                seq: fence,
                author: Author::Agent,
                covers: covers.to_vec(),
                parts: 1,
                at: At(at),
                not_before: At(at + 600),
                cleared: fence,
                merged: covers.len() > 1,
                effects: false,
            },
            Event::Committed {
                turn: TurnId(fence.into()),
                fence,
                reply: Some(reply),
                burst,
                run_ms: 0,
                usage: replygate_gate::Usage::default(),
            },
        ]
    }

    fn delivered(reply: ReplyId) -> Event {
        Event::Delivered {
            reply,
            receipt: None,
            how: DeliveredBy::Channel,
        }
    }

    fn receipt(reply: ReplyId, at: i64) -> Receipt {
        let (contact, text, covers) = (String::new(), String::new(), Vec::new());
        Receipt {
            reply,
            seq: 0,
            contact,
            part: 0,
            text,
            covers,
            at: At(at),
        }
    }

    fn steps(events: Vec<(i64, Vec<Event>)>) -> Vec<Step> {
        let step = |(place, (at, events)): (usize, (i64, Vec<Event>))| {
            let (version, at, actor) = (place as u64 + 1, At(at), "test".to_owned());
            Step {
                version,
                at,
                actor,
                events,
            }
        };
        events.into_iter().enumerate().map(step).collect()
    }

    /// A and B are answered one after the other; `end` follows.
    fn pair(covers_of_b: &[MessageId], end: Vec<Event>) -> Vec<Step> {
        steps(vec![
            (0, vec![arrived(A, 0)]),
            (1, vec![taken(A, 1, 1)]),
            (2, written(OF_A, &[A], 1, 2)),
            (300, vec![arrived(B, 300)]),
            (301, vec![taken(B, 2, 301)]),
            (302, written(OF_B, covers_of_b, 2, 302)),
            (1_000, end),
        ])
    }

    fn tally(steps: &[Step], receipts: &[Receipt]) -> Tally {
        let mut tally = Tally::default();
        let accepted = [A, B].into();
        tally.take(
            &Record {
                accepted: &accepted,
                steps,
                receipts,
            },
            600,
        );
        tally
    }

    #[test]
    fn a_release_in_order_breaches_nothing() {
        let mut log = pair(&[B], vec![delivered(OF_A)]);
        log[6].at = At(606);
        log.extend(steps(vec![(908, vec![delivered(OF_B)])]));
        let tally = tally(&log, &[receipt(OF_A, 605), receipt(OF_B, 907)]);
        assert_eq!(tally.breaches, Breaches::default());
        assert_eq!(
            (tally.over_ideal_ms, tally.over_hold_ms),
            (vec![5.0, 7.0], vec![])
        );
        assert_eq!((tally.ends[&ReplyStatus::Delivered], tally.open), (2, 0));
    }

    #[test]
    fn a_reply_that_is_sent_and_cancelled_is_a_breach_whatever_the_log_says_of_it() {
        let by = CancelledBy::Verdict;
        let log = pair(
            &[B],
            vec![Event::Cancelled { reply: OF_A, by }, delivered(OF_B)],
        );
        let tally = tally(&log, &[receipt(OF_A, 605), receipt(OF_B, 907)]);
        assert_eq!(
            tally.breaches,
            Breaches {
                i1: 1,
                ..Breaches::default()
            }
        );
    }

    #[test]
    fn a_part_that_comes_twice_is_a_breach() {
        let log = pair(&[B], vec![delivered(OF_A), delivered(OF_B)]);
        let receipts = [receipt(OF_A, 605), receipt(OF_A, 606), receipt(OF_B, 907)];
        assert_eq!(
            tally(&log, &receipts).breaches,
            Breaches {
                i2: 1,
                ..Breaches::default()
            }
        );
    }

    #[test]
    fn the_second_before_the_first_is_a_breach() {
        let log = pair(&[B], vec![delivered(OF_A), delivered(OF_B)]);
        let receipts = [receipt(OF_B, 907), receipt(OF_A, 908)];
        assert_eq!(
            tally(&log, &receipts).breaches,
            Breaches {
                i3: 1,
                ..Breaches::default()
            }
        );
    }

    #[test]
    fn a_message_in_two_delivered_replies_is_a_breach() {
        let log = pair(&[A, B], vec![delivered(OF_A), delivered(OF_B)]);
        let tally = tally(&log, &[receipt(OF_A, 605), receipt(OF_B, 907)]);
        assert_eq!(
            tally.breaches,
            Breaches {
                i4: 1,
                ..Breaches::default()
            }
        );
    }

    #[test]
    fn a_superseded_reply_whose_messages_nobody_covers_is_a_breach() {
        let gone = Event::Superseded {
            reply: OF_A,
            by: OF_B,
        };
        let log = pair(&[B], vec![gone.clone(), delivered(OF_B)]);
        assert_eq!(tally(&log, &[receipt(OF_B, 907)]).breaches.i5, 1);
        let log = pair(&[A, B], vec![gone, delivered(OF_B)]);
        assert_eq!(
            tally(&log, &[receipt(OF_B, 907)]).breaches,
            Breaches::default()
        );
    }

    #[test]
    fn a_reply_parked_by_a_lock_while_newer_messages_hold_it_is_a_breach() {
        let parked = Event::Parked {
            reply: OF_A,
            reason: ParkReason::LockStuck,
            code: None,
        };
        let log = steps(vec![
            (0, vec![arrived(A, 0), taken(A, 1, 1)]),
            (2, written(OF_A, &[A], 1, 2)),
            (300, vec![arrived(B, 300), parked]),
        ]);
        assert_eq!(tally(&log, &[]).breaches.i6, 1);
    }

    #[test]
    fn a_commit_under_an_old_fence_is_a_breach() {
        let log = steps(vec![
            (0, vec![arrived(A, 0)]),
            (2, written(OF_A, &[A], 1, 2)),
        ]);
        assert_eq!(tally(&log, &[]).breaches.i7, 1);
    }

    #[test]
    fn a_message_that_no_record_mentions_is_lost() {
        let log = steps(vec![(0, vec![arrived(A, 0)])]);
        assert_eq!(tally(&log, &[]).breaches.i8, 2);
    }

    #[test]
    fn what_the_reply_before_it_kept_is_measured_from_there() {
        let log = steps(vec![
            (0, vec![arrived(A, 0), taken(A, 1, 1)]),
            (2, written(OF_A, &[A], 1, 2)),
            (300, vec![arrived(B, 300), taken(B, 2, 301)]),
            (302, written(OF_B, &[B], 2, 302)),
            (2_000, vec![delivered(OF_A)]),
            (2_010, vec![delivered(OF_B)]),
        ]);
        let tally = tally(&log, &[receipt(OF_A, 1_990), receipt(OF_B, 2_004)]);
        assert_eq!(
            (tally.over_ideal_ms, tally.over_hold_ms),
            (vec![1_390.0], vec![4.0])
        );
    }
}
