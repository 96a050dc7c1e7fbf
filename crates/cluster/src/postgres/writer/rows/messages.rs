//! The rows of messages and of their dedupe keys.

use std::borrow::Cow;

use replygate_gate::{DropReason, ReplyId};
use replygate_ports::changes::MessageState;
use replygate_ports::draft::shared_order;
use replygate_ports::store::Append;
use sqlx::types::Uuid;

use super::{Places, Rows, WON, drawn};
use crate::postgres::codec::{escaped, uuid};
use crate::postgres::statement::{Statement, Table};

pub(super) fn messages(statement: &mut Statement, rows: &Rows<'_>, places: &Places<'_, '_>) {
    if !rows.messages_made.is_empty() {
        made_messages(statement, rows, places);
    }
    if !rows.messages_edited.is_empty() {
        edited_messages(statement, rows, places);
    }
}

/// A message's state as its three columns, of as many messages as there are.
fn states<'s>(table: Table<'s>, states: &[Option<MessageState>]) -> Table<'s> {
    let columns = || states.iter().map(|state| state.map(MessageState::columns));
    let reply = |reply: ReplyId| uuid(reply.0);
    table
        .column(
            "state",
            columns()
                .map(|state| state.map(|(word, ..)| word))
                .collect(),
        )
        .column(
            "covered_by",
            columns()
                .map(|state| state?.1.map(reply))
                .collect::<Vec<Option<Uuid>>>(),
        )
        .column(
            "drop_reason",
            columns()
                .map(|state| state?.2.map(DropReason::as_str))
                .collect(),
        )
}

fn made_messages(statement: &mut Statement, rows: &Rows<'_>, places: &Places<'_, '_>) {
    let made = &rows.messages_made;
    let appends = || made.iter().map(|row| &row.step.append);
    let place = |append: &Append| {
        let shared = shared_order(append).map(|conversation| uuid(conversation.0));
        shared.unwrap_or_else(|| uuid(append.id.0))
    };
    let contents = || made.iter().map(|row| row.content);
    let table = statement.table();
    let table = table
        .column("s", places.column(appends()))
        .column("entry", made.iter().map(|row| row.entry as i32).collect())
        .column("id", contents().map(|content| uuid(content.id.0)).collect())
        .column(
            "session",
            appends().map(|append| uuid(append.id.0)).collect(),
        )
        .column("place", appends().map(place).collect())
        .column(
            "channel",
            appends()
                .map(|append| escaped(&append.key.channel))
                .collect(),
        )
        .column(
            "provider_id",
            contents()
                .map(|content| escaped(&content.dedupe.provider_id))
                .collect(),
        )
        .column(
            "kind",
            contents().map(|content| content.kind.as_str()).collect(),
        )
        .column(
            "sent_at",
            contents()
                .map(|content| content.sent_at.map(|at| at.0))
                .collect(),
        )
        .column("received_at", appends().map(|append| append.at.0).collect())
        .column("at", made.iter().map(|row| row.written_at().0).collect())
        .column(
            "edit_of",
            contents()
                .map(|content| content.edit_of.map(|id| uuid(id.0)))
                .collect(),
        )
        .column("text", made.iter().map(|row| escaped(row.text)).collect());
    let whole: Vec<_> = made.iter().map(|row| Some(row.state)).collect();
    let (rows, entry) = (states(table, &whole).rows(), drawn("entry"));
    let sql = format!(
        "INSERT INTO message (id, entry, session, place, channel, provider_id, kind, sent_at, received_at, at, state,
            covered_by, drop_reason, edit_of, text)
            SELECT v.id, {entry}, v.session, v.place, v.channel, v.provider_id, v.kind, v.sent_at, v.received_at, v.at,
                v.state, v.covered_by, v.drop_reason, v.edit_of, v.text FROM {rows} WHERE {WON}"
    );
    statement.with("messages_made", &sql);
}

fn edited_messages(statement: &mut Statement, rows: &Rows<'_>, places: &Places<'_, '_>) {
    let edited = &rows.messages_edited;
    let table = statement.table();
    let table = table
        .column(
            "s",
            edited
                .iter()
                .map(|row| places.number(row.session))
                .collect(),
        )
        .column("id", edited.iter().map(|row| uuid(row.id.0)).collect())
        .column(
            "text",
            edited
                .iter()
                .map(|row| row.text.map(escaped))
                .collect::<Vec<Option<Cow<'_, str>>>>(),
        );
    let changed: Vec<_> = edited.iter().map(|row| row.state).collect();
    let rows = states(table, &changed).rows();
    let sql = format!(
        "UPDATE message SET state = coalesce(v.state, message.state), text = coalesce(v.text, message.text),
            covered_by = CASE WHEN v.state IS NULL THEN message.covered_by ELSE v.covered_by END,
            drop_reason = CASE WHEN v.state IS NULL THEN message.drop_reason ELSE v.drop_reason END
            FROM {rows} WHERE message.id = v.id AND {WON}"
    );
    statement.with("messages_edited", &sql);
}

pub(super) fn keys(statement: &mut Statement, rows: &Rows<'_>, places: &Places<'_, '_>) {
    if rows.keys.is_empty() {
        return;
    }
    let mut keys: Vec<_> = rows.keys.iter().collect();
    keys.sort_unstable_by_key(|row| row.key);
    let appends = || keys.iter().map(|row| &row.step.append);
    let table = statement.table();
    let table = table
        .column("s", places.column(appends()))
        .column("key", keys.iter().map(|row| uuid(row.key)).collect())
        .column(
            "message",
            keys.iter().map(|row| uuid(row.message.0)).collect(),
        )
        .column(
            "session",
            appends().map(|append| uuid(append.id.0)).collect(),
        )
        .column("at", appends().map(|append| append.at.0).collect());
    let rows = table.rows();
    let sql = format!(
        "INSERT INTO dedupe (key, message, session, at)
            SELECT v.key, v.message, v.session, v.at FROM {rows} WHERE {WON}"
    );
    statement.with("keys", &sql);
}
