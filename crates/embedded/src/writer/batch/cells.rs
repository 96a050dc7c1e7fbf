//! The drafts of a batch as rows: the cells in the order of the columns that the statements name.

use std::sync::Arc;

use replygate_ports::changes::ReplyRow;
use replygate_ports::store::Append;

use super::{MessageDraft, ReplyDraft, Tip};
use crate::codec::{blob, covers_blob, state_columns};
use crate::writer::bulk::Cell;
use crate::writer::rows::Rows;

pub(super) fn session_row(rows: &mut Rows, tip: &Tip<'_>) {
    let Append {
        key,
        id,
        expected,
        at,
        session,
        next_at,
        ..
    } = &tip.last.append;
    let in_line = session
        .replies
        .iter()
        .filter(|reply| session.is_in_line(reply));
    let first_open = in_line.map(|reply| reply.seq as i64).min();
    let version = Cell::Int(*expected as i64 + 1);
    let moved = [
        version,
        Cell::at(*at),
        Cell::or_null(*next_at, Cell::at),
        Cell::Int(i64::from(session.is_open())),
        Cell::Int(session.last_seq as i64),
        Cell::or_null(first_open, Cell::Int),
    ];
    let state = Cell::Shared(Arc::clone(&tip.last.state));
    if !tip.is_new {
        let history_from = Cell::or_null(tip.history_from, Cell::Int);
        rows.sessions.push(
            [Cell::Int(tip.n)]
                .into_iter()
                .chain(moved)
                .chain([history_from, state]),
        );
        return;
    }
    let head = [
        Cell::Int(tip.n),
        Cell::Blob(blob(id.0)),
        Cell::Blob(blob(key.conversation_id().0)),
        Cell::Text(key.channel.clone()),
        Cell::Text(key.account.clone()),
        Cell::Text(key.conversation.clone()),
        Cell::Text(key.contact.clone()),
        Cell::Int(tip.created_at),
    ];
    let history_from = Cell::Int(tip.history_from.unwrap_or(0));
    rows.sessions_new
        .push(head.into_iter().chain(moved).chain([history_from, state]));
}

pub(super) fn message_row(draft: &MessageDraft<'_>) -> [Cell; 15] {
    let (append, content) = (draft.append, draft.content);
    let (word, reply, reason) = state_columns(draft.state);
    let place = if append.key.is_group() {
        Cell::Blob(blob(append.key.conversation_id().0))
    } else {
        Cell::Int(draft.session)
    };
    [
        Cell::Int(draft.n),
        Cell::Blob(blob(content.id.0)),
        Cell::Int(draft.session),
        place,
        Cell::Text(append.key.channel.clone()),
        Cell::Text(content.dedupe.provider_id.clone()),
        Cell::Word(content.kind.as_str()),
        Cell::or_null(content.sent_at, Cell::at),
        Cell::at(append.at),
        Cell::at(content.sent_at.unwrap_or(append.at)),
        Cell::Word(word),
        Cell::or_null(reply, Cell::Blob),
        Cell::or_null(reason, Cell::Word),
        Cell::or_null(content.edit_of, |edited| Cell::Blob(blob(edited.0))),
        Cell::Text(draft.text.to_owned()),
    ]
}

pub(super) fn reply_head(draft: &ReplyDraft<'_>) -> [Cell; 12] {
    let append = draft.append;
    let conversation = append.key.is_group().then(|| append.key.conversation_id());
    let usage = draft.row.usage;
    [
        Cell::Int(draft.n),
        Cell::Blob(blob(draft.row.id.0)),
        Cell::Int(draft.session),
        Cell::or_null(conversation, |conversation| {
            Cell::Blob(blob(conversation.0))
        }),
        Cell::Text(append.key.channel.clone()),
        Cell::Word(draft.row.author.as_str()),
        Cell::at(append.at),
        Cell::Text(serde_json::Value::from(draft.parts()).to_string()),
        Cell::Int(usage.input as i64),
        Cell::Int(usage.cached as i64),
        Cell::Int(usage.output as i64),
        Cell::Int(i64::from(usage.estimated)),
    ]
}

pub(super) fn reply_tail(row: &ReplyRow) -> [Cell; 13] {
    [
        Cell::Int(row.seq as i64),
        Cell::Word(row.status.as_str()),
        Cell::Int(i64::from(row.effects)),
        Cell::at(row.due_at),
        Cell::at(row.changed_at),
        Cell::Int(i64::from(row.generation)),
        Cell::Int(i64::from(row.attempts)),
        Cell::or_null(row.park_reason, |reason| Cell::Word(reason.as_str())),
        Cell::or_null(row.code.clone(), Cell::Text),
        Cell::or_null(row.superseded_by, |reply| Cell::Blob(blob(reply.0))),
        Cell::or_null(row.receipt.clone(), Cell::Text),
        Cell::Int(i64::from(row.cut)),
        Cell::Blob(covers_blob(&row.covers)),
    ]
}
