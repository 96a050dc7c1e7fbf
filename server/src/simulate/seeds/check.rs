//! Whether a story ended as it had to. Times may be off by [`TOLERANCE_MS`], counts and orders by nothing.

use std::collections::BTreeMap;

use replygate_gate::{At, Event, MessageId, ParkReason, ReplyId, ReplyStatus, Session, evolve};
use replygate_ports::store::Step;

use super::story::{ATTEMPTS_MS, DELAY_MS, Debounce, Ending, Story};
use super::timeline::tried_at;
use crate::simulate::endpoint::Receipt;

/// How far a time may be off either way, in milliseconds: a small machine may be busy.
const TOLERANCE_MS: u64 = 150;

/// A story as it was played.
pub(super) struct Heard<'a> {
    /// What was sent, in order.
    pub(super) messages: &'a [MessageId],
    /// The session's log.
    pub(super) steps: &'a [Step],
    /// What the deliver address got.
    pub(super) receipts: &'a [Receipt],
}

/// What the log says, as far as it is checked.
#[derive(Default)]
struct Facts {
    received: BTreeMap<MessageId, At>,
    closes: BTreeMap<MessageId, At>,
    covers: BTreeMap<ReplyId, Vec<MessageId>>,
    run_ms: BTreeMap<ReplyId, u64>,
    cancelled: Vec<ReplyId>,
    merged: Vec<ReplyId>,
    attempts: Vec<At>,
    parked: Vec<(ReplyId, ParkReason, At)>,
}

impl Facts {
    fn of(steps: &[Step]) -> Self {
        let mut facts = Self::default();
        let mut session = Session::default();
        for step in steps {
            for event in &step.events {
                facts.learn(step.at, event, &session);
                session = evolve(session, event);
            }
        }
        facts
    }

    fn learn(&mut self, at: At, event: &Event, before: &Session) {
        match event {
            Event::Arrived {
                message, at, due, ..
            } => {
                self.received.insert(*message, *at);
                self.closes.insert(*message, *due);
            }
            Event::Replied { reply, covers, .. } => {
                self.covers.insert(*reply, covers.clone());
            }
            Event::Committed {
                reply: Some(reply),
                run_ms,
                ..
            } => {
                self.run_ms.insert(*reply, *run_ms);
            }
            Event::Cancelled { reply, .. } => self.cancelled.push(*reply),
            Event::Superseded { reply, .. } => self.merged.push(*reply),
            Event::AttemptBlocked { reply, .. } => {
                self.attempts.push(tried_at(at, *reply, before));
            }
            Event::Parked { reply, reason, .. } => {
                self.parked
                    .push((*reply, *reason, tried_at(at, *reply, before)));
            }
            _ => {}
        }
    }

    fn covers(&self, reply: ReplyId) -> &[MessageId] {
        self.covers.get(&reply).map_or(&[], Vec::as_slice)
    }
}

/// Everything that differs, in words.
pub(super) fn check(story: &Story, heard: &Heard<'_>) -> Vec<String> {
    let mut check = Check {
        story,
        heard,
        facts: Facts::of(heard.steps),
        differs: Vec::new(),
    };
    match story.ending {
        Ending::Release => check.release(),
        Ending::Cancel => check.cancel(),
        Ending::Merge => check.merge(),
        Ending::Lock => check.lock(),
    }
    check.differs
}

struct Check<'a> {
    story: &'a Story,
    heard: &'a Heard<'a>,
    facts: Facts,
    differs: Vec<String>,
}

impl Check<'_> {
    fn release(&mut self) {
        let (a, b) = self.pair();
        self.replies(2);
        self.delivered(&[&[a], &[b]]);
        self.ends(ReplyStatus::Cancelled, None);
        self.ends(ReplyStatus::Superseded, None);
        if self.story.debounce == Debounce::On {
            self.left_before_window(b);
        }
    }

    fn cancel(&mut self) {
        let (a, b) = self.pair();
        self.replies(2);
        self.delivered(&[&[b]]);
        self.ends(ReplyStatus::Cancelled, Some(a));
        self.ends(ReplyStatus::Superseded, None);
    }

    fn merge(&mut self) {
        let (a, b) = self.pair();
        self.replies(2);
        self.delivered(&[&[a, b]]);
        self.ends(ReplyStatus::Superseded, Some(a));
        self.ends(ReplyStatus::Cancelled, None);
    }

    fn lock(&mut self) {
        self.replies(1);
        self.delivered(&[]);
        let start = self
            .heard
            .messages
            .first()
            .and_then(|a| self.facts.received.get(a))
            .copied();
        let start = start.unwrap_or_default();
        let mut tries = self.facts.attempts.clone();
        let parked: Vec<_> = self
            .facts
            .parked
            .iter()
            .map(|(_, reason, at)| (*reason, *at))
            .collect();
        match parked.as_slice() {
            [(ParkReason::LockStuck, at)] => tries.push(*at),
            [] => self.differs.push("the reply was not parked".to_owned()),
            [(reason, _), ..] => {
                self.differs
                    .push(format!("parked for `{reason}`, expected `lock_stuck` once"));
            }
        }
        if tries.len() != ATTEMPTS_MS.len() {
            let (found, wanted) = (tries.len(), ATTEMPTS_MS.len());
            self.differs
                .push(format!("{found} attempts met the lock, expected {wanted}"));
        }
        for (nth, (at, wanted)) in tries.iter().zip(ATTEMPTS_MS).enumerate() {
            self.near(&format!("attempt {}", nth + 1), at.since(start), wanted);
        }
    }

    fn pair(&self) -> (MessageId, MessageId) {
        let id = |place: usize| self.heard.messages.get(place).copied().unwrap_or_default();
        (id(0), id(1))
    }

    fn replies(&mut self, wanted: usize) {
        let found = self.facts.covers.len();
        if found != wanted {
            self.differs
                .push(format!("{found} replies were written, expected {wanted}"));
        }
    }

    /// Exactly these were delivered, in this order, each on time.
    fn delivered(&mut self, wanted: &[&[MessageId]]) {
        let found = self.heard.receipts;
        if found.len() != wanted.len() {
            let (found, wanted) = (found.len(), wanted.len());
            self.differs
                .push(format!("{found} hand-overs, expected {wanted}"));
        }
        for (nth, (receipt, covers)) in found.iter().zip(wanted).enumerate() {
            if receipt.covers != *covers {
                let (found, wanted) = (receipt.covers.len(), covers.len());
                self.differs.push(format!(
                    "hand-over {} answers {found} messages, expected {wanted} others or the same ones",
                    nth + 1
                ));
            }
            if let Some(wanted) = self.due(receipt) {
                let found = receipt.at.since(self.start());
                self.near(&format!("hand-over {}", nth + 1), found, wanted);
            }
        }
    }

    /// Last message received + window + the agent's run + delay, since the start.
    fn due(&self, receipt: &Receipt) -> Option<u64> {
        let covers = self.facts.covers(receipt.reply);
        let last = *covers
            .iter()
            .max_by_key(|message| self.facts.received.get(message))?;
        let place = self
            .heard
            .messages
            .iter()
            .position(|message| *message == last)?;
        let received = self.facts.received.get(&last)?.since(self.start());
        let run = self.facts.run_ms.get(&receipt.reply)?;
        Some(received + self.story.window_ms(place) + run + DELAY_MS)
    }

    fn start(&self) -> At {
        let first = self.heard.messages.first();
        first
            .and_then(|first| self.facts.received.get(first))
            .copied()
            .unwrap_or_default()
    }

    /// Cancelled or superseded were: none, or the one that answered `message` alone.
    fn ends(&mut self, how: ReplyStatus, message: Option<MessageId>) {
        let replies = match how {
            ReplyStatus::Cancelled => &self.facts.cancelled,
            _ => &self.facts.merged,
        };
        let found: Vec<&[MessageId]> = replies
            .iter()
            .map(|reply| self.facts.covers(*reply))
            .collect();
        let wanted: Vec<&[MessageId]> = message
            .as_ref()
            .map(std::slice::from_ref)
            .into_iter()
            .collect();
        if found != wanted {
            let (found, wanted) = (found.len(), wanted.len());
            self.differs.push(format!(
                "{found} replies were {how}, expected {wanted} (of A alone)"
            ));
        }
    }

    fn left_before_window(&mut self, message: MessageId) {
        let closes = self.facts.closes.get(&message).copied().unwrap_or_default();
        if self
            .heard
            .receipts
            .first()
            .is_some_and(|first| first.at >= closes)
        {
            self.differs
                .push("A waited for the window of an unrelated B".to_owned());
        }
    }

    fn near(&mut self, what: &str, found: u64, wanted: u64) {
        if found.abs_diff(wanted) > TOLERANCE_MS {
            self.differs.push(format!(
                "{what} at {found} ms, expected {wanted} ms within {TOLERANCE_MS} ms"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use replygate_gate::debounce::Signal;
    use replygate_gate::{Author, CancelledBy, TurnId};

    use super::*;
    use crate::simulate::seeds::STORIES;

    const A: MessageId = MessageId(1);
    const B: MessageId = MessageId(2);
    const OF_A: ReplyId = ReplyId(11);
    const OF_B: ReplyId = ReplyId(12);

    fn step(version: u64, at: i64, events: Vec<Event>) -> Step {
        let actor = "test".to_owned();
        Step {
            version,
            at: At(at),
            actor,
            events,
        }
    }

    fn arrived(message: MessageId, at: i64, due: i64) -> Event {
        let (signal, dangles, edit_of) = (Signal::Closed, false, None);
        Event::Arrived {
            message,
            at: At(at),
            signal,
            dangles,
            edit_of,
            due: At(due),
        }
    }

    fn written(reply: ReplyId, covers: &[MessageId], seq: u64, at: i64) -> Vec<Event> {
        let (turn, fence) = (TurnId(seq.into()), seq);
        let burst = vec![*covers.last().unwrap()];
        vec![
            Event::Taken {
                turn,
                fence,
                until: At(at + 9_000),
                base: At(at),
                burst: burst.clone(),
                rerun: None,
                effects: false,
            },
            Event::Replied {
                reply,
                seq,
                author: Author::Agent,
                covers: covers.to_vec(),
                parts: 1,
                at: At(at),
                not_before: At(at + 600),
                cleared: seq,
                merged: covers.len() > 1,
                effects: false,
            },
            Event::Committed {
                turn,
                fence,
                reply: Some(reply),
                burst,
                run_ms: 0,
                usage: replygate_gate::Usage::default(),
            },
        ]
    }

    fn receipt(reply: ReplyId, covers: &[MessageId], at: i64) -> Receipt {
        let (contact, text) = (String::new(), String::new());
        Receipt {
            reply,
            seq: 0,
            contact,
            part: 0,
            text,
            covers: covers.to_vec(),
            at: At(at),
        }
    }

    fn played(ending: &[Event], covers_of_b: &[MessageId]) -> Vec<Step> {
        let mut last = written(OF_B, covers_of_b, 2, 300);
        last.extend_from_slice(ending);
        vec![
            step(1, 0, vec![arrived(A, 0, 0)]),
            step(2, 1, written(OF_A, &[A], 1, 0)),
            step(3, 300, vec![arrived(B, 300, 300)]),
            step(4, 302, last),
        ]
    }

    fn differs(name: &str, steps: &[Step], receipts: &[Receipt]) -> Vec<String> {
        let story = STORIES.iter().find(|story| story.name == name).unwrap();
        check(
            story,
            &Heard {
                messages: &[A, B],
                steps,
                receipts,
            },
        )
    }

    #[test]
    fn a_release_in_order_and_on_time_is_right() {
        let receipts = [receipt(OF_A, &[A], 606), receipt(OF_B, &[B], 891)];
        assert_eq!(differs("release", &played(&[], &[B]), &receipts), [""; 0]);
    }

    #[test]
    fn a_release_in_the_other_order_or_late_differs() {
        let receipts = [receipt(OF_B, &[B], 891), receipt(OF_A, &[A], 606)];
        assert!(!differs("release", &played(&[], &[B]), &receipts).is_empty());
        let receipts = [receipt(OF_A, &[A], 751), receipt(OF_B, &[B], 891)];
        assert_eq!(
            differs("release", &played(&[], &[B]), &receipts),
            ["hand-over 1 at 751 ms, expected 600 ms within 150 ms"]
        );
    }

    #[test]
    fn a_cancelled_reply_that_is_delivered_all_the_same_differs() {
        let by = CancelledBy::Verdict;
        let steps = played(&[Event::Cancelled { reply: OF_A, by }], &[B]);
        assert_eq!(
            differs("cancel", &steps, &[receipt(OF_B, &[B], 892)]),
            [""; 0]
        );
        let both = [receipt(OF_A, &[A], 606), receipt(OF_B, &[B], 892)];
        assert!(!differs("cancel", &steps, &both).is_empty());
        assert!(!differs("cancel", &played(&[], &[B]), &both).is_empty());
    }

    #[test]
    fn a_merge_is_one_reply_to_both() {
        let steps = played(
            &[Event::Superseded {
                reply: OF_A,
                by: OF_B,
            }],
            &[A, B],
        );
        assert_eq!(
            differs("merge", &steps, &[receipt(OF_B, &[A, B], 893)]),
            [""; 0]
        );
        assert!(!differs("merge", &steps, &[receipt(OF_B, &[B], 893)]).is_empty());
    }

    #[test]
    fn a_lock_is_met_three_times_and_then_the_reply_is_parked() {
        let blocked = |attempt, due| Event::AttemptBlocked {
            reply: OF_A,
            attempt,
            not_before: At(due),
        };
        let parked = Event::Parked {
            reply: OF_A,
            reason: ParkReason::LockStuck,
            code: None,
        };
        let mut steps = vec![
            step(1, 0, vec![arrived(A, 0, 0)]),
            step(2, 1, written(OF_A, &[A], 1, 0)),
            step(3, 560, vec![blocked(1, 900)]),
            step(4, 860, vec![blocked(2, 1_500)]),
            step(5, 1_501, vec![blocked(3, 2_700)]),
        ];
        assert_eq!(
            differs("lock", &steps, &[]),
            [
                "the reply was not parked",
                "3 attempts met the lock, expected 4"
            ]
        );
        steps.push(step(6, 2_660, vec![parked]));
        assert_eq!(differs("lock", &steps, &[]), [""; 0]);
    }
}
