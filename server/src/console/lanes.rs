//! A session's steps as lanes of time. Pure: steps and a time in, spans out.

use std::collections::HashMap;
use std::fmt::Display;

use replygate_app::view::{LaneWord, Lanes, Span, SpanWord};
use replygate_gate::{At, Decision, Event, ReplyId, TurnLoss};
use replygate_ports::store::Step;

use super::at;

/// The lanes of these steps, whatever their order; what goes on ends at `now`.
pub(super) fn lanes(steps: &[Step], now: At) -> Lanes {
    let mut steps: Vec<&Step> = steps.iter().collect();
    steps.sort_by_key(|step| step.version);
    let mut drawing = Drawing::default();
    for step in steps {
        for event in &step.events {
            drawing.tell(step.at, event);
        }
    }
    drawing.ended(now)
}

/// Spans that are over, and beginnings of those that are not.
#[derive(Default)]
struct Drawing {
    spans: Vec<Span>,
    window: Option<At>,
    turns: HashMap<u64, At>,
    waiting: HashMap<ReplyId, At>,
    sending: HashMap<ReplyId, At>,
}

impl Drawing {
    fn tell(&mut self, now: At, event: &Event) {
        match event {
            Event::Arrived { message, at, .. } => {
                self.add(LaneWord::Customer, SpanWord::Message, *at, *at, message);
                self.window.get_or_insert(*at);
            }
            Event::Taken { fence, .. } => {
                if let Some(from) = self.window.take() {
                    self.add(LaneWord::Debounce, SpanWord::Done, from, now, &"");
                }
                self.turns.insert(*fence, now);
            }
            Event::Dropped { .. } => {
                if let Some(from) = self.window.take() {
                    self.add(LaneWord::Debounce, SpanWord::Stopped, from, now, &"");
                }
            }
            Event::Committed { fence, turn, .. } => self.turn(*fence, SpanWord::Done, now, turn),
            Event::TurnFailed { fence, turn, .. } => {
                self.turn(*fence, SpanWord::Failed, now, turn);
            }
            Event::TurnLost {
                fence,
                turn,
                reason,
                ..
            } => self.turn(*fence, lost(*reason), now, turn),
            Event::Judged { judgement, .. } => {
                let word = match judgement.decision {
                    Decision::ReleaseFirst => SpanWord::Release,
                    Decision::CancelFirst => SpanWord::Cancel,
                    Decision::Merge => SpanWord::Merge,
                };
                let from = now.minus(judgement.took_ms);
                self.add(LaneWord::Evaluator, word, from, now, &judgement.reply);
            }
            other => self.tell_of_reply(now, other),
        }
    }

    fn tell_of_reply(&mut self, now: At, event: &Event) {
        match event {
            Event::Replied { reply, at, .. } | Event::Requeued { reply, at, .. } => {
                self.waits(*reply, SpanWord::Done, now);
                self.waiting.insert(*reply, *at);
            }
            Event::Claimed { reply, .. } => {
                self.sending.insert(*reply, now);
            }
            Event::Delivered { reply, .. } => {
                self.sent(*reply, SpanWord::Delivered, now);
                self.waits(*reply, SpanWord::Delivered, now);
            }
            Event::NotSent { reply, .. } => self.sent(*reply, SpanWord::Stopped, now),
            Event::AttemptFailed { reply, .. } => self.sent(*reply, SpanWord::Failed, now),
            Event::OutcomeUnknown { reply, .. } => {
                self.sent(*reply, SpanWord::Unknown, now);
                self.waits(*reply, SpanWord::Unknown, now);
            }
            Event::Parked { reply, .. } => {
                self.sent(*reply, SpanWord::Failed, now);
                self.waits(*reply, SpanWord::Parked, now);
            }
            Event::Cancelled { reply, .. } => self.waits(*reply, SpanWord::Cancelled, now),
            Event::Superseded { reply, .. } => self.waits(*reply, SpanWord::Merged, now),
            Event::Discarded { reply } | Event::Expired { reply } => {
                self.waits(*reply, SpanWord::Dropped, now);
            }
            _ => {}
        }
    }

    fn turn(&mut self, fence: u64, word: SpanWord, now: At, turn: &replygate_gate::TurnId) {
        if let Some(from) = self.turns.remove(&fence) {
            self.add(LaneWord::Agent, word, from, now, turn);
        }
    }

    fn waits(&mut self, reply: ReplyId, word: SpanWord, now: At) {
        if let Some(from) = self.waiting.remove(&reply) {
            self.add(LaneWord::Outbox, word, from, now, &reply);
        }
    }

    fn sent(&mut self, reply: ReplyId, word: SpanWord, now: At) {
        if let Some(from) = self.sending.remove(&reply) {
            self.add(LaneWord::Channel, word, from, now, &reply);
        }
    }

    fn add(&mut self, lane: LaneWord, word: SpanWord, from: At, to: At, about: &dyn Display) {
        let about = about.to_string();
        self.spans.push(Span {
            lane,
            word,
            from: at(from),
            to: at(to.max(from)),
            about: Some(about).filter(|about| !about.is_empty()),
        });
    }

    fn ended(mut self, now: At) -> Lanes {
        let open = SpanWord::Open;
        if let Some(from) = self.window.take() {
            self.add(LaneWord::Debounce, open, from, now, &"");
        }
        for (_, from) in std::mem::take(&mut self.turns) {
            self.add(LaneWord::Agent, open, from, now, &"");
        }
        for (reply, from) in std::mem::take(&mut self.waiting) {
            self.add(LaneWord::Outbox, open, from, now, &reply);
        }
        for (reply, from) in std::mem::take(&mut self.sending) {
            self.add(LaneWord::Channel, open, from, now, &reply);
        }
        self.spans
            .sort_by(|a, b| (a.from, a.lane, &a.about).cmp(&(b.from, b.lane, &b.about)));
        Lanes { spans: self.spans }
    }
}

const fn lost(reason: TurnLoss) -> SpanWord {
    match reason {
        TurnLoss::LeaseEnded => SpanWord::Failed,
        TurnLoss::Command
        | TurnLoss::Takeover
        | TurnLoss::HandedBack
        | TurnLoss::Interrupted
        | TurnLoss::RolledBack
        | TurnLoss::Judged => SpanWord::Stopped,
    }
}

#[cfg(test)]
mod tests {
    use replygate_gate::debounce::Signal;
    use replygate_gate::{Author, ClaimToken, DeliveredBy, MessageId, TurnId, Usage};

    use super::*;

    fn step(version: u64, at: i64, event: Event) -> Step {
        Step {
            version,
            at: At(at),
            actor: "stage".to_owned(),
            events: vec![event],
        }
    }

    fn story() -> Vec<Step> {
        let (message, reply, turn) = (MessageId(1), ReplyId(2), TurnId(3));
        vec![
            step(
                1,
                0,
                Event::Arrived {
                    message,
                    at: At(0),
                    signal: Signal::Closed,
                    dangles: false,
                    edit_of: None,
                    due: At(1_200),
                    awaited: None,
                },
            ),
            step(
                2,
                1_200,
                Event::Taken {
                    turn,
                    fence: 1,
                    until: At(9_000),
                    base: At(1_200),
                    burst: vec![message],
                    rerun: None,
                    effects: false,
                    stopping: false,
                },
            ),
            step(
                3,
                2_000,
                Event::Committed {
                    turn,
                    fence: 1,
                    reply: Some(reply),
                    burst: vec![message],
                    run_ms: 800,
                    usage: Usage::default(),
                },
            ),
            step(
                4,
                2_000,
                Event::Replied {
                    reply,
                    seq: 1,
                    author: Author::Agent,
                    covers: vec![message],
                    parts: 1,
                    at: At(2_000),
                    not_before: At(2_600),
                    cleared: 1,
                    merged: false,
                    effects: false,
                },
            ),
            step(
                5,
                2_600,
                Event::Claimed {
                    reply,
                    token: ClaimToken(4),
                    until: At(9_000),
                },
            ),
            step(
                6,
                2_700,
                Event::Delivered {
                    reply,
                    receipt: None,
                    how: DeliveredBy::Channel,
                },
            ),
        ]
    }

    #[test]
    fn a_plain_exchange_goes_through_every_lane_in_order() {
        let drawn = lanes(&story(), At(5_000));
        let told: Vec<_> = drawn
            .spans
            .iter()
            .map(|span| (span.lane, span.word, span.from.0, span.to.0))
            .collect();
        let expected = [
            (LaneWord::Customer, SpanWord::Message, 0, 0),
            (LaneWord::Debounce, SpanWord::Done, 0, 1_200),
            (LaneWord::Agent, SpanWord::Done, 1_200, 2_000),
            (LaneWord::Outbox, SpanWord::Delivered, 2_000, 2_700),
            (LaneWord::Channel, SpanWord::Delivered, 2_600, 2_700),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn what_goes_on_ends_now_and_the_order_of_steps_does_not_matter() {
        let mut unfinished = story();
        unfinished.truncate(5);
        unfinished.reverse();
        let drawn = lanes(&unfinished, At(5_000));
        let open: Vec<_> = drawn
            .spans
            .iter()
            .filter(|span| span.word == SpanWord::Open)
            .map(|span| (span.lane, span.to.0))
            .collect();
        assert_eq!(
            open,
            [(LaneWord::Outbox, 5_000), (LaneWord::Channel, 5_000)]
        );
    }
}
