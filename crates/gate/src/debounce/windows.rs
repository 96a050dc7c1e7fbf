//! How long the debounce waits. Pure arithmetic in milliseconds; it never reads a clock.

use serde::{Deserialize, Serialize};

use super::Signal;

/// The longest wait from the first message when `max_wait_ms` is not set. A person who keeps writing is answered within a quarter of a minute.
const DEFAULT_CAP_MS: u64 = 15_000;
/// Without `max_wait_ms`, a burst may last this many windows.
const WINDOWS_PER_BURST: u64 = 5;
/// The largest window or maximum wait that settings may ask for.
const LONGEST_MS: u32 = 120_000;
/// The largest number of messages in a burst that settings may ask for.
const MOST_MESSAGES: u32 = 1_000;

/// The debounce settings of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Windows {
    /// Off: every message is its own burst, at once.
    pub enabled: bool,
    /// After a complete sentence, in milliseconds.
    pub closed_ms: u32,
    /// Without a sign either way, in milliseconds.
    pub neutral_ms: u32,
    /// After a greeting alone, in milliseconds.
    pub greeting_ms: u32,
    /// After a visibly unfinished message or one without words, in milliseconds.
    pub dangling_ms: u32,
    /// The longest wait counted from the first message, in milliseconds. Not set: five windows, at most 15 s.
    pub max_wait_ms: Option<u32>,
    /// A burst of this many messages is over at once; nothing is discarded.
    pub max_messages: u32,
}

impl Default for Windows {
    fn default() -> Self {
        Self {
            enabled: true,
            closed_ms: 1_200,
            neutral_ms: 2_500,
            greeting_ms: 4_000,
            dangling_ms: 4_000,
            max_wait_ms: None,
            max_messages: 20,
        }
    }
}

/// A debounce setting out of its range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("debounce.{key} is {value}; allowed is {allowed}")]
pub struct SettingError {
    /// The setting's name.
    pub key: &'static str,
    /// The value it has.
    pub value: u32,
    /// What it may be, in words.
    pub allowed: &'static str,
}

impl Windows {
    /// All settings that are out of range.
    pub fn validate(&self) -> Result<(), Vec<SettingError>> {
        let windows = [
            ("closed_ms", self.closed_ms),
            ("neutral_ms", self.neutral_ms),
            ("greeting_ms", self.greeting_ms),
            ("dangling_ms", self.dangling_ms),
        ];
        let mut errors: Vec<SettingError> = windows
            .into_iter()
            .filter(|(_, value)| *value > LONGEST_MS)
            .map(|(key, value)| SettingError {
                key,
                value,
                allowed: "0 to 120000 milliseconds",
            })
            .collect();
        if let Some(value) = self
            .max_wait_ms
            .filter(|wait| !(1..=LONGEST_MS).contains(wait))
        {
            errors.push(SettingError {
                key: "max_wait_ms",
                value,
                allowed: "1 to 120000 milliseconds, or not set",
            });
        }
        if !(1..=MOST_MESSAGES).contains(&self.max_messages) {
            errors.push(SettingError {
                key: "max_messages",
                value: self.max_messages,
                allowed: "1 to 1000 messages",
            });
        }
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }

    /// How long to wait for another message after one with this signal, in milliseconds. Nothing when the debounce is off.
    #[must_use]
    pub fn window(&self, signal: Signal) -> u64 {
        if !self.enabled {
            return 0;
        }
        u64::from(match signal {
            Signal::Command => 0,
            Signal::Greeting => self.greeting_ms,
            Signal::Media | Signal::Dangling => self.dangling_ms,
            Signal::Closed => self.closed_ms,
            Signal::Neutral => self.neutral_ms,
        })
    }

    /// The longest wait from the first message of a burst whose newest message has this window, in milliseconds.
    #[must_use]
    pub fn max_wait(&self, window: u64) -> u64 {
        if !self.enabled {
            return 0;
        }
        self.max_wait_ms.map_or_else(
            || (WINDOWS_PER_BURST * window).min(DEFAULT_CAP_MS),
            u64::from,
        )
    }
}

/// When a burst is over, in the same milliseconds as its arguments. `first_uncovered_at` is the arrival of the oldest message that waits, `last_at`
/// that of the newest, `count` how many wait, `signal` that of the newest. A time at or before `last_at` means: now.
#[must_use]
pub fn due(
    first_uncovered_at: i64,
    last_at: i64,
    count: u32,
    signal: Signal,
    windows: &Windows,
) -> i64 {
    if count >= windows.max_messages {
        return last_at;
    }
    let window = windows.window(signal);
    let quiet = last_at.saturating_add_unsigned(window);
    quiet.min(first_uncovered_at.saturating_add_unsigned(windows.max_wait(window)))
}

/// Until when a burst waits at most for what is known to be on its way, such as a transcript, in the same milliseconds as
/// `first_uncovered_at`: as long as for somebody in the middle of a sentence.
#[must_use]
pub fn latest(first_uncovered_at: i64, windows: &Windows) -> i64 {
    let window = windows.window(Signal::Dangling);
    first_uncovered_at.saturating_add_unsigned(windows.max_wait(window))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_out_of_range_is_named_with_what_is_allowed() {
        let wrong = Windows {
            closed_ms: 500_000,
            max_messages: 0,
            max_wait_ms: Some(0),
            ..Windows::default()
        };
        let errors = wrong.validate().unwrap_err();
        assert_eq!(
            errors.iter().map(|e| e.key).collect::<Vec<_>>(),
            ["closed_ms", "max_wait_ms", "max_messages"]
        );
        assert_eq!(
            errors[0].to_string(),
            "debounce.closed_ms is 500000; allowed is 0 to 120000 milliseconds"
        );
        assert_eq!(Windows::default().validate(), Ok(()));
    }

    #[test]
    fn an_unknown_setting_is_refused() {
        let error = serde_json::from_str::<Windows>(r#"{"closd_ms": 3}"#).unwrap_err();
        assert!(error.to_string().contains("closd_ms"));
    }

    #[test]
    fn a_full_burst_is_over_at_its_last_message() {
        assert_eq!(due(0, 700, 20, Signal::Dangling, &Windows::default()), 700);
        assert_eq!(
            due(0, 700, 19, Signal::Dangling, &Windows::default()),
            4_700
        );
    }

    #[test]
    fn without_debounce_a_message_is_due_at_once() {
        let off = Windows {
            enabled: false,
            ..Windows::default()
        };
        assert_eq!(due(500, 500, 1, Signal::Greeting, &off), 500);
    }

    #[test]
    fn a_writer_who_never_pauses_is_answered_after_five_windows() {
        assert_eq!(
            due(0, 12_000, 7, Signal::Neutral, &Windows::default()),
            12_500
        );
        assert_eq!(
            due(0, 14_000, 8, Signal::Dangling, &Windows::default()),
            15_000
        );
    }
}
