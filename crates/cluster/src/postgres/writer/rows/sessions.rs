//! The rows of the sessions themselves, their agenda and their steps.

use super::{Places, Rows, Session, WON, drawn};
use crate::postgres::codec::{escaped, uuid};
use crate::postgres::statement::{Statement, Table};

pub(super) fn sessions(statement: &mut Statement, places: &Places<'_, '_>) {
    let (made, moved): (Vec<&Session<'_>>, Vec<&Session<'_>>) = places
        .sessions
        .iter()
        .copied()
        .partition(|session| session.known.is_none());
    if !moved.is_empty() {
        moved_sessions(statement, &moved, places);
    }
    if !made.is_empty() {
        made_sessions(statement, &made, places);
    }
}

/// The columns that change with every step.
fn moving<'s>(table: Table<'s>, sessions: &[&Session<'_>], places: &Places<'_, '_>) -> Table<'s> {
    let appends = || sessions.iter().map(|session| &session.last.append);
    let first_open = sessions.iter().map(|session| session.first_open());
    let ends = sessions
        .iter()
        .map(|session| session.history_from.map(|entry| entry as i32));
    table
        .column("s", places.column(appends()))
        .column("id", appends().map(|append| uuid(append.id.0)).collect())
        .column(
            "version",
            sessions
                .iter()
                .map(|session| session.version() as i64)
                .collect(),
        )
        .column(
            "open",
            appends().map(|append| append.session.is_open()).collect(),
        )
        .column(
            "last_seq",
            appends()
                .map(|append| append.session.last_seq as i64)
                .collect(),
        )
        .column(
            "first_open",
            first_open.map(|seq| seq.map(|seq| seq as i64)).collect(),
        )
        .column("ends", ends.collect::<Vec<Option<i32>>>())
        .column(
            "state",
            sessions
                .iter()
                .map(|session| session.last.state.as_str())
                .collect(),
        )
}

/// The columns of the agenda.
fn agenda<'s>(table: Table<'s>, sessions: &[&Session<'_>], places: &Places<'_, '_>) -> Table<'s> {
    let appends = || sessions.iter().map(|session| &session.last.append);
    table
        .column("s", places.column(appends()))
        .column("id", appends().map(|append| uuid(append.id.0)).collect())
        .column(
            "next_at",
            appends()
                .map(|append| append.next_at.map(|at| at.0))
                .collect(),
        )
        .column(
            "last_activity",
            appends().map(|append| append.at.0).collect(),
        )
        .column(
            "open",
            appends().map(|append| append.session.is_open()).collect(),
        )
}

fn moved_sessions(statement: &mut Statement, moved: &[&Session<'_>], places: &Places<'_, '_>) {
    let (rows, ends) = (
        moving(statement.table(), moved, places).rows(),
        drawn("ends"),
    );
    let sql = format!(
        "UPDATE session SET version = v.version, open = v.open, last_seq = v.last_seq, first_open = v.first_open,
            history_from = coalesce({ends}, session.history_from), state = v.state
            FROM {rows} WHERE session.id = v.id AND {WON}"
    );
    statement.with("moved", &sql);
    let rows = agenda(statement.table(), moved, places).rows();
    let sql = format!(
        "UPDATE agenda SET next_at = v.next_at, last_activity = v.last_activity, open = v.open
            FROM {rows} WHERE agenda.session = v.id AND {WON}"
    );
    statement.with("agenda_moved", &sql);
}

fn made_sessions(statement: &mut Statement, made: &[&Session<'_>], places: &Places<'_, '_>) {
    let keys = || made.iter().map(|session| &session.last.append.key);
    let births = made
        .iter()
        .map(|session| places.birth(session.last.append.id) as i32);
    let table = moving(statement.table(), made, places);
    let table = table
        .column("birth", births.collect::<Vec<_>>())
        .column(
            "conversation_id",
            keys().map(|key| uuid(key.conversation_id().0)).collect(),
        )
        .column("channel", keys().map(|key| escaped(&key.channel)).collect())
        .column("account", keys().map(|key| escaped(&key.account)).collect())
        .column(
            "conversation",
            keys().map(|key| escaped(&key.conversation)).collect(),
        )
        .column("contact", keys().map(|key| escaped(&key.contact)).collect())
        .column(
            "created_at",
            made.iter()
                .map(|session| session.first.append.at.0)
                .collect(),
        );
    let (rows, life, ends) = (table.rows(), drawn("birth"), drawn("ends"));
    let sql = format!(
        "INSERT INTO session (id, life, conversation_id, channel, account, conversation, contact, created_at, version, open,
            last_seq, first_open, history_from, state)
            SELECT v.id, {life}, v.conversation_id, v.channel, v.account, v.conversation, v.contact, v.created_at,
                v.version, v.open, v.last_seq, v.first_open, coalesce({ends}, 0), v.state FROM {rows} WHERE {WON}"
    );
    statement.with("made", &sql);
    let table = agenda(statement.table(), made, places);
    let rows = table
        .column("channel", keys().map(|key| escaped(&key.channel)).collect())
        .rows();
    let sql = format!(
        "INSERT INTO agenda (session, channel, next_at, last_activity, open)
            SELECT v.id, v.channel, v.next_at, v.last_activity, v.open FROM {rows} WHERE {WON}"
    );
    statement.with("agenda_made", &sql);
}

pub(super) fn steps(statement: &mut Statement, rows: &Rows<'_>, places: &Places<'_, '_>) {
    let appends = || rows.steps.iter().map(|step| &step.append);
    let table = statement.table();
    let table = table
        .column("s", places.column(appends()))
        .column(
            "session",
            appends().map(|append| uuid(append.id.0)).collect(),
        )
        .column(
            "version",
            appends().map(|append| append.expected as i64 + 1).collect(),
        )
        .column("at", appends().map(|append| append.at.0).collect())
        .column(
            "actor",
            appends().map(|append| escaped(&append.actor)).collect(),
        )
        .column(
            "events",
            rows.steps.iter().map(|step| step.events.as_str()).collect(),
        );
    let rows = table.rows();
    let sql = format!(
        "INSERT INTO step (session, version, at, actor, events)
            SELECT v.session, v.version, v.at, v.actor, v.events FROM {rows} WHERE {WON}"
    );
    statement.with("steps", &sql);
}
