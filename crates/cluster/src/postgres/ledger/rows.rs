//! Calls, records and passes as rows.

use replygate_gate::tools::{Entry, Fingerprint, Guarding};
use replygate_gate::{ActionId, At, DuplicateId, ReplyId, TurnId};
use replygate_ports::ledger::{
    By, Call, Duplicate, NewDuplicate, NewPass, Verdict, steps::over_at,
};
use replygate_ports::store::StoreError;
use serde::Serialize;
use serde_json::Value;
use sqlx::postgres::PgRow;

use crate::postgres::codec::{Columns, Texts, escaped, uuid};
use crate::postgres::error::corrupt;
use crate::postgres::statement::{Statement, Table};

/// The columns that [`call`] reads.
pub(super) const CALL: &str = "id, fingerprint, origin, tool, channel, account, conversation, contact, turn, runner,
    state, reserved_at, settled_at, window_ms, lease_ms, on_unknown, replaced_by, arguments, comparison, result, code,
    settled_by, reason, request_id";
/// The columns that [`record`] reads.
pub(super) const RECORD: &str =
    "id, first, fingerprint, avoided, tool, channel, account, conversation, contact, turn,
    arguments, comparison, age_ms, note, at, said, opinion, comment, judged_by, judged_at";

fn json(value: &impl Serialize, what: &str) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| corrupt(what, error))
}

fn json_of<'a, T: 'a, V: Serialize + 'a>(
    rows: &[&'a T],
    what: &str,
    value: impl Fn(&'a T) -> V,
) -> Result<Vec<String>, StoreError> {
    rows.iter().map(|row| json(&value(row), what)).collect()
}

fn texts<'a, T: 'a>(rows: &[&'a T], text: impl Fn(&'a T) -> Option<&'a str>) -> Texts<'a> {
    rows.iter().map(|row| text(row).map(escaped)).collect()
}

/// What changes of a call after its reservation.
fn standing<'s>(table: Table<'s>, calls: &[&Call]) -> Result<Table<'s>, StoreError> {
    let entries = || calls.iter().map(|call| &call.entry);
    let result = |call: &Call| -> Result<Option<String>, StoreError> {
        call.result
            .as_ref()
            .map(|it| json(it, "result"))
            .transpose()
    };
    let results: Result<Vec<Option<String>>, StoreError> =
        calls.iter().map(|call| result(call)).collect();
    Ok(table
        .column("live", entries().map(Entry::is_live).collect())
        .column(
            "open",
            entries().map(|entry| over_at(entry).is_none()).collect(),
        )
        .column(
            "state",
            entries().map(|entry| entry.state.as_str()).collect(),
        )
        .column(
            "settled_at",
            entries()
                .map(|entry| entry.settled_at.map(|at| at.0))
                .collect(),
        )
        .column(
            "over_at",
            entries()
                .map(|entry| over_at(entry).map(|at| at.0))
                .collect(),
        )
        .column(
            "replaced_by",
            entries()
                .map(|entry| entry.replaced_by.map(|by| uuid(by.0)))
                .collect(),
        )
        .column("result", results?)
        .column("code", texts(calls, |call| call.code.as_deref()))
        .column(
            "settled_by",
            texts(calls, |call| call.settled_by.as_deref()),
        )
        .column("reason", texts(calls, |call| call.reason.as_deref()))
        .column(
            "request_id",
            texts(calls, |call| call.request_id.as_deref()),
        ))
}

/// The insertion of these calls, as they are.
pub(crate) fn calls_new(statement: &mut Statement, calls: &[&Call]) -> Result<String, StoreError> {
    let entries = || calls.iter().map(|call| &call.entry);
    let guardings = || entries().map(|entry| &entry.guarding);
    let table = statement
        .table()
        .column("id", entries().map(|entry| uuid(entry.action.0)).collect())
        .column(
            "fingerprint",
            calls.iter().map(|call| uuid(call.fingerprint.0)).collect(),
        )
        .column(
            "origin",
            entries().map(|entry| uuid(entry.origin.0)).collect(),
        )
        .column(
            "tool",
            calls.iter().map(|call| escaped(&call.tool)).collect(),
        )
        .column(
            "session",
            calls
                .iter()
                .map(|call| uuid(call.whom.session().0))
                .collect(),
        )
        .whom(calls.iter().map(|call| &call.whom))
        .column(
            "turn",
            calls
                .iter()
                .map(|call| call.turn.map(|turn| uuid(turn.0)))
                .collect(),
        )
        .column(
            "runner",
            calls.iter().map(|call| call.runner.as_str()).collect(),
        )
        .column(
            "reserved_at",
            entries().map(|entry| entry.reserved_at.0).collect(),
        )
        .column(
            "window_ms",
            guardings().map(|one| one.window_ms as i64).collect(),
        )
        .column(
            "lease_ms",
            guardings().map(|one| one.lease_ms as i64).collect(),
        )
        .column(
            "on_unknown",
            guardings().map(|one| one.on_unknown.as_str()).collect(),
        )
        .column(
            "arguments",
            json_of(calls, "arguments", |call| &call.arguments)?,
        )
        .column(
            "comparison",
            json_of(calls, "comparison", |call| &call.comparison)?,
        );
    let table = standing(table, calls)?.rows();
    Ok(format!(
        "INSERT INTO tool_call (id, fingerprint, origin, tool, session, channel, account, conversation, contact, turn, runner,
            reserved_at, window_ms, lease_ms, on_unknown, arguments, comparison, live, open, state, settled_at, over_at,
            replaced_by, result, code, settled_by, reason, request_id) SELECT * FROM {table}"
    ))
}

/// The change of these calls to what they are now.
pub(super) fn calls_changed(
    statement: &mut Statement,
    calls: &[&Call],
) -> Result<String, StoreError> {
    let ids = calls.iter().map(|call| uuid(call.entry.action.0)).collect();
    let table = standing(statement.table().column("id", ids), calls)?.rows();
    Ok(format!(
        "UPDATE tool_call SET live = v.live, open = v.open, state = v.state, settled_at = v.settled_at, over_at = v.over_at,
            replaced_by = v.replaced_by, result = v.result, code = v.code, settled_by = v.settled_by, reason = v.reason,
            request_id = v.request_id FROM {table} WHERE tool_call.id = v.id"
    ))
}

/// The insertion of these records, as they are.
pub(crate) fn records_new(
    statement: &mut Statement,
    records: &[&Duplicate],
) -> Result<String, StoreError> {
    let each = || records.iter().map(|record| &record.call);
    let verdicts = || records.iter().map(|record| record.verdict.as_ref());
    let table = statement
        .table()
        .column("id", each().map(|call| uuid(call.id.0)).collect())
        .column("first", each().map(|call| uuid(call.first.0)).collect())
        .column(
            "fingerprint",
            each().map(|call| uuid(call.fingerprint.0)).collect(),
        )
        .column(
            "avoided",
            each().map(|call| call.avoided.as_str()).collect(),
        )
        .column("tool", each().map(|call| escaped(&call.tool)).collect())
        .column(
            "session",
            each().map(|call| uuid(call.whom.session().0)).collect(),
        )
        .whom(each().map(|call| &call.whom))
        .column(
            "turn",
            each()
                .map(|call| call.turn.map(|turn| uuid(turn.0)))
                .collect(),
        )
        .column(
            "arguments",
            json_of(records, "arguments", |record| &record.call.arguments)?,
        )
        .column(
            "comparison",
            json_of(records, "comparison", |record| &record.call.comparison)?,
        )
        .column("age_ms", each().map(|call| call.age_ms as i64).collect())
        .column("note", each().map(|call| escaped(&call.note)).collect())
        .column("at", each().map(|call| call.at.0).collect())
        .column(
            "said",
            records
                .iter()
                .map(|record| record.said.map(|reply| uuid(reply.0)))
                .collect(),
        )
        .column(
            "opinion",
            verdicts()
                .map(|verdict| verdict.map(|verdict| verdict.opinion.as_str()))
                .collect(),
        )
        .column(
            "comment",
            texts(records, |record| {
                record.verdict.as_ref()?.comment.as_deref()
            }),
        )
        .column(
            "judged_by",
            texts(records, |record| Some(&*record.verdict.as_ref()?.by)),
        )
        .column(
            "judged_at",
            verdicts()
                .map(|verdict| verdict.map(|verdict| verdict.at.0))
                .collect(),
        )
        .rows();
    Ok(format!(
        "INSERT INTO tool_duplicate (id, first, fingerprint, avoided, tool, session, channel, account, conversation, contact,
            turn, arguments, comparison, age_ms, note, at, said, opinion, comment, judged_by, judged_at)
            SELECT * FROM {table}"
    ))
}

/// The insertion of these passes, each with the call that used it.
pub(crate) fn passes_new(
    statement: &mut Statement,
    passes: &[(&NewPass, Option<ActionId>)],
) -> String {
    let each = || passes.iter().map(|(pass, _)| *pass);
    let table = statement
        .table()
        .column(
            "request_id",
            each().map(|pass| escaped(&pass.by.request_id)).collect(),
        )
        .column(
            "fingerprint",
            each().map(|pass| uuid(pass.fingerprint.0)).collect(),
        )
        .column("at", each().map(|pass| pass.at.0).collect())
        .column("until", each().map(|pass| pass.until.0).collect())
        .column("by", each().map(|pass| escaped(&pass.by.name)).collect())
        .column(
            "reason",
            each()
                .map(|pass| pass.by.reason.as_deref().map(escaped))
                .collect::<Texts<'_>>(),
        )
        .column(
            "used_by",
            passes
                .iter()
                .map(|(_, used)| used.map(|by| uuid(by.0)))
                .collect(),
        )
        .rows();
    format!(
        "INSERT INTO tool_pass (request_id, fingerprint, at, until, by, reason, used_by) SELECT * FROM {table}"
    )
}

/// A row with the columns of [`CALL`].
pub(crate) fn call(row: &PgRow) -> Result<Call, StoreError> {
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
        tool: row.text("tool")?,
        whom: row.session_key()?,
        turn: row.id_or_none("turn")?.map(TurnId),
        arguments: row.json("arguments")?,
        comparison: row.json("comparison")?,
        runner: row.word("runner")?,
        result: result.map_err(|error| corrupt("result", error))?,
        code: row.text_or_none("code")?,
        settled_by: row.text_or_none("settled_by")?,
        reason: row.text_or_none("reason")?,
        request_id: row.text_or_none("request_id")?,
    })
}

/// A row with the columns of [`RECORD`]; the first call is added by whoever asks.
pub(crate) fn record(row: &PgRow) -> Result<Duplicate, StoreError> {
    let row = Columns(row);
    let verdict = match row.word_or_none("opinion")? {
        Some(opinion) => Some(Verdict {
            opinion,
            comment: row.text_or_none("comment")?,
            by: row.text("judged_by")?,
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
            tool: row.text("tool")?,
            whom: row.session_key()?,
            turn: row.id_or_none("turn")?.map(TurnId),
            arguments: row.json("arguments")?,
            comparison: row.json("comparison")?,
            age_ms: row.number("age_ms")?,
            note: row.text("note")?,
            at: At(row.get("at")?),
        },
        first: None,
        said: row.id_or_none("said")?.map(ReplyId),
        verdict,
    })
}

/// A row of the passes.
pub(super) fn pass(row: &PgRow) -> Result<NewPass, StoreError> {
    let row = Columns(row);
    Ok(NewPass {
        fingerprint: Fingerprint(row.id("fingerprint")?),
        at: At(row.get("at")?),
        until: At(row.get("until")?),
        by: By {
            name: row.text("by")?,
            reason: row.text_or_none("reason")?,
            request_id: row.text("request_id")?,
        },
    })
}

/// A row of the passes, with the call that used it.
pub(crate) fn pass_with_use(row: &PgRow) -> Result<(NewPass, Option<ActionId>), StoreError> {
    let used = Columns(row).id_or_none("used_by")?.map(ActionId);
    Ok((pass(row)?, used))
}
