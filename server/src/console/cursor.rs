//! Places in lists: the key of the last row, which a page hands back unread.

use replygate_app::view::{ConsoleError, Cursor, PageQuery};
use replygate_gate::{At, SessionId};

/// The place behind a row.
pub(super) fn behind(at: At, id: u128) -> Cursor {
    Cursor(format!("{at}.{id:x}"))
}

/// The row that a place is behind.
pub(super) fn read(cursor: Option<&Cursor>) -> Result<Option<(At, u128)>, ConsoleError> {
    let Some(cursor) = cursor else {
        return Ok(None);
    };
    let parts = || {
        let (at, id) = cursor.as_str().split_once('.')?;
        Some((At(at.parse().ok()?), u128::from_str_radix(id, 16).ok()?))
    };
    parts().map(Some).ok_or_else(|| unknown(cursor))
}

/// The place behind a step.
pub(super) fn behind_step((at, session, version): (At, SessionId, u64)) -> Cursor {
    Cursor(format!("{at}.{:x}.{version}", session.0))
}

/// The step that a place is behind.
pub(super) fn step(cursor: Option<&Cursor>) -> Result<Option<(At, SessionId, u64)>, ConsoleError> {
    let Some(cursor) = cursor else {
        return Ok(None);
    };
    let parts = || {
        let mut parts = cursor.as_str().splitn(3, '.');
        let at = At(parts.next()?.parse().ok()?);
        let session = SessionId(u128::from_str_radix(parts.next()?, 16).ok()?);
        Some((at, session, parts.next()?.parse().ok()?))
    };
    parts().map(Some).ok_or_else(|| unknown(cursor))
}

/// A place that is a plain number.
pub(super) fn number(cursor: Option<&Cursor>) -> Result<Option<u64>, ConsoleError> {
    let read = |cursor: &Cursor| cursor.as_str().parse().map_err(|_| unknown(cursor));
    cursor.map(read).transpose()
}

/// How many rows a page gets.
pub(super) fn limit(page: &PageQuery) -> u32 {
    u32::from(page.limit.clamp(1, PageQuery::MOST))
}

fn unknown(cursor: &Cursor) -> ConsoleError {
    ConsoleError::Invalid {
        field: "after".to_owned(),
        value: cursor.as_str().chars().take(64).collect(),
        allowed: "a place that an earlier page gave".to_owned(),
    }
}
