//! Channels and their settings.

use crate::words::channels::{Channel, ChannelColumns, Channels};

pub(super) const CHANNELS: Channels = Channels {
    title: "Channels",
    caption: "Where customers write",
    columns: ChannelColumns {
        name: "Channel",
        kind: "Kind",
        last_inbound: "Last message",
        last_delivery: "Last delivery",
        debounce: "Debounce",
        strategy: "Newer messages",
        ladder: "Locks are tried",
        parked: "Parked",
        settings: "Settings",
    },
    version: |number| format!("version {number}"),
    windows: |windows| {
        if !windows.enabled {
            return "off".into();
        }
        let all = [
            windows.closed_ms,
            windows.neutral_ms,
            windows.greeting_ms,
            windows.dangling_ms,
        ];
        let least = all.iter().min().copied().unwrap_or_default();
        let most = all.iter().max().copied().unwrap_or_default();
        if least == most {
            return span(u64::from(least));
        }
        format!("{} to {}", span(u64::from(least)), span(u64::from(most)))
    },
    ladder,
    none: "none",
    never: "never",
    none_yet: "No channel yet. Channels come from the configuration file; after that they are tuned here.",
};

pub(super) const CHANNEL: Channel = Channel {
    title: |name| format!("Channel {name}"),
    saved: |saved, present| {
        if saved == present {
            format!(
                "Version {saved} is in force from the next message on. Turns that run finish under the version they began with."
            )
        } else {
            format!("Version {saved} was saved. Meanwhile version {present} is in force.")
        }
    },
    version: "Version",
    by: "By",
    at: "Saved",
    reason: "Reason",
    more: "See also",
    lab: "Debounce lab",
    parked: "Parked replies",
    groups: &[
        ("Who answers", &["agent", "agent_timeout_ms", "history"]),
        (
            "When newer messages come",
            &[
                "strategy",
                "abort_on_triage",
                "evaluator",
                "triage",
                "max_hold_ms",
            ],
        ),
        ("How long to wait for more", &["debounce"]),
        (
            "Sending",
            &[
                "operational_delay_ms",
                "deliver_url",
                "send_timeout_ms",
                "rate",
                "guarantee",
                "ladder_ms",
                "channel_ladder_ms",
            ],
        ),
        (
            "Too old",
            &["late_after_ms", "park_age_ms", "expire_age_ms"],
        ),
        ("Tools", &["tools"]),
        ("Control commands", &["commands", "notices"]),
    ],
    setting,
    value,
    in_words,
    allowed: |allowed, default| {
        if default.is_empty() {
            return format!("Allowed: {allowed}.");
        }
        format!("Allowed: {allowed}. If nobody sets it: {default}.")
    },
    wrong: "Not allowed.",
    why: "Why",
    save: "Save as a new version",
    save_hint: "In force from the next message on. Every earlier version can come back.",
    versions: "Versions",
    changed: "What changed",
    nothing_changed: "The first version",
    not_set: "not set",
    back: "Way back",
    roll_back: |number| format!("Roll back to version {number}"),
    in_force: "In force",
    version_title: |name, number| format!("Channel {name}, version {number}"),
    difference: |from, to| format!("What a way back from version {from} to {to} changes"),
    all_settings: "All settings of this version",
    name: "Setting",
    value_column: "Value",
};

/// Every wait of a ladder, and when a person has to decide.
fn ladder(waits: &[u64]) -> String {
    if waits.is_empty() {
        return "once, then parked".into();
    }
    let each: Vec<String> = waits.iter().copied().map(span).collect();
    let whole = span(waits.iter().sum());
    format!("after {}, parked at {whole}", each.join(", "))
}

fn in_words(key: &str, value: &str) -> Option<String> {
    if !key.ends_with("_ms") {
        return None;
    }
    if let Some(list) = value.strip_prefix('[') {
        let waits = list.trim_end_matches(']').split(',').map(str::trim);
        let waits: Result<Vec<u64>, _> = waits
            .filter(|wait| !wait.is_empty())
            .map(str::parse)
            .collect();
        return Some(format!("{}.", ladder(&waits.ok()?)));
    }
    let ms: u64 = value.parse().ok()?;
    (ms >= 1_000).then(|| format!("{}.", span(ms)))
}

/// A span in the largest unit that tells it exactly; seconds with a decimal.
fn span(ms: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "min")];
    let whole = UNITS
        .iter()
        .find(|(unit, _)| ms >= *unit && ms.is_multiple_of(*unit));
    match whole {
        Some((unit, name)) => format!("{} {name}", ms / unit),
        None if ms.is_multiple_of(1_000) => format!("{} s", ms / 1_000),
        None if ms.is_multiple_of(100) => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        None => format!("{ms} ms"),
    }
}

fn value(key: &str, word: &str) -> String {
    let told = match (key, word) {
        ("strategy", "triage") => "Judge the reply against them",
        ("strategy", "enqueue") => "Answer them one after the other",
        ("strategy", "reject") => "Refuse them while a reply is due",
        ("strategy", "interrupt") => "Stop the turn, answer all of them",
        ("strategy", "rollback") => "Forget the turn, answer all of them",
        ("triage.timing", "early") => "When they arrive, and at the turn",
        ("triage.timing", "at_turn") => "Only at the turn",
        ("guarantee", "at_most_once") => "Wait for a person",
        ("guarantee", "at_least_once") => "Try again, perhaps twice",
        ("notices.language", "en") => "English",
        ("notices.language", "pt") => "Portuguese",
        ("notices.language", "es") => "Spanish",
        (_, "true") => "On",
        (_, "false") => "Off",
        (_, other) => other,
    };
    told.to_owned()
}

fn setting(key: &str) -> (String, &'static str) {
    let (name, effect) = match key {
        "agent" => ("Agent", "Who writes the replies."),
        "agent_timeout_ms" => (
            "Time for the agent",
            "A run that takes longer counts as failed.",
        ),
        "history" => (
            "History",
            "How many entries of the conversation the agent reads.",
        ),
        "strategy" => (
            "Strategy",
            "What happens to messages that come while a reply is on its way.",
        ),
        "abort_on_triage" => (
            "Stop the agent early",
            "An early verdict that takes the reply back also stops the running turn.",
        ),
        "evaluator" => (
            "Evaluator",
            "Who judges held replies against newer messages.",
        ),
        "triage.timing" => (
            "When to judge",
            "An early verdict takes a reply back sooner.",
        ),
        "triage.soft_ms" => (
            "Slow after",
            "An evaluator that takes longer is reported as slow.",
        ),
        "triage.hard_ms" => (
            "Unsure after",
            "An evaluator that takes longer counts as unsure: the reply is released.",
        ),
        "triage.threshold" => (
            "Sure from",
            "A verdict with less confidence counts as unsure.",
        ),
        "max_hold_ms" => (
            "Longest hold",
            "A held reply that nobody judged is released after this time.",
        ),
        "operational_delay_ms" => (
            "Delay before sending",
            "A finished reply waits so long, so that it can still be taken back.",
        ),
        "deliver_url" => ("Address", "Where replies are posted."),
        "send_timeout_ms" => (
            "Time for sending",
            "A hand-over that takes longer has an unknown outcome.",
        ),
        "rate" => ("Rate", "How fast replies leave at most."),
        "guarantee" => (
            "When the outcome is unknown",
            "What happens to a reply of which nobody knows whether it arrived.",
        ),
        "ladder_ms" => (
            "Ladder for locks",
            "Waits between attempts that meet a stuck lock, then the reply is parked.",
        ),
        "channel_ladder_ms" => (
            "Ladder for failures",
            "Waits between attempts after a failure of the channel, then the reply is parked.",
        ),
        "late_after_ms" => (
            "Too late for a turn",
            "A message that the channel delivers later starts no turn.",
        ),
        "park_age_ms" => ("Park after", "A reply that waits longer goes to a person."),
        "expire_age_ms" => ("Expire after", "A reply that waits longer is dropped."),
        "commands.stop" => ("Words that stop", "Messages that drop what is pending."),
        "commands.reset" => (
            "Words that reset",
            "The same, and the conversation so far is forgotten.",
        ),
        "notices.language" => (
            "Language of acknowledgements",
            "Used when the command itself does not tell.",
        ),
        "notices.stop_en" => ("Acknowledges a stop, English", ""),
        "notices.stop_pt" => ("Acknowledges a stop, Portuguese", ""),
        "notices.stop_es" => ("Acknowledges a stop, Spanish", ""),
        "notices.reset_en" => ("Acknowledges a reset, English", ""),
        "notices.reset_pt" => ("Acknowledges a reset, Portuguese", ""),
        "notices.reset_es" => ("Acknowledges a reset, Spanish", ""),
        other => return debounce_setting(other),
    };
    (name.to_owned(), effect)
}

fn debounce_setting(key: &str) -> (String, &'static str) {
    let (name, effect) = match key {
        "debounce.enabled" => ("Debounce", "Off: every message is answered at once."),
        "debounce.closed_ms" => (
            "After a complete sentence",
            "How long to wait for another message.",
        ),
        "debounce.neutral_ms" => ("Without a sign", "How long to wait for another message."),
        "debounce.greeting_ms" => (
            "After a greeting alone",
            "How long to wait for the request.",
        ),
        "debounce.dangling_ms" => (
            "After something unfinished",
            "How long to wait for the rest.",
        ),
        "debounce.max_wait_ms" => (
            "Longest wait",
            "Counted from the first message. Not set: five windows, at most 15 s.",
        ),
        "debounce.max_messages" => ("Most messages", "A burst of so many is over at once."),
        other => return (other.replace(['_', '.'], " "), ""),
    };
    (name.to_owned(), effect)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_told_in_the_largest_unit_that_is_exact() {
        for (ms, told) in [
            (600, "0.6 s"),
            (1_200, "1.2 s"),
            (4_000, "4 s"),
            (90_000, "90 s"),
            (900_000, "15 min"),
            (86_400_000, "1 d"),
            (1_234, "1234 ms"),
        ] {
            assert_eq!(span(ms), told);
        }
    }

    #[test]
    fn a_ladder_says_when_a_person_has_to_decide() {
        let told = in_words("ladder_ms", "[600, 300, 600, 1200]").unwrap();
        assert_eq!(told, "after 0.6 s, 0.3 s, 0.6 s, 1.2 s, parked at 2.7 s.");
        assert_eq!(in_words("ladder_ms", "[]").unwrap(), "once, then parked.");
        assert_eq!(in_words("ladder_ms", "[soon]"), None);
        assert_eq!(in_words("history", "2000"), None);
    }
}
