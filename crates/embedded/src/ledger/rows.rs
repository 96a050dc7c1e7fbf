//! Calls and records as rows.

use replygate_gate::tools::{Entry, Fingerprint, Guarding};
use replygate_gate::{ActionId, At, DuplicateId, ReplyId, SessionKey, TurnId};
use replygate_ports::ledger::{
    Call, Duplicate, NewCall, NewDuplicate, NewPass, Verdict, steps::over_at,
};
use replygate_ports::store::StoreError;
use serde::Serialize;
use serde_json::Value;
use sqlx::sqlite::SqliteRow;

use super::bulk::{Cell, Shape};
use crate::codec::{Columns, blob};
use crate::error::corrupt;

/// The columns that [`call`] reads.
pub(super) const CALL: &str = "id, fingerprint, origin, tool, channel, account, conversation, contact, turn, runner,
    state, reserved_at, settled_at, window_ms, lease_ms, on_unknown, replaced_by, arguments, comparison, result, code,
    settled_by, reason, request_id";
/// The columns that [`record`] reads.
pub(super) const RECORD: &str =
    "id, first, fingerprint, avoided, tool, channel, account, conversation, contact, turn,
    arguments, comparison, age_ms, note, at, said, opinion, comment, judged_by, judged_at";

// OR ROLLBACK: a batch is kept whole or not at all, and SQLite need not keep a journal of each statement besides.
pub(super) const CALLS_NEW: Shape = Shape {
    head: "INSERT OR ROLLBACK INTO tool_call (id, fingerprint, live, open, origin, tool, session, channel, account,
        conversation, contact, turn, runner, state, reserved_at, settled_at, over_at, window_ms, lease_ms, on_unknown,
        replaced_by, arguments, comparison, result, code) SELECT * FROM",
    columns: 25,
    tail: "WHERE column1 IS NOT NULL",
};
pub(super) const CALLS: Shape = Shape {
    head: "UPDATE OR ROLLBACK tool_call SET live = v.column2, open = v.column3, state = v.column4, settled_at = v.column5,
        over_at = v.column6, replaced_by = v.column7, result = v.column8, code = v.column9, settled_by = v.column10,
        reason = v.column11, request_id = v.column12 FROM",
    columns: 12,
    tail: "AS v WHERE tool_call.id = v.column1",
};
pub(super) const RECORDS_NEW: Shape = Shape {
    head: "INSERT OR IGNORE INTO tool_duplicate (id, first, fingerprint, avoided, tool, session, channel, account,
        conversation, contact, turn, arguments, comparison, age_ms, note, at) SELECT * FROM",
    columns: 16,
    tail: "WHERE column1 IS NOT NULL",
};
pub(super) const PASSES_USED: Shape = Shape {
    head: "UPDATE OR ROLLBACK tool_pass SET used_by = v.column2 FROM",
    columns: 2,
    tail: "AS v WHERE tool_pass.request_id = v.column1",
};

/// A value as its text in the file.
pub(super) fn text(what: &str, value: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| corrupt(what, error))
}

fn flag(value: bool) -> Cell {
    Cell::Int(i64::from(value))
}

fn id(value: u128) -> Cell {
    Cell::Blob(blob(value))
}

fn text_or_null(value: Option<&String>) -> Cell {
    Cell::or_null(value.cloned(), Cell::Text)
}

fn whom(key: &SessionKey) -> [Cell; 5] {
    [
        id(key.session().0),
        Cell::Text(key.channel.clone()),
        Cell::Text(key.account.clone()),
        Cell::Text(key.conversation.clone()),
        Cell::Text(key.contact.clone()),
    ]
}

/// What the file keeps of a call's long texts, made before the writer's turn.
#[derive(Clone, Debug)]
pub(super) struct Texts {
    pub arguments: String,
    pub comparison: String,
}

impl Texts {
    pub fn of(call: &NewCall) -> Result<Self, StoreError> {
        Ok(Self {
            arguments: text("arguments", &call.arguments)?,
            comparison: text("comparison", &call.comparison)?,
        })
    }
}

/// The state of a call as its columns: live, open, state, settled, over, replaced.
fn standing(entry: &Entry) -> [Cell; 6] {
    let over = over_at(entry);
    [
        flag(entry.is_live()),
        flag(over.is_none()),
        Cell::Word(entry.state.as_str()),
        Cell::or_null(entry.settled_at, Cell::at),
        Cell::or_null(over, Cell::at),
        Cell::or_null(entry.replaced_by, |action| id(action.0)),
    ]
}

/// A row for [`CALLS_NEW`].
pub(super) fn new_call(call: &Call, texts: Texts, result: Option<String>) -> Vec<Cell> {
    let entry = &call.entry;
    let [live, open, state, settled, over, replaced] = standing(entry);
    let mut row = vec![id(entry.action.0), id(call.fingerprint.0), live, open];
    row.extend([id(entry.origin.0), Cell::Text(call.tool.clone())]);
    row.extend(whom(&call.whom));
    row.extend([
        Cell::or_null(call.turn, |turn| id(turn.0)),
        Cell::Word(call.runner.as_str()),
        state,
        Cell::at(entry.reserved_at),
        settled,
        over,
        Cell::Int(entry.guarding.window_ms as i64),
        Cell::Int(entry.guarding.lease_ms as i64),
        Cell::Word(entry.guarding.on_unknown.as_str()),
        replaced,
        Cell::Text(texts.arguments),
        Cell::Text(texts.comparison),
        Cell::or_null(result, Cell::Text),
        text_or_null(call.code.as_ref()),
    ]);
    row
}

/// A row for [`CALLS`].
pub(super) fn changed_call(call: &Call, result: Option<String>) -> Vec<Cell> {
    let mut row = vec![id(call.entry.action.0)];
    row.extend(standing(&call.entry));
    row.extend([
        Cell::or_null(result, Cell::Text),
        text_or_null(call.code.as_ref()),
        text_or_null(call.settled_by.as_ref()),
        text_or_null(call.reason.as_ref()),
        text_or_null(call.request_id.as_ref()),
    ]);
    row
}

/// A row for [`RECORDS_NEW`].
pub(super) fn new_record(record: &NewDuplicate) -> Result<Vec<Cell>, StoreError> {
    let mut row = vec![
        id(record.id.0),
        id(record.first.0),
        id(record.fingerprint.0),
        Cell::Word(record.avoided.as_str()),
        Cell::Text(record.tool.clone()),
    ];
    row.extend(whom(&record.whom));
    row.extend([
        Cell::or_null(record.turn, |turn| id(turn.0)),
        Cell::Text(text("arguments", &record.arguments)?),
        Cell::Text(text("comparison", &record.comparison)?),
        Cell::Int(record.age_ms as i64),
        Cell::Text(record.note.clone()),
        Cell::at(record.at),
    ]);
    Ok(row)
}

/// A row with the columns of [`CALL`].
pub(crate) fn call(row: &SqliteRow) -> Result<Call, StoreError> {
    let row = Columns(row);
    let entry = Entry {
        action: ActionId(row.id("id")?),
        origin: ActionId(row.id("origin")?),
        state: row.word("state")?,
        reserved_at: At(row.get("reserved_at")?),
        settled_at: row.get::<Option<i64>>("settled_at")?.map(At),
        replaced_by: row.id_or_none("replaced_by")?.map(ActionId),
        guarding: Guarding {
            window_ms: row.number("window_ms")?,
            lease_ms: row.number("lease_ms")?,
            on_unknown: row.word("on_unknown")?,
        },
    };
    let result = row.get::<Option<&str>>("result")?;
    let result = result.map(serde_json::from_str::<Value>).transpose();
    Ok(Call {
        entry,
        fingerprint: Fingerprint(row.id("fingerprint")?),
        tool: row.get("tool")?,
        whom: row.session_key()?,
        turn: row.id_or_none("turn")?.map(TurnId),
        arguments: row.json("arguments")?,
        comparison: row.json("comparison")?,
        runner: row.word("runner")?,
        result: result.map_err(|error| corrupt("result", error))?,
        code: row.get("code")?,
        settled_by: row.get("settled_by")?,
        reason: row.get("reason")?,
        request_id: row.get("request_id")?,
    })
}

/// A row with the columns of [`RECORD`]; the first call is added by whoever asks.
pub(crate) fn record(row: &SqliteRow) -> Result<Duplicate, StoreError> {
    let row = Columns(row);
    let verdict = match row.word_or_none("opinion")? {
        Some(opinion) => Some(Verdict {
            opinion,
            comment: row.get("comment")?,
            by: row.get("judged_by")?,
            at: At(row.get("judged_at")?),
        }),
        None => None,
    };
    Ok(Duplicate {
        call: NewDuplicate {
            id: DuplicateId(row.id("id")?),
            first: ActionId(row.id("first")?),
            fingerprint: Fingerprint(row.id("fingerprint")?),
            avoided: row.word("avoided")?,
            tool: row.get("tool")?,
            whom: row.session_key()?,
            turn: row.id_or_none("turn")?.map(TurnId),
            arguments: row.json("arguments")?,
            comparison: row.json("comparison")?,
            age_ms: row.number("age_ms")?,
            note: row.get("note")?,
            at: At(row.get("at")?),
        },
        first: None,
        said: row.id_or_none("said")?.map(ReplyId),
        verdict,
    })
}

/// A row of the passes.
pub(crate) fn pass(row: &SqliteRow) -> Result<NewPass, StoreError> {
    let row = Columns(row);
    Ok(NewPass {
        fingerprint: Fingerprint(row.id("fingerprint")?),
        at: At(row.get("at")?),
        until: At(row.get("until")?),
        by: replygate_ports::ledger::By {
            name: row.get("by")?,
            reason: row.get("reason")?,
            request_id: row.get("request_id")?,
        },
    })
}
