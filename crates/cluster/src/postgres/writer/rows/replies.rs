//! The rows of replies and of operators' deeds.

use std::borrow::Cow;

use replygate_gate::ParkReason;
use replygate_ports::changes::ReplyRow;
use replygate_ports::draft::shared_order;
use sqlx::types::Uuid;

use super::{Places, Rows, WON, drawn};
use crate::postgres::codec::{covers, escaped, uuid};
use crate::postgres::statement::{Statement, Table};

pub(super) fn replies(statement: &mut Statement, rows: &Rows<'_>, places: &Places<'_, '_>) {
    if !rows.replies_edited.is_empty() {
        edited_replies(statement, rows, places);
    }
    if !rows.replies_made.is_empty() {
        made_replies(statement, rows, places);
    }
}

/// The columns of a reply that may change.
fn changing<'s>(table: Table<'s>, rows: &[&ReplyRow]) -> Table<'s> {
    let each = || rows.iter();
    table
        .column("id", each().map(|row| uuid(row.id.0)).collect())
        .column("seq", each().map(|row| row.seq as i64).collect())
        .column("status", each().map(|row| row.status.as_str()).collect())
        .column("effects", each().map(|row| row.effects).collect())
        .column("due_at", each().map(|row| row.due_at.0).collect())
        .column("changed_at", each().map(|row| row.changed_at.0).collect())
        .column(
            "generation",
            each().map(|row| i64::from(row.generation)).collect(),
        )
        .column(
            "attempts",
            each().map(|row| i64::from(row.attempts)).collect(),
        )
        .column(
            "park_reason",
            each()
                .map(|row| row.park_reason.map(ParkReason::as_str))
                .collect(),
        )
        .column(
            "code",
            each()
                .map(|row| row.code.as_deref().map(escaped))
                .collect::<Vec<Option<Cow<'_, str>>>>(),
        )
        .column(
            "superseded_by",
            each()
                .map(|row| row.superseded_by.map(|by| uuid(by.0)))
                .collect(),
        )
        .column(
            "receipt",
            each()
                .map(|row| row.receipt.as_deref().map(escaped))
                .collect::<Vec<Option<Cow<'_, str>>>>(),
        )
        .column("cut", each().map(|row| row.cut).collect())
        .column("sent", each().map(|row| i64::from(row.sent)).collect())
        .column("covers", each().map(|row| covers(&row.covers)).collect())
}

fn edited_replies(statement: &mut Statement, rows: &Rows<'_>, places: &Places<'_, '_>) {
    let edited = &rows.replies_edited;
    let table = statement.table();
    let table = table.column(
        "s",
        places.column(edited.iter().map(|edited| &edited.step.append)),
    );
    let changed: Vec<&ReplyRow> = edited.iter().map(|edited| &edited.row).collect();
    let rows = changing(table, &changed).rows();
    let sql = format!(
        "UPDATE reply SET seq = v.seq, status = v.status, effects = v.effects, due_at = v.due_at,
            changed_at = v.changed_at, generation = v.generation, attempts = v.attempts, park_reason = v.park_reason,
            code = coalesce(v.code, reply.code), superseded_by = coalesce(v.superseded_by, reply.superseded_by),
            receipt = coalesce(v.receipt, reply.receipt), cut = v.cut OR reply.cut, covers = v.covers, sent = v.sent
            FROM {rows} WHERE reply.id = v.id AND {WON}"
    );
    statement.with("replies_edited", &sql);
}

fn made_replies(statement: &mut Statement, rows: &Rows<'_>, places: &Places<'_, '_>) {
    let mut made: Vec<_> = rows.replies_made.iter().collect();
    made.sort_unstable_by_key(|made| (shared_order(&made.step.append), made.row.seq));
    let appends = || made.iter().map(|made| &made.step.append);
    let usage = || made.iter().map(|made| made.row.usage);
    let shared = appends().map(|append| shared_order(append).map(|id| uuid(id.0)));
    let parts = made
        .iter()
        .map(|made| serde_json::Value::from(made.parts).to_string());
    let table = statement.table();
    let table = table
        .column("s", places.column(appends()))
        .column("entry", made.iter().map(|made| made.entry as i32).collect())
        .column(
            "session",
            appends().map(|append| uuid(append.id.0)).collect(),
        )
        .column("conversation_id", shared.collect::<Vec<Option<Uuid>>>())
        .column(
            "channel",
            appends()
                .map(|append| escaped(&append.key.channel))
                .collect(),
        )
        .column(
            "author",
            made.iter().map(|made| made.row.author.as_str()).collect(),
        )
        .column("created_at", appends().map(|append| append.at.0).collect())
        .column("parts", parts.collect::<Vec<_>>())
        .column(
            "input_tokens",
            usage().map(|usage| usage.input as i64).collect(),
        )
        .column(
            "cached_tokens",
            usage().map(|usage| usage.cached as i64).collect(),
        )
        .column(
            "output_tokens",
            usage().map(|usage| usage.output as i64).collect(),
        )
        .column(
            "tokens_estimated",
            usage().map(|usage| usage.estimated).collect(),
        );
    let whole: Vec<&ReplyRow> = made.iter().map(|made| &made.row).collect();
    let (rows, entry) = (changing(table, &whole).rows(), drawn("entry"));
    let sql = format!(
        "INSERT INTO reply (id, entry, session, conversation_id, channel, seq, status, author, effects, created_at, due_at,
            changed_at, generation, attempts, park_reason, code, superseded_by, receipt, cut, covers, sent, parts,
            input_tokens, cached_tokens, output_tokens, tokens_estimated)
            SELECT v.id, {entry}, v.session, v.conversation_id, v.channel, v.seq, v.status, v.author, v.effects,
                v.created_at, v.due_at, v.changed_at, v.generation, v.attempts, v.park_reason, v.code, v.superseded_by,
                v.receipt, v.cut, v.covers, v.sent, v.parts, v.input_tokens, v.cached_tokens, v.output_tokens,
                v.tokens_estimated
                FROM {rows} WHERE {WON}"
    );
    statement.with("replies_made", &sql);
}

pub(super) fn actions(statement: &mut Statement, rows: &Rows<'_>, places: &Places<'_, '_>) {
    let pairs = rows.actions.iter();
    let pairs = pairs.filter_map(|step| Some((&step.append, step.append.action.as_ref()?)));
    let mut pairs: Vec<_> = pairs.collect();
    if pairs.is_empty() {
        return;
    }
    pairs.sort_unstable_by_key(|(_, action)| &action.request_id);
    let each = || pairs.iter().map(|(_, action)| *action);
    let table = statement.table();
    let table = table
        .column("s", places.column(pairs.iter().map(|(append, _)| *append)))
        .column(
            "request_id",
            each().map(|action| escaped(&action.request_id)).collect(),
        )
        .column(
            "session",
            pairs.iter().map(|(append, _)| uuid(append.id.0)).collect(),
        )
        .column("at", pairs.iter().map(|(append, _)| append.at.0).collect())
        .column("by", each().map(|action| escaped(&action.by)).collect())
        .column("verb", each().map(|action| escaped(&action.verb)).collect())
        .column(
            "reply",
            each()
                .map(|action| action.reply.map(|reply| uuid(reply.0)))
                .collect(),
        )
        .column(
            "reason",
            each()
                .map(|action| action.reason.as_deref().map(escaped))
                .collect::<Vec<Option<Cow<'_, str>>>>(),
        );
    let rows = table.rows();
    let sql = format!(
        "INSERT INTO action (request_id, session, at, by, verb, reply, reason)
            SELECT v.request_id, v.session, v.at, v.by, v.verb, v.reply, v.reason FROM {rows} WHERE {WON}"
    );
    statement.with("actions", &sql);
}
