//! Rows as the ports' values.

use replygate_gate::{At, ReplyId, SessionId};
use replygate_ports::store::{ActionRecord, NewAction, Step, StoreError, Stored};
use sqlx::sqlite::SqliteRow;

use crate::cache::Known;
use crate::codec::Columns;

/// A row with `n`, the key's columns, `version` and `state`.
pub(crate) fn known_session(row: &SqliteRow) -> Result<Known, StoreError> {
    let row = Columns(row);
    let stored = Stored {
        key: row.session_key()?,
        version: row.number("version")?,
        session: row.json("state")?,
    };
    Ok(Known {
        n: row.get("n")?,
        stored,
    })
}

/// A row with `version`, `at`, `actor` and `events`.
pub(crate) fn step(row: &SqliteRow) -> Result<Step, StoreError> {
    let row = Columns(row);
    Ok(Step {
        version: row.number("version")?,
        at: At(row.get("at")?),
        actor: row.get("actor")?,
        events: row.json("events")?,
    })
}

/// A row of the deeds.
pub(crate) fn action_record(row: &SqliteRow) -> Result<ActionRecord, StoreError> {
    let row = Columns(row);
    let action = NewAction {
        request_id: row.get("request_id")?,
        by: row.get("by")?,
        verb: row.get("verb")?,
        reply: row.id_or_none("reply")?.map(ReplyId),
        reason: row.get("reason")?,
    };
    Ok(ActionRecord {
        action,
        session: SessionId(row.id("session_id")?),
        at: At(row.get("at")?),
    })
}
