//! Puts hours into the calendar by its tool, as literally as a model does. Must never look whether it did so before: that is
//! the guard's business.

use replygate_gate::{At, tools};
use replygate_ports::agent::{AgentError, Effects, Turn};
use replygate_ports::store::HistoryEntry;
use replygate_ports::tools::CallOutcome;
use serde_json::{Value, json};

use super::clause::Clause;
use super::wishes::Wishes;

/// The tool that makes an event.
const CREATE: &str = "calendar.create_event";
/// What is booked where nobody says what it is.
const SUBJECT: &str = "Psicología";
/// The words before the subject: "las horas de psicología".
const HOURS_OF: &[&str] = &[
    "horas de",
    "hora de",
    "citas de",
    "cita de",
    "sesiones de",
    "sessoes de",
    "consultas de",
    "horarios de",
    "hours of",
    "hours for",
    "appointments for",
    "sessions of",
];
const DAY_MS: i64 = 86_400_000;
const HOUR_MS: i64 = 3_600_000;

/// What came of the booking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Booked {
    /// Nobody asked for it.
    Nothing,
    /// It was done.
    Now,
    /// It had been done before.
    Before,
    /// Nobody knows whether it was done.
    Perhaps,
    /// It was not done.
    Refused,
}

/// Whether the agent may call a calendar.
pub(super) fn has_calendar(effects: &dyn Effects) -> bool {
    effects.tools().iter().any(|tool| tool.name == CREATE)
}

/// Books both hours if the burst confirms them or asks for them.
pub(super) async fn book(
    turn: &Turn,
    wishes: &Wishes,
    effects: &dyn Effects,
) -> Result<Booked, AgentError> {
    if !wishes.schedule && !wishes.confirms_hours {
        return Ok(Booked::Nothing);
    }
    let subject = subject(turn);
    let mut worst = Booked::Before;
    for start_ms in next_hours(turn) {
        let arguments = arguments(&subject, start_ms, wishes);
        let booked = match effects.call(CREATE, arguments).await? {
            CallOutcome::Done { .. } => Booked::Now,
            CallOutcome::Duplicate { .. } => Booked::Before,
            CallOutcome::Unknown { .. } => Booked::Perhaps,
            CallOutcome::Failed { .. } | CallOutcome::Denied { .. } => Booked::Refused,
        };
        worst = worse(worst, booked);
    }
    Ok(worst)
}

fn worse(one: Booked, other: Booked) -> Booked {
    [Booked::Refused, Booked::Perhaps, Booked::Now]
        .into_iter()
        .find(|booked| one == *booked || other == *booked)
        .unwrap_or(Booked::Before)
}

/// An explicit order says when the hour ends, a confirmation does not: no two calls of a model are alike.
fn arguments(subject: &str, start_ms: i64, wishes: &Wishes) -> Value {
    let written = |ms| tools::written(At(ms));
    let mut arguments = json!({ "title": subject, "start_datetime": written(start_ms) });
    if wishes.schedule {
        arguments["end_datetime"] = json!(written(start_ms + HOUR_MS));
    }
    arguments
}

/// Three in the afternoon by UTC of the next Tuesday and of the Thursday behind it.
fn next_hours(turn: &Turn) -> [i64; 2] {
    let day = turn
        .messages
        .last()
        .map_or(0, |message| message.at.0.div_euclid(DAY_MS));
    // The first day of 1970 was a Thursday.
    let until_tuesday = match (5 - day).rem_euclid(7) {
        0 => 7,
        days => days,
    };
    let tuesday = day + until_tuesday;
    [tuesday, tuesday + 2].map(|day| day * DAY_MS + 15 * HOUR_MS)
}

/// What the hours are for, as the customer said it last.
fn subject(turn: &Turn) -> String {
    let new = turn
        .messages
        .iter()
        .rev()
        .map(|message| message.text.as_str());
    let before = turn.history.iter().rev().filter_map(|entry| match entry {
        HistoryEntry::Customer { text, .. } => Some(text.as_str()),
        _ => None,
    });
    new.chain(before)
        .find_map(named)
        .unwrap_or_else(|| SUBJECT.to_owned())
}

fn named(text: &str) -> Option<String> {
    Clause::sentences(text).iter().find_map(|sentence| {
        let (_, end) = sentence.find(HOURS_OF)?;
        let word = sentence.slice(end, end + 1);
        let mut letters = word.chars();
        let first = letters.next()?;
        Some(first.to_uppercase().chain(letters).collect())
    })
}
