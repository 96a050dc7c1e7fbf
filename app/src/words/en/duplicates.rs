//! Avoided duplicates.

use super::lists::caption;
use crate::view::{Count, DifferenceWord, GuardFigures, OpinionWord};
#[cfg(feature = "ssr")]
use crate::words::duplicates::Duplicate;
use crate::words::duplicates::{DuplicateColumns, Duplicates};

pub(super) const DUPLICATES: Duplicates = Duplicates {
    title: "Duplicates avoided",
    caption: |shown, total| {
        caption(
            shown,
            total,
            "avoided duplicate",
            "avoided duplicates",
            "newest first",
        )
    },
    figures,
    built_in: "Built-in calendar and mailbox",
    query: "Filter",
    query_hint: "Terms: tool: channel: verdict: from: to:",
    tool: "Tool",
    columns: DuplicateColumns {
        at: "When",
        what: "Call",
        channel: "Channel",
        contact: "Contact",
        first: "First call",
        compared: "Matched by",
        differs: "Difference",
        note: "Told to the agent",
        verdict: "Verdict",
    },
    avoided,
    difference_of: |how| match how {
        DifferenceWord::Added => "adds",
        DifferenceWord::Removed => "leaves out",
        DifferenceWord::Changed => "changes",
    },
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
    may_not_settle: "Your role may not settle them. Ask an operator.",
};

#[cfg(feature = "ssr")]
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
    around: "See it in the conversation",
    verdict: "Verdict",
    comment: "Comment",
    allow_title: "Did the customer want it again?",
    allow: "Allow this once",
    allow_hint: "The same call may run once more within an hour. Nothing runs by itself: the agent has to ask again.",
    reason: "Why",
    judged: "Your verdict is recorded.",
    settled: |call| {
        let how = if call.happened {
            "happened"
        } else {
            "did not happen"
        };
        format!(
            "Recorded: {} {how}, says {}. The same call is answered by that now.",
            call.tool, call.by
        )
    },
    allowed: "The same call may run once more within an hour.",
    deeds: "What people did about it",
    change: |before, after| match (before, after) {
        (Some(before), Some(after)) => format!("{before} → {after}"),
        (None, Some(after)) => after.to_owned(),
        (Some(before), None) => before.to_owned(),
        (None, None) => String::new(),
    },
};

fn figures(figures: &GuardFigures, last: Option<&str>) -> String {
    let made = match figures.made {
        Count::Exactly(0) => "No guarded tool call was made in the last 14 days.".to_owned(),
        Count::Exactly(1) => "1 guarded tool call ran in the last 14 days.".to_owned(),
        Count::Exactly(made) => format!("{made} guarded tool calls ran in the last 14 days."),
        Count::MoreThan(made) => {
            format!("More than {made} guarded tool calls ran in the last 14 days.")
        }
    };
    let avoided = match (figures.avoided, last) {
        (Count::Exactly(0), Some(last)) => {
            format!("The guard has not fired for 14 days; it did so last {last}.")
        }
        (Count::Exactly(0), None) => "The guard has never fired.".to_owned(),
        (Count::Exactly(1), _) => format!("1 was held back{}.", share(figures)),
        (Count::Exactly(avoided), _) => format!("{avoided} were held back{}.", share(figures)),
        (Count::MoreThan(avoided), _) => format!("More than {avoided} were held back."),
    };
    let wrong = match figures.wrong {
        Count::Exactly(0) => String::new(),
        Count::Exactly(1) => " 1 of them was wanted again.".to_owned(),
        Count::Exactly(wrong) => format!(" {wrong} of them were wanted again."),
        Count::MoreThan(wrong) => format!(" More than {wrong} of them were wanted again."),
    };
    format!("{made} {avoided}{wrong}")
}

/// How many of a thousand calls were held back, where both numbers are exact.
fn share(figures: &GuardFigures) -> String {
    match (figures.made, figures.avoided) {
        (Count::Exactly(made), Count::Exactly(avoided)) if made > 0 => {
            let all = u64::from(made) + u64::from(avoided);
            format!(", {} of 1,000 calls", u64::from(avoided) * 1_000 / all)
        }
        _ => String::new(),
    }
}

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
