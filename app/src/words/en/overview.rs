//! The overview.

use crate::view::{Count, FlowStation, Need};
use crate::words::overview::Overview;

pub(super) const OVERVIEW: Overview = Overview {
    title: "Overview",
    needs: "Needs you",
    need,
    quiet: |delivered, median| {
        let replies = if delivered == 1 { "reply" } else { "replies" };
        let median = median.map_or(String::new(), |median| format!(", median wait {median}"));
        format!("Nothing needs you. {delivered} {replies} delivered in the last hour{median}.")
    },
    flow: "Now",
    station_of: |station| match station {
        FlowStation::Collecting => "held by debounce",
        FlowStation::Thinking => "with the agent",
        FlowStation::Deciding => "being judged",
        FlowStation::Sending => "waiting to be sent",
        FlowStation::Parked => "waiting for a person",
    },
    range: "Time",
    ranges: &[
        ("now-1h", "Last hour"),
        ("now-6h", "Last 6 hours"),
        ("now-24h", "Last 24 hours"),
        ("now/d", "Today"),
        ("now-7d", "Last 7 days"),
    ],
    outcomes: "What became of replies",
    outcomes_summary: |total, peak| {
        let replies = if total == 1 { "reply" } else { "replies" };
        match peak {
            Some(peak) => format!("{total} {replies}, most of them at {peak}."),
            None => "No reply in this time.".into(),
        }
    },
    times: "How long customers waited (s)",
    wait: |ms| match ms {
        ..120_000 => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        _ => format!("{} min", (ms + 30_000) / 60_000),
    },
    times_summary: |worst| match worst {
        Some(worst) => format!("Nineteen of twenty waited at most {worst} at the worst time."),
        None => "Nothing was delivered in this time.".into(),
    },
    tenfold: "Each line of the grid is ten times the one below it.",
    median: "median",
    p95: "p95",
    saved: "What customers did not have to read",
    saved_text: |merged, cancelled| {
        let told = |count: u64| match count {
            1 => "1 reply was".to_owned(),
            count => format!("{count} replies were"),
        };
        let (merged, cancelled) = (told(merged), told(cancelled));
        format!(
            "{merged} merged into a later one. {cancelled} cancelled because newer messages had made them wrong."
        )
    },
    time: "Time",
    numbers: "Numbers",
};

fn need(need: &Need, oldest: Option<&str>) -> String {
    let replies = |count: Option<u64>| match count {
        Some(1) => "1 reply".to_owned(),
        Some(count) => format!("{count} replies"),
        None => "Replies, too many to count in time,".to_owned(),
    };
    match need {
        Need::Unknown { count } => {
            format!("{} may or may not have arrived", replies(*count))
        }
        Need::UnknownCalls { count } => match count {
            Count::Exactly(1) => "1 tool call may or may not have happened".into(),
            count => format!("{} tool calls may or may not have happened", number(*count)),
        },
        Need::Unjudged { count } => match count {
            Count::Exactly(1) => "1 avoided duplicate has no verdict".into(),
            count => format!("{} avoided duplicates have no verdict", number(*count)),
        },
        Need::Parked { count, .. } => {
            let oldest = oldest.map_or(String::new(), |oldest| {
                format!(", the oldest parked {oldest}")
            });
            format!("{} parked{oldest}", replies(*count))
        }
        Need::Locked { count: 1 } => "1 session is locked beyond its lease".into(),
        Need::Locked { count } => format!("{count} sessions are locked beyond their lease"),
        Need::Halted { .. } => "An operation halted because too many replies came back".into(),
        Need::Failing {
            channel,
            failures,
            of,
        } => {
            format!(
                "{} failed {failures} of its last {of} replies",
                channel.name
            )
        }
    }
}

fn number(count: Count) -> String {
    match count {
        Count::Exactly(count) => count.to_string(),
        Count::MoreThan(count) => format!("more than {count}"),
    }
}
