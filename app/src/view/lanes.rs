//! What happened in a session on one axis of time: who did something when, lane by lane.

use super::At;
use super::stored::stored_words;
use serde::{Deserialize, Serialize};

stored_words! {
    /// Who does something.
    LaneWord {
        /// The customer writes.
        Customer = "customer",
        /// Messages are being collected.
        Debounce = "debounce",
        /// The agent works.
        Agent = "agent",
        /// Replies are judged against newer messages.
        Evaluator = "evaluator",
        /// Replies wait: to be sent, or for a person.
        Outbox = "outbox",
        /// Replies are handed to the channel.
        Channel = "channel",
    }
}

stored_words! {
    /// How something ended, or what it is.
    SpanWord {
        /// A message came in.
        Message = "message",
        /// It goes on.
        Open = "open",
        /// It ended as it should.
        Done = "done",
        /// It was stopped: a turn lost its session, a hand-over was not made.
        Stopped = "stopped",
        /// It failed.
        Failed = "failed",
        /// A verdict let a reply go.
        Release = "release",
        /// A verdict took a reply back.
        Cancel = "cancel",
        /// A verdict merged a reply into the next one.
        Merge = "merge",
        /// The reply was delivered.
        Delivered = "delivered",
        /// The reply was cancelled.
        Cancelled = "cancelled",
        /// A later reply took its place.
        Merged = "merged",
        /// It waits for a person.
        Parked = "parked",
        /// Nobody knows whether it arrived.
        Unknown = "unknown",
        /// It was dropped by a person or by age.
        Dropped = "dropped",
    }
}

/// Something that took time.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Span {
    /// In which lane.
    pub lane: LaneWord,
    /// What, or how it ended.
    pub word: SpanWord,
    /// When it began.
    pub from: At,
    /// When it ended; the time of reading for what goes on.
    pub to: At,
    /// The id of what it is about.
    pub about: Option<String>,
}

/// The lanes of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lanes {
    /// Everything, by beginning.
    pub spans: Vec<Span>,
}

/// A quiet time longer than this is folded, in milliseconds.
const QUIET_MS: i64 = 60_000;
/// A folded time takes as much room as this, in milliseconds.
const FOLD_MS: i64 = 2_000;

/// An axis of time on which long quiet times are folded.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Times between which something happened, in order; they do not touch.
    busy: Vec<(i64, i64)>,
    /// The whole length, folds included, in milliseconds.
    length: i64,
}

impl Axis {
    /// The axis on which these spans lie.
    #[must_use]
    pub fn of(spans: &[Span]) -> Self {
        let mut times: Vec<(i64, i64)> = spans.iter().flat_map(ends).collect();
        times.sort_unstable();
        let mut busy: Vec<(i64, i64)> = Vec::new();
        for (from, to) in times {
            match busy.last_mut() {
                Some(last) if from - last.1 <= QUIET_MS => last.1 = last.1.max(to),
                _ => busy.push((from, to)),
            }
        }
        let folds = busy.len().saturating_sub(1) as i64 * FOLD_MS;
        let length = busy.iter().map(|(from, to)| to - from).sum::<i64>() + folds;
        Self {
            busy,
            length: length.max(1),
        }
    }

    /// The place of an instant, from 0 to 1.
    #[must_use]
    pub fn place(&self, at: At) -> f64 {
        let mut passed = 0;
        for (from, to) in &self.busy {
            if at.0 <= *to {
                passed += (at.0 - from).max(0);
                return passed as f64 / self.length as f64;
            }
            passed += to - from + FOLD_MS;
        }
        1.0
    }

    /// The beginnings of the folds, from 0 to 1.
    pub fn folds(&self) -> impl Iterator<Item = f64> + '_ {
        let ends = self.busy.iter().take(self.busy.len().saturating_sub(1));
        ends.map(|(_, to)| self.place(At(*to)))
    }
}

/// A span that waits long is busy at its ends only.
fn ends(span: &Span) -> Vec<(i64, i64)> {
    let (from, to) = (span.from.0, span.to.0.max(span.from.0));
    if to - from <= QUIET_MS {
        return vec![(from, to)];
    }
    vec![(from, from), (to, to)]
}

#[cfg(test)]
mod tests {
    use super::{Axis, LaneWord, Span, SpanWord};
    use crate::view::At;

    fn span(from: i64, to: i64) -> Span {
        Span {
            lane: LaneWord::Agent,
            word: SpanWord::Done,
            from: At(from),
            to: At(to),
            about: None,
        }
    }

    #[test]
    fn a_long_quiet_time_is_folded() {
        let axis = Axis::of(&[span(0, 4_000), span(3_600_000, 3_604_000)]);
        assert!((axis.place(At(0)) - 0.0).abs() < 1e-9);
        assert!((axis.place(At(4_000)) - 0.4).abs() < 1e-9);
        assert!((axis.place(At(3_600_000)) - 0.6).abs() < 1e-9);
        assert!((axis.place(At(3_604_000)) - 1.0).abs() < 1e-9);
        let folds: Vec<f64> = axis.folds().collect();
        assert_eq!(folds.len(), 1);
        assert!((folds[0] - 0.4).abs() < 1e-9);
    }

    #[test]
    fn what_waits_for_hours_does_not_stretch_the_axis() {
        let axis = Axis::of(&[span(0, 4_000), span(4_000, 7_200_000)]);
        assert!(axis.place(At(4_000)) > 0.5);
        assert!((axis.place(At(7_200_000)) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn an_instant_outside_stays_on_the_axis() {
        let axis = Axis::of(&[span(1_000, 2_000)]);
        assert!((axis.place(At(0)) - 0.0).abs() < 1e-9);
        assert!((axis.place(At(9_000)) - 1.0).abs() < 1e-9);
        assert!((Axis::of(&[]).place(At(5)) - 1.0).abs() < 1e-9);
    }
}
