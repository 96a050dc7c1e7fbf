//! The rows of lists as cells under names. The names are part of the format: programs read them, so they stay as they are
//! in every language.

use crate::view::{
    ActivityRow, At, DecisionRow, DuplicateRow, HoldWhy, LastLine, Meanwhile, MessageFate,
    MessageRow, OperationItem, ParkedRow, Personal, SessionRow, StatusWord, VerdictWord,
};
use crate::words::words;

/// What stands in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    Nothing,
    Text(String),
    Number(i64),
    Yes(bool),
    Time(At),
}

/// A row that can be written.
pub(super) trait Record {
    /// The names of its cells.
    const COLUMNS: &'static [&'static str];

    /// Its cells, one for each name.
    fn cells(self) -> Vec<Cell>;
}

fn text(value: impl Into<String>) -> Cell {
    Cell::Text(value.into())
}

fn maybe(value: Option<impl Into<String>>) -> Cell {
    value.map_or(Cell::Nothing, text)
}

fn number(value: impl TryInto<i64>) -> Cell {
    value.try_into().map_or(Cell::Nothing, Cell::Number)
}

fn time(at: Option<At>) -> Cell {
    at.map_or(Cell::Nothing, Cell::Time)
}

/// A customer's text as the page would show it.
fn personal(value: Personal) -> Cell {
    let domain = &words().domain;
    match value {
        Personal::Shown(shown) => text(shown),
        Personal::Masked(stand_in) => text(format!("{} {stand_in}", domain.masked)),
        Personal::Pruned => text(domain.pruned),
    }
}

impl Record for SessionRow {
    const COLUMNS: &'static [&'static str] = &[
        "session",
        "channel",
        "contact",
        "state",
        "state_since",
        "taken_over_by",
        "held_by",
        "held_since",
        "locked_by",
        "window_ends",
        "last_message_at",
        "last_message",
        "last_reply_at",
        "last_reply",
        "last_reply_status",
        "last_activity",
    ];

    fn cells(self) -> Vec<Cell> {
        let line = |line: Option<LastLine>| {
            let status = line.as_ref().and_then(|line| line.status);
            let at = time(line.as_ref().map(|line| line.at));
            let said = line.map_or(Cell::Nothing, |line| personal(line.text));
            (at, said, maybe(status.map(StatusWord::stored)))
        };
        let (message_at, message, _) = line(self.last_message);
        let (reply_at, reply, status) = line(self.last_reply);
        let held = self.hold.as_ref().map(|hold| match hold.why {
            HoldWhy::NewerMessages => "newer_messages",
            HoldWhy::Locked => "lock",
            HoldWhy::TakenOver => "person",
        });
        vec![
            text(self.id.0),
            text(self.channel.id.0),
            personal(self.contact),
            text(self.state.word.stored()),
            Cell::Time(self.state.since),
            maybe(self.taken_over.map(|over| over.by)),
            maybe(held),
            time(self.hold.map(|hold| hold.since)),
            maybe(self.lock.map(|lock| lock.owner.name)),
            time(self.window.map(|window| window.ends)),
            message_at,
            message,
            reply_at,
            reply,
            status,
            Cell::Time(self.last_activity),
        ]
    }
}

impl Record for MessageRow {
    const COLUMNS: &'static [&'static str] = &[
        "message",
        "session",
        "channel",
        "contact",
        "received",
        "written",
        "text",
        "fate",
        "reply",
        "reply_status",
        "decision",
        "reply_time_ms",
        "attempts",
    ];

    fn cells(self) -> Vec<Cell> {
        let message = self.message;
        let (fate, reply, status) = match message.fate {
            MessageFate::Waiting => ("waiting".to_owned(), None, None),
            MessageFate::Silent => ("silent".to_owned(), None, None),
            MessageFate::Person => ("person".to_owned(), None, None),
            MessageFate::Dropped { why } => (format!("dropped: {why}"), None, None),
            MessageFate::Answered { by, status, .. } => {
                ("answered".to_owned(), Some(by.0), Some(status.stored()))
            }
        };
        vec![
            text(message.id.0),
            text(message.session.0),
            text(self.channel.id.0),
            personal(self.contact),
            Cell::Time(message.received),
            Cell::Time(message.written),
            personal(message.text),
            text(fate),
            maybe(reply),
            maybe(status),
            maybe(self.decision.map(VerdictWord::stored)),
            self.reply_time_ms.map_or(Cell::Nothing, number),
            number(self.attempts),
        ]
    }
}

impl Record for ParkedRow {
    const COLUMNS: &'static [&'static str] = &[
        "reply",
        "session",
        "channel",
        "contact",
        "text",
        "status",
        "why",
        "code",
        "attempts",
        "written",
        "waits_since",
        "returns",
        "meanwhile",
    ];

    fn cells(self) -> Vec<Cell> {
        let meanwhile = match self.meanwhile {
            Meanwhile::Person { .. } => "person",
            Meanwhile::SameText { .. } => "same_text",
            Meanwhile::NewerReply { .. } => "newer_reply",
            Meanwhile::NewerMessages { .. } => "newer_messages",
            Meanwhile::Nothing => "nothing",
        };
        vec![
            text(self.reply.0),
            text(self.session.0),
            text(self.channel.id.0),
            personal(self.contact),
            personal(self.text),
            text(self.status.stored()),
            text(self.why),
            maybe(self.code),
            number(self.attempts),
            Cell::Time(self.written),
            Cell::Time(self.since),
            number(self.returns),
            text(meanwhile),
        ]
    }
}

impl Record for OperationItem {
    const COLUMNS: &'static [&'static str] = &[
        "place", "reply", "session", "channel", "outcome", "why", "at",
    ];

    fn cells(self) -> Vec<Cell> {
        vec![
            number(self.place),
            text(self.reply.0),
            text(self.session.0),
            text(self.channel.id.0),
            text(self.state.stored()),
            maybe(self.why),
            Cell::Time(self.at),
        ]
    }
}

impl Record for DuplicateRow {
    const COLUMNS: &'static [&'static str] = &[
        "duplicate",
        "at",
        "tool",
        "channel",
        "contact",
        "session",
        "what",
        "avoided",
        "age_ms",
        "compared",
        "differs",
        "told",
        "verdict",
        "verdict_by",
        "verdict_at",
        "comment",
    ];

    fn cells(self) -> Vec<Cell> {
        let differs: Vec<String> = self.differs.into_iter().map(|(_, path)| path).collect();
        let verdict = self.verdict;
        let word = verdict.as_ref().map(|verdict| verdict.word.stored());
        let (by, at) = (
            verdict.as_ref().map(|verdict| verdict.by.clone()),
            verdict.as_ref().map(|verdict| verdict.at),
        );
        vec![
            text(self.id),
            Cell::Time(self.at),
            text(self.tool),
            text(self.channel.id.0),
            personal(self.contact),
            maybe(self.session.map(|session| session.0)),
            personal(self.what),
            text(self.avoided),
            number(self.age_ms),
            text(self.compared.join(" ")),
            text(differs.join(" ")),
            text(self.note),
            maybe(word),
            maybe(by),
            time(at),
            maybe(verdict.and_then(|verdict| verdict.comment)),
        ]
    }
}

impl Record for DecisionRow {
    const COLUMNS: &'static [&'static str] = &[
        "reply",
        "session",
        "channel",
        "contact",
        "text",
        "at",
        "verdict",
        "source",
        "evaluator",
        "confidence_percent",
        "reason",
        "took_ms",
        "too_late",
        "tokens_in",
        "tokens_out",
        "reply_status",
    ];

    fn cells(self) -> Vec<Cell> {
        let verdict = self.verdict;
        vec![
            text(self.reply.0),
            text(self.session.0),
            text(self.channel.id.0),
            personal(self.contact),
            personal(self.text),
            Cell::Time(verdict.at),
            text(verdict.word.stored()),
            text((words().domain.source)(verdict.source)),
            text(verdict.evaluator),
            number(verdict.confidence_percent),
            personal(verdict.reason),
            number(verdict.latency_ms),
            Cell::Yes(verdict.too_late),
            number(self.tokens_in),
            number(self.tokens_out),
            maybe(self.status.map(StatusWord::stored)),
        ]
    }
}

impl Record for ActivityRow {
    const COLUMNS: &'static [&'static str] = &[
        "place", "at", "by", "role", "verb", "object", "before", "after", "reason", "result",
    ];

    fn cells(self) -> Vec<Cell> {
        vec![
            number(self.place),
            Cell::Time(self.at),
            text(self.by),
            text(self.role),
            text(self.verb),
            text(self.object),
            maybe(self.before),
            maybe(self.after),
            maybe(self.reason),
            text(self.result.stored()),
        ]
    }
}
