//! Avoided duplicates.

use crate::view::OpinionWord;
use crate::words::duplicates::{Duplicate, DuplicateColumns, Duplicates};

pub(super) const DUPLICATES: Duplicates = Duplicates {
    title: "Duplicates avoided",
    caption: "Tool calls that were not carried out a second time",
    columns: DuplicateColumns {
        at: "When",
        tool: "Tool",
        channel: "Channel",
        contact: "Contact",
        why: "Why it was held back",
        compared: "Same",
        differs: "Differs",
        verdict: "Verdict",
    },
    avoided,
    alike: "nothing",
    opinion_of: |word| match word {
        OpinionWord::Right => "Right",
        OpinionWord::ShouldHaveRun => "Wrong: wanted again",
        OpinionWord::Unsure => "Unsure",
    },
    unjudged: "No verdict",
    none_yet: "No duplicate was avoided yet. Calls of tools with an effect are compared here before they run twice.",
    none_match: "No avoided duplicate matches these filters.",
    none_older: "There are no older ones.",
    unknown_title: "Nobody knows whether these calls happened",
    unknown_hint: "Until somebody says so, the same call is held back. Look in the tool's own service first.",
    how_known: "How you know",
    happened: "It happened",
    not_happened: "It did not happen",
    settled: "Recorded. The same call is now answered by what you said.",
};

pub(super) const DUPLICATE: Duplicate = Duplicate {
    title: |tool| format!("Duplicate avoided: {tool}"),
    why: "Why it was held back",
    at: "When",
    window_name: "Window",
    window: |window, age| {
        format!(
            "{}, {} left then",
            span(window),
            span(window.saturating_sub(age))
        )
    },
    channel: "Channel",
    contact: "Contact",
    session: "Session",
    calls: "Both calls",
    first_call: "The first call was made",
    first_gone: "The first call is no longer stored.",
    state_of: |state| match state {
        "done" => "and happened".into(),
        "running" => "and still runs".into(),
        "failed" => "and had no effect".into(),
        "unknown" => "and nobody knows whether it happened".into(),
        other => other.to_owned(),
    },
    settled_by: |by| format!("settled by {by}"),
    result: "What it brought",
    argument: "Argument",
    first: "First call",
    second: "Second call, held back",
    how: "Compared",
    compared: "compared",
    ignored: "ignored",
    differs: "differs",
    absent: "not given",
    same_by: |recipe| format!("What makes them the same, by the recipe {recipe}"),
    missing: |field| format!("The field {field} was missing, so all arguments were compared."),
    told: "What the agent was told",
    then_said: "What the agent then said",
    verdict: "Verdict",
    comment: "Comment",
    allow_title: "Did the customer want it again?",
    allow: "Allow this once",
    allow_hint: "The same call may run once more within an hour. Nothing runs by itself: the agent has to ask again.",
    reason: "Why",
    done: |deed| match deed {
        "allow_once" => "The same call may run once more within an hour.",
        _ => "Your verdict is recorded.",
    },
};

fn avoided(word: &str, age_ms: u64) -> String {
    let age = span(age_ms);
    match word {
        "repeated" => format!("Done {age} before"),
        "joined" => format!("Was being done, begun {age} before"),
        "unknown" => format!("May have been done {age} before"),
        other => format!("{other}, {age} before"),
    }
}

fn span(ms: u64) -> String {
    match ms / 1_000 {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3_600 => match seconds % 60 {
            0 => format!("{} min", seconds / 60),
            rest => format!("{} min {rest} s", seconds / 60),
        },
        seconds => format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
    }
}
