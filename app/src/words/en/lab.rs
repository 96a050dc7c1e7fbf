//! The debounce lab.

use crate::view::{ChangeWord, LAB_KEYS, ReplayRange, written};
use crate::words::lab::Lab;
use replygate_gate::debounce::{BurstEnd, Rule, Signal, Windows};

/// From this window on people repeat themselves, in milliseconds.
const LONG_MS: u32 = 5_000;

pub(super) const LAB: Lab = Lab {
    title: |channel| format!("Debounce lab, {channel}"),
    in_force: |number, by, at| format!("Version {number} is in force, by {by}, {at}."),
    all_settings: "All settings of the channel",
    setting: "Setting",
    field,
    on: "On",
    off: "Off",
    was: |value| match value {
        "" => "In force: not set.".into(),
        value => format!("In force: {value}."),
    },
    wrong: |allowed| format!("Not allowed. Allowed: {allowed}."),
    warnings,
    reset: "Back to the setting in force",
    try_it: "Try it",
    script: "Messages, one a line",
    script_hint: "A time may stand before each: 1.8s and a coke. Without one, a line follows a second after the one before.",
    first_script: "0s Hi\n1.5s I'd like a pepperoni pizza and\n4.8s a coke\n7s please",
    presets_name: "Examples",
    presets: &[
        (
            "English",
            "0s Hi\n1.5s I'd like a pepperoni pizza and\n4.8s a coke\n7s please",
        ),
        (
            "Português",
            "0s oi\n2s queria remarcar a consulta de\n5.5s quinta\n7s pode ser sexta?",
        ),
        (
            "Español",
            "0s Hola buenas\n3s quiero cancelar mi pedido\n5s no, mejor no lo canceles",
        ),
        (
            "A change of mind",
            "0s Cancel my order please.\n0.9s Wait\n1.9s don't cancel it!",
        ),
    ],
    play: "Play",
    play_hint: "With scripts every change is played at once, by the same rules that the server uses.",
    no_script: "Write a message to see how long it would be waited upon, and why.",
    sentences: "Each message and how long it is waited upon",
    at: "At",
    sentence: "Message",
    ends: "How it ends",
    wait: "Wait",
    signal_of: |signal| match signal {
        Signal::Command => "Control command",
        Signal::Media => "Without words",
        Signal::Greeting => "Greeting alone",
        Signal::Dangling => "Unfinished",
        Signal::Closed => "Complete",
        Signal::Neutral => "Without a sign",
    },
    rule_of,
    ladder: "What is asked about the last message, in order",
    yes: "yes",
    no: "no",
    not_reached: "not reached",
    lanes: "When each turn begins",
    in_force_name: "In force",
    proposed_name: "Proposed",
    fixed_name: "Fixed 3 s",
    count_of: |name, turns| match turns {
        1 => format!("{name}: 1 turn."),
        turns => format!("{name}: {turns} turns."),
    },
    turns: "What the agent gets, as proposed",
    turn: |at, messages, ended| {
        let messages = match messages {
            1 => "1 message".to_owned(),
            messages => format!("{messages} messages"),
        };
        match ended {
            BurstEnd::Quiet => format!("{at}, {messages}: nothing else came"),
            BurstEnd::MaxWait => format!("{at}, {messages}: the longest wait was over"),
            BurstEnd::Full => format!("{at}, {messages}: as many as a turn may have"),
            BurstEnd::Command => format!("{at}, {messages}: dropped by a control command"),
        }
    },
    replay: "Replay what was recorded",
    replay_hint: "Real messages of this channel under the setting above, compared with the one in force. Nothing is sent.",
    range_of: |range| match range {
        ReplayRange::Day => "Last 24 hours",
        ReplayRange::Week => "Last 7 days",
        ReplayRange::Newest => "Newest 1,000 messages",
    },
    nothing_recorded: "No message was recorded in this range. Try the examples above, or a longer range.",
    replayed: |messages, pruned, is_cut| {
        let replayed = match messages {
            1 => "1 message was replayed.".to_owned(),
            messages => format!("{messages} messages were replayed."),
        };
        let left_out = match pruned {
            0 => String::new(),
            1 => " 1 was left out: its text is no longer stored.".to_owned(),
            pruned => format!(" {pruned} were left out: their text is no longer stored."),
        };
        let cut = if is_cut {
            " Older ones of the range were left out."
        } else {
            ""
        };
        format!("{replayed}{left_out}{cut}")
    },
    few: |turns, enough| {
        format!("{turns} turns are few: figures say something from about {enough} on.")
    },
    measures: "Figures of the replay",
    measure: "Measure",
    change: "Change",
    measure_turns: "Turns",
    measure_splits: "Cut apart: wrote again within 10 s",
    measure_median: "Wait after the last message, median",
    measure_p95: "The same, 95th percentile",
    measure_ceiling: "Ended by the longest wait or the most messages",
    changes: |shown, total| {
        if total as usize > shown {
            format!("What changes: {shown} of {total} stretches of conversation")
        } else {
            "What changes".into()
        }
    },
    no_change: "Nothing: every recorded message would be waited upon as long as now.",
    changed: "Stretches of conversation that change",
    when: "When",
    becomes: "Becomes",
    messages: "Messages",
    change_of: |word| match word {
        ChangeWord::Worse => "Cut apart more",
        ChangeWord::Better => "Answered together",
        ChangeWord::Later => "Later",
        ChangeWord::Sooner => "Sooner",
    },
    cannot_know: "What a replay cannot know: people may have written because they were answered, so messages behind a reply do not count as cut apart; how long the agent takes is not simulated.",
    save_title: |number, channel| format!("Use version {number} on {channel}?"),
    reason: "Why",
    save: "Save and use",
    save_hint: "In force from the next message on. Turns that run finish under the version they began with.",
    roll_back: |number| format!("Roll back to version {number}"),
    unchanged: "This is the setting in force.",
    not_allowed: "A value is not allowed: nothing can be saved.",
    may_not: "Your role may try settings and not save them. Ask an owner.",
    difference,
};

fn field(key: &str) -> (&'static str, &'static str) {
    match key {
        "debounce.enabled" => ("Debounce", "Off: every message is answered at once."),
        "debounce.closed_ms" => (
            "After a complete sentence, ms",
            "Ends with a full stop, a question or exclamation mark.",
        ),
        "debounce.neutral_ms" => (
            "Without a sign, ms",
            "Words, and nothing that says whether more follows.",
        ),
        "debounce.greeting_ms" => ("After a greeting alone, ms", "The request follows."),
        "debounce.dangling_ms" => (
            "After something unfinished, ms",
            "Ends with a connective, a comma or dots; or an attachment without words.",
        ),
        "debounce.max_wait_ms" => (
            "Longest wait, ms",
            "From the first message. Empty: five windows, at most 15 s.",
        ),
        _ => (
            "Most messages in a turn",
            "So many messages are answered at once.",
        ),
    }
}

fn warnings(windows: &Windows) -> Vec<String> {
    if !windows.enabled {
        return vec![
            "Without debounce each message of a burst starts or interrupts a turn.".into(),
        ];
    }
    let longest = [
        windows.closed_ms,
        windows.neutral_ms,
        windows.greeting_ms,
        windows.dangling_ms,
    ];
    let longest = longest.into_iter().max().unwrap_or_default();
    let mut told = Vec::new();
    if longest > LONG_MS {
        told.push(
            "A window is longer than 5 s. People repeat themselves after about 5 s of silence."
                .into(),
        );
    }
    if windows.max_wait_ms.is_some_and(|most| most < longest) {
        told.push("The longest wait is shorter than a window, and ends it.".into());
    }
    told
}

fn difference(before: &Windows, after: &Windows) -> String {
    let pairs = LAB_KEYS
        .iter()
        .zip(written(before).into_iter().zip(written(after)));
    let told: Vec<String> = pairs
        .filter(|(_, (old, new))| old != new)
        .map(|(key, (old, new))| {
            let shown = |value: String| {
                if value.is_empty() {
                    "not set".to_owned()
                } else {
                    value
                }
            };
            format!("{key}: {} → {}", shown(old), shown(new))
        })
        .collect();
    told.join(", ")
}

fn rule_of(rule: Rule) -> &'static str {
    match rule {
        Rule::ControlCommand => "the whole message is a command",
        Rule::Attachment => "an attachment without words",
        Rule::BareLink => "links and nothing else",
        Rule::GreetingAlone => "only a greeting",
        Rule::Ellipsis => "dots at the end",
        Rule::Pause => "a comma, semicolon, colon or dash at the end",
        Rule::OpenBracket => "a bracket or quote is still open",
        Rule::Joiner => "a plus or ampersand at the end",
        Rule::Abbreviation => "an abbreviation that needs a word after it",
        Rule::HangingWord => "the last word asks for another one",
        Rule::LoneConnective => "the last clause is only a connective",
        Rule::SentenceMark => "a mark that ends a sentence",
        Rule::LinkAtEnd => "a link at the end",
        Rule::NumberDot => "a number with a dot",
        Rule::NoWords => "no letters or digits",
        Rule::NoSign => "words without a sign at the end",
    }
}
