//! What a setting makes of messages whose times are known: which of them one turn answers, and when that turn begins. Pure;
//! the lab of the console and the replay of recorded messages stand on it.

use serde::{Deserialize, Serialize};

use super::{Signal, Windows, due};

/// A message by its time and how it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timed {
    /// When it came, in milliseconds on any scale.
    pub at: i64,
    /// How it ends.
    pub signal: Signal,
}

/// Why a burst was over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BurstEnd {
    /// The window of its last message passed in silence.
    Quiet,
    /// The longest wait from its first message was over.
    MaxWait,
    /// It held as many messages as a burst may.
    Full,
    /// A control command dropped it: no turn answers it.
    Command,
}

/// Messages that one turn answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Burst {
    /// The place of its first message among all of them.
    pub first: usize,
    /// One past the place of its last.
    pub end: usize,
    /// When it was over, on the scale of its messages.
    pub over: i64,
    /// Why.
    pub ended: BurstEnd,
}

impl Burst {
    /// How many messages it holds.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.end - self.first
    }

    /// Whether it holds none; a burst never does.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.end == self.first
    }
}

/// The bursts of these messages, which are in order of time. A message that comes when its burst is due begins a new one. How
/// long turns take is no part of it.
#[must_use]
pub fn bursts(messages: &[Timed], windows: &Windows) -> Vec<Burst> {
    let mut found: Vec<Burst> = Vec::new();
    let mut is_open = false;
    for (place, message) in messages.iter().enumerate() {
        let joins = is_open && found.last().is_some_and(|burst| burst.over > message.at);
        let first = match found.last() {
            Some(burst) if joins => burst.first,
            _ => place,
        };
        let burst = grown(messages, first, place, windows);
        is_open = matches!(burst.ended, BurstEnd::Quiet | BurstEnd::MaxWait);
        if joins {
            found.pop();
        }
        found.push(burst);
    }
    found
}

/// The burst from `first` to `last`, as it is if nothing else comes.
fn grown(messages: &[Timed], first: usize, last: usize, windows: &Windows) -> Burst {
    let (began, newest) = (messages[first].at, messages[last]);
    let count = last + 1 - first;
    let signal = newest.signal;
    let over = due(began, newest.at, count as u32, signal, windows).max(newest.at);
    let quiet = newest.at.saturating_add_unsigned(windows.window(signal));
    let ended = if signal == Signal::Command {
        BurstEnd::Command
    } else if count >= windows.max_messages as usize {
        BurstEnd::Full
    } else if over < quiet {
        BurstEnd::MaxWait
    } else {
        BurstEnd::Quiet
    };
    Burst {
        first,
        end: last + 1,
        over,
        ended,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timed(messages: &[(i64, Signal)]) -> Vec<Timed> {
        let each = messages.iter();
        each.map(|(at, signal)| Timed {
            at: *at,
            signal: *signal,
        })
        .collect()
    }

    fn told(messages: &[(i64, Signal)], windows: &Windows) -> Vec<(usize, usize, i64, BurstEnd)> {
        let found = bursts(&timed(messages), windows);
        let each = found.iter();
        each.map(|burst| (burst.first, burst.end, burst.over, burst.ended))
            .collect()
    }

    #[test]
    fn a_message_within_the_window_joins_and_one_behind_it_does_not() {
        let messages = [
            (0, Signal::Greeting),
            (3_000, Signal::Dangling),
            (6_900, Signal::Closed),
            (8_100, Signal::Closed),
        ];
        assert_eq!(
            told(&messages, &Windows::default()),
            [
                // Five of the last window have passed by then.
                (0, 3, 6_900, BurstEnd::MaxWait),
                (3, 4, 9_300, BurstEnd::Quiet)
            ]
        );
    }

    #[test]
    fn a_burst_ends_when_it_is_full_or_when_its_longest_wait_is_over() {
        let narrow = Windows {
            max_messages: 2,
            max_wait_ms: Some(2_000),
            ..Windows::default()
        };
        let messages = [
            (0, Signal::Neutral),
            (500, Signal::Neutral),
            (600, Signal::Dangling),
        ];
        assert_eq!(
            told(&messages, &narrow),
            [
                (0, 2, 500, BurstEnd::Full),
                (2, 3, 2_600, BurstEnd::MaxWait)
            ]
        );
    }

    #[test]
    fn a_command_drops_what_waits_and_nothing_joins_it() {
        let messages = [
            (0, Signal::Dangling),
            (900, Signal::Command),
            (950, Signal::Closed),
        ];
        assert_eq!(
            told(&messages, &Windows::default()),
            [
                (0, 2, 900, BurstEnd::Command),
                (2, 3, 2_150, BurstEnd::Quiet)
            ]
        );
    }

    #[test]
    fn without_debounce_every_message_is_a_burst_at_once() {
        let off = Windows {
            enabled: false,
            ..Windows::default()
        };
        let messages = [(0, Signal::Dangling), (10, Signal::Neutral)];
        let found = told(&messages, &off);
        assert_eq!(
            found.iter().map(|burst| burst.2).collect::<Vec<_>>(),
            [0, 10]
        );
    }
}
