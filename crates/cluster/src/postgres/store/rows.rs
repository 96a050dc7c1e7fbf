//! Rows as the ports' values.

use replygate_gate::{At, ReplyId, SessionId};
use replygate_ports::store::{ActionRecord, NewAction, Step, StoreError, Stored};
use sqlx::postgres::PgRow;

use crate::postgres::cache::Known;
use crate::postgres::codec::Columns;

/// A row with `life`, the key's columns, `version` and `state`.
pub(crate) fn known_session(row: &PgRow) -> Result<Known, StoreError> {
    let row = Columns(row);
    let stored = Stored {
        key: row.session_key()?,
        version: row.number("version")?,
        session: row.json("state")?,
    };
    Ok(Known {
        life: row.get("life")?,
        stored,
    })
}

/// A row with `version`, `at`, `actor` and `events`.
pub(crate) fn step(row: &PgRow) -> Result<Step, StoreError> {
    let row = Columns(row);
    Ok(Step {
        version: row.number("version")?,
        at: At(row.get("at")?),
        actor: row.text("actor")?,
        events: row.json("events")?,
    })
}

/// A row of the deeds.
pub(crate) fn action_record(row: &PgRow) -> Result<ActionRecord, StoreError> {
    let row = Columns(row);
    let action = NewAction {
        request_id: row.text("request_id")?,
        by: row.text("by")?,
        verb: row.text("verb")?,
        reply: row.id_or_none("reply")?.map(ReplyId),
        reason: row.text_or_none("reason")?,
    };
    Ok(ActionRecord {
        action,
        session: SessionId(row.id("session")?),
        at: At(row.get("at")?),
    })
}
