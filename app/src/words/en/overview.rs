//! The overview and the health page.

use crate::view::{Count, FlowStation, Health, HealthPart, HealthWord, Need};
use crate::words::overview::{HealthPage, Overview};

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
    times_summary: |worst| match worst {
        Some(worst) => format!("Nineteen of twenty waited at most {worst} at the worst time."),
        None => "Nothing was delivered in this time.".into(),
    },
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

pub(super) const HEALTH: HealthPage = HealthPage {
    title: "Health",
    caption: "Every part, worst first",
    part: "Part",
    state: "State",
    detail: "Why",
    breaks: "What it breaks",
    name_of: |health: &Health| {
        let sort = match health.part {
            HealthPart::Store => "Database",
            HealthPart::Schedule => "Timers",
            HealthPart::Channel => "Channel",
            HealthPart::Agent => "Agent of",
            HealthPart::Stream => "Live updates",
        };
        match &health.name {
            Some(name) => format!("{sort} {name}"),
            None => sort.to_owned(),
        }
    },
    word_of: |word| match word {
        HealthWord::Fine => "Fine",
        HealthWord::Strained => "Look at it",
        HealthWord::Down => "Down",
    },
    detail_of: |health: &Health| match (health.part, health.of, health.ms) {
        (HealthPart::Store, _, Some(ms)) => format!("answers in {ms} ms"),
        (HealthPart::Schedule, _, Some(0)) => "nothing is overdue".into(),
        (HealthPart::Schedule, _, Some(ms)) => {
            format!("the oldest work is {} s overdue", ms / 1_000)
        }
        (_, Some((0, 0)), _) => "no reply yet".into(),
        (_, Some((failures, of)), _) => format!("{failures} of its last {of} replies failed"),
        _ => String::new(),
    },
    breaks_of: |health: &Health| match health.part {
        HealthPart::Store => {
            "Without it webhooks get 503 and channels repeat them; nothing is sent."
        }
        HealthPart::Schedule => "When it is late, windows close late and replies leave late.",
        HealthPart::Channel => {
            "Replies are tried again on the channel's ladder, then they are parked."
        }
        HealthPart::Agent => "Bursts stay unanswered and are parked as agent failures.",
        HealthPart::Stream => "Pages say how old they are; everything else goes on.",
    },
    version: |version, since| format!("Replygate {version}, running since {since}."),
    probes: "For machines: /livez says whether the process runs, /readyz whether it takes messages, /metrics its figures.",
};
