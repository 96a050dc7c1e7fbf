//! The debounce lab: a setting that is tried out, on sentences with times and on what was recorded.
//!
//! What a setting makes of sentences is computed by the rules of the gate in whichever half shows the page.

use super::query::Query;
use super::stored::stored_words;
use super::{At, ChannelId, ChannelRef, ConsoleError, SessionId, SettingValue, SettingsVersion};
use replygate_gate::control::ControlCommands;
use replygate_gate::debounce::{Burst, Explanation, Sample, Timed, Windows, bursts, explain};
use replygate_gate::text::Languages;
use serde::{Deserialize, Serialize};

/// The keys that the lab tries, in the order of its form.
pub const LAB_KEYS: [&str; 7] = [
    "debounce.enabled",
    "debounce.closed_ms",
    "debounce.neutral_ms",
    "debounce.greeting_ms",
    "debounce.dangling_ms",
    "debounce.max_wait_ms",
    "debounce.max_messages",
];

/// What the lab stands on: the setting in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabSetting {
    /// The channel.
    pub channel: ChannelRef,
    /// The version in force.
    pub version: SettingsVersion,
    /// Its windows.
    pub windows: Windows,
    /// The channel's control commands.
    pub commands: ControlCommands,
    /// The version before, to which one click leads back.
    pub earlier: Option<u32>,
}

/// The windows as a form writes them, in the order of [`LAB_KEYS`].
#[must_use]
pub fn written(windows: &Windows) -> [String; 7] {
    [
        windows.enabled.to_string(),
        windows.closed_ms.to_string(),
        windows.neutral_ms.to_string(),
        windows.greeting_ms.to_string(),
        windows.dangling_ms.to_string(),
        windows
            .max_wait_ms
            .map(|ms| ms.to_string())
            .unwrap_or_default(),
        windows.max_messages.to_string(),
    ]
}

/// What a window may be.
const WINDOW: &str = "0 to 120000 milliseconds";

/// The windows that a form means; what it leaves out is as in `base`. The first value that is not allowed is a
/// [`ConsoleError::Invalid`] with its key.
pub fn proposed(base: &Windows, typed: &[SettingValue]) -> Result<Windows, ConsoleError> {
    let mut windows = *base;
    for SettingValue { key, value } in typed {
        let value = value.trim();
        let wrong = |allowed: &str| ConsoleError::Invalid {
            field: key.clone(),
            value: value.chars().take(64).collect(),
            allowed: allowed.to_owned(),
        };
        let number = |allowed: &str| value.parse::<u32>().map_err(|_| wrong(allowed));
        match key.as_str() {
            "debounce.enabled" => {
                windows.enabled = value.parse().map_err(|_| wrong("true, false"))?;
            }
            "debounce.closed_ms" => windows.closed_ms = number(WINDOW)?,
            "debounce.neutral_ms" => windows.neutral_ms = number(WINDOW)?,
            "debounce.greeting_ms" => windows.greeting_ms = number(WINDOW)?,
            "debounce.dangling_ms" => windows.dangling_ms = number(WINDOW)?,
            "debounce.max_wait_ms" if value.is_empty() => windows.max_wait_ms = None,
            "debounce.max_wait_ms" => {
                windows.max_wait_ms = Some(number("1 to 120000 milliseconds, or not set")?);
            }
            "debounce.max_messages" => windows.max_messages = number("1 to 1000 messages")?,
            _ => return Err(wrong("a setting of the debounce")),
        }
    }
    match windows.validate() {
        Ok(()) => Ok(windows),
        Err(errors) => {
            Err(errors
                .first()
                .map_or(ConsoleError::Unavailable, |error| ConsoleError::Invalid {
                    field: format!("debounce.{}", error.key),
                    value: error.value.to_string(),
                    allowed: error.allowed.to_owned(),
                }))
        }
    }
}

/// A sentence with its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// When it is sent, in milliseconds from the beginning.
    pub at_ms: i64,
    /// What it says.
    pub text: String,
}

/// A line without a time is sent so long after the one before, in milliseconds.
const PACE_MS: i64 = 1_000;
/// More lines are not looked at.
const MOST_LINES: usize = 60;

/// The sentences of a script: one a line, `1.8s and a coke`, in any order; a line without a time follows the line before after a
/// second.
#[must_use]
pub fn script(text: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let follows = || lines.last().map_or(0, |before| before.at_ms + PACE_MS);
        let (at_ms, text) = timed(line).unwrap_or_else(|| (follows(), line.trim()));
        lines.push(Line {
            at_ms,
            text: text.to_owned(),
        });
        if lines.len() == MOST_LINES {
            break;
        }
    }
    lines.sort_by_key(|line| line.at_ms);
    lines
}

/// `1.8s text`: the time and the text.
fn timed(line: &str) -> Option<(i64, &str)> {
    let (time, text) = line.trim_start().split_once(char::is_whitespace)?;
    let seconds: f64 = time.strip_suffix('s')?.replace(',', ".").parse().ok()?;
    let is_time = (0.0..=86_400.0).contains(&seconds);
    is_time.then(|| ((seconds * 1_000.0).round() as i64, text.trim()))
}

/// What a setting makes of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Each sentence and why it is waited upon so long.
    pub lines: Vec<(Line, Explanation)>,
    /// The turns.
    pub bursts: Vec<Burst>,
}

/// Plays a script under a setting.
#[must_use]
pub fn play(script: &[Line], commands: &ControlCommands, windows: &Windows) -> Played {
    let lines: Vec<(Line, Explanation)> = script
        .iter()
        .map(|line| {
            let sample = Sample::text(&line.text);
            let why = explain(sample, commands, Languages::all(), windows);
            (line.clone(), why)
        })
        .collect();
    let timed: Vec<Timed> = lines
        .iter()
        .map(|(line, why)| Timed {
            at: line.at_ms,
            signal: why.signal,
        })
        .collect();
    Played {
        bursts: bursts(&timed, windows),
        lines,
    }
}

/// What other systems do: one window for everything, here three seconds.
#[must_use]
pub fn fixed() -> Windows {
    Windows {
        enabled: true,
        closed_ms: 3_000,
        neutral_ms: 3_000,
        greeting_ms: 3_000,
        dangling_ms: 3_000,
        max_wait_ms: Some(120_000),
        max_messages: 1_000,
    }
}

stored_words! {
    /// Which recorded messages are replayed.
    ReplayRange {
        /// Of the last 24 hours.
        Day = "24h",
        /// Of the last seven days.
        Week = "7d",
        /// The newest thousand, however old.
        Newest = "newest",
    }
}

/// What is replayed under which setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplayAsked {
    /// On which channel.
    pub channel: ChannelId,
    /// Which messages.
    pub range: ReplayRange,
    /// The setting that is proposed.
    pub windows: Windows,
}

/// Recorded messages under the setting in force and under the proposed one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replay {
    /// The time of the oldest message.
    pub from: Option<At>,
    /// The time of the newest.
    pub to: Option<At>,
    /// How many messages were replayed.
    pub messages: u32,
    /// How many were left out because their text is no longer stored.
    pub pruned: u32,
    /// Whether older messages of the range were left out.
    pub is_cut: bool,
    /// Under the setting in force.
    pub in_force: Measures,
    /// Under the proposed one.
    pub proposed: Measures,
    /// Stretches of conversation that change, most harmful first; at most twenty.
    pub changed: Vec<ChangedBurst>,
    /// How many change in all.
    pub changed_total: u32,
}

/// What a setting made of recorded messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measures {
    /// Turns that the agent would have run.
    pub turns: u32,
    /// Turns after which the customer wrote again within ten seconds, no reply between.
    pub splits: u32,
    /// The wait behind the last message of a turn, median, in milliseconds.
    pub wait_median_ms: u32,
    /// The same, 95th percentile.
    pub wait_p95_ms: u32,
    /// Turns that began because the longest wait was over or because they were full.
    pub at_ceiling: u32,
}

stored_words! {
    /// What a change does to a stretch of conversation.
    ChangeWord {
        /// More of it is answered apart.
        Worse = "worse",
        /// More of it is answered together.
        Better = "better",
        /// It is answered later.
        Later = "later",
        /// It is answered sooner.
        Sooner = "sooner",
    }
}

/// A stretch of conversation that a setting changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedBurst {
    /// In which session.
    pub session: SessionId,
    /// When its first message came.
    pub at: At,
    /// How many messages.
    pub messages: u32,
    /// What becomes of it.
    pub word: ChangeWord,
    /// Turns under the setting in force, and under the proposed one.
    pub turns: (u32, u32),
    /// The wait behind its last message, under both, in milliseconds.
    pub wait_ms: (u32, u32),
}

/// The address of a lab with what is typed in it.
#[must_use]
pub fn lab_address(
    channel: &ChannelId,
    typed: &[SettingValue],
    script: Option<&str>,
    replay: Option<&str>,
) -> String {
    let mut query = Query::new();
    for SettingValue { key, value } in typed {
        query.add(key, Some(value));
    }
    query.add("script", script);
    query.add("replay", replay);
    query.on(&channel.lab_address())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(key: &str, value: &str) -> [SettingValue; 1] {
        [SettingValue {
            key: key.to_owned(),
            value: value.to_owned(),
        }]
    }

    #[test]
    fn what_a_form_writes_is_read_back() {
        let windows = Windows {
            max_wait_ms: Some(9_000),
            enabled: false,
            ..Windows::default()
        };
        let values = written(&windows);
        let typed: Vec<_> = LAB_KEYS
            .iter()
            .zip(values)
            .map(|(key, value)| SettingValue {
                key: (*key).to_owned(),
                value,
            })
            .collect();
        assert_eq!(proposed(&Windows::default(), &typed), Ok(windows));
    }

    #[test]
    fn a_value_that_is_not_allowed_is_named() {
        for (key, value) in [
            ("debounce.closed_ms", "soon"),
            ("debounce.closed_ms", "120001"),
            ("debounce.max_messages", "0"),
            ("debounce.enabled", "perhaps"),
            ("ladder_ms", "[1]"),
        ] {
            let error = proposed(&Windows::default(), &typed(key, value)).unwrap_err();
            let ConsoleError::Invalid {
                field,
                value: named,
                ..
            } = error
            else {
                panic!("{key} = {value} is {error:?}");
            };
            assert_eq!((field.as_str(), named.as_str()), (key, value));
        }
    }

    #[test]
    fn a_script_has_times_or_goes_on_after_a_second() {
        let lines = script("oi\n\n  2,5s quero\n2 pizzas\n0.5s 1.5s late\n");
        let told: Vec<_> = lines
            .iter()
            .map(|line| (line.at_ms, line.text.as_str()))
            .collect();
        assert_eq!(
            told,
            [
                (0, "oi"),
                (500, "1.5s late"),
                (2_500, "quero"),
                (3_500, "2 pizzas")
            ]
        );
    }

    #[test]
    fn the_same_words_under_two_settings() {
        let lines = script("0s I want a pizza and\n5s a coke");
        let commands = ControlCommands::default();
        let usual = play(&lines, &commands, &Windows::default());
        assert_eq!(usual.bursts.len(), 2);
        let longer = Windows {
            dangling_ms: 6_000,
            ..Windows::default()
        };
        assert_eq!(play(&lines, &commands, &longer).bursts.len(), 1);
    }
}
