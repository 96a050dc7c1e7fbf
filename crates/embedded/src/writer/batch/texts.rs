//! What a batch does to the texts of open work.

use replygate_ports::changes::{MessageState, ReplyRow};
use replygate_ports::draft::{MadeMessage, MadeReply};
use replygate_ports::store::{MessageText, ReplyText};

use super::Rows;
use crate::cache::TextNews;
use crate::writer::Pending;

pub(super) fn news(rows: &Rows<'_>) -> TextNews {
    let mut news = TextNews::default();
    tell_messages(rows, &mut news);
    tell_replies(rows, &mut news);
    news
}

fn tell_messages(rows: &Rows<'_>, news: &mut TextNews) {
    let open = rows.messages_made.iter();
    let open = open.filter(|made| !is_settled(made.state));
    news.arrived.extend(open.map(message_text));
    for edited in &rows.messages_edited {
        if edited.state.is_some_and(is_settled) {
            news.settled.push(edited.id);
        } else if let Some(text) = edited.text {
            news.edited.push((edited.id, text.to_owned()));
        }
    }
}

fn tell_replies(rows: &Rows<'_>, news: &mut TextNews) {
    for made in &rows.replies_made {
        if !told_end(&made.row, news) {
            news.written.push(reply_text(made));
        }
    }
    for edited in &rows.replies_edited {
        let row = &edited.row;
        if !told_end(row, news) {
            news.moved.push((row.id, row.seq, row.covers.clone()));
        }
    }
}

/// Tells a reply's end, if it is one.
fn told_end(row: &ReplyRow, news: &mut TextNews) -> bool {
    let is_final = row.status.is_final();
    if is_final {
        news.ended.push((row.id, row.covers.clone()));
    }
    is_final
}

/// Whether no reply will ever answer it: it was dropped, or the agent stayed silent.
fn is_settled(state: MessageState) -> bool {
    matches!(
        state,
        MessageState::Dropped(_) | MessageState::Covered(None)
    )
}

fn message_text(made: &MadeMessage<'_, Pending>) -> MessageText {
    let content = made.content;
    MessageText {
        id: content.id,
        kind: content.kind,
        text: made.text.to_owned(),
        sent_at: content.sent_at,
        received_at: made.step.append.at,
        edit_of: content.edit_of,
    }
}

fn reply_text(made: &MadeReply<'_, Pending>) -> ReplyText {
    ReplyText {
        id: made.row.id,
        session: made.step.append.id,
        seq: made.row.seq,
        parts: made.parts.to_vec(),
        covers: made.row.covers.clone(),
    }
}
