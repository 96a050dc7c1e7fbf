//! What a batch does to the texts of open work.

use replygate_ports::changes::MessageState;
use replygate_ports::store::{MessageText, ReplyText};

use super::{Batch, MessageDraft, ReplyDraft};
use crate::cache::TextNews;

impl Batch<'_> {
    pub(super) fn text_news(&self) -> TextNews {
        let mut news = TextNews::default();
        self.tell_messages(&mut news);
        self.tell_replies(&mut news);
        news
    }

    fn tell_messages(&self, news: &mut TextNews) {
        let open = self.messages_new.values();
        news.arrived = open
            .filter(|draft| !is_settled(draft.state))
            .map(message_text)
            .collect();
        let settled = self
            .messages
            .iter()
            .filter(|(_, state)| is_settled(**state));
        news.settled = settled.map(|(id, _)| *id).collect();
        let edited = self.texts.iter();
        news.edited = edited.map(|(id, text)| (*id, (*text).to_owned())).collect();
    }

    fn tell_replies(&self, news: &mut TextNews) {
        for draft in self.replies_new.values() {
            let row = &draft.row;
            if row.status.is_final() {
                news.ended.push((row.id, row.covers.clone()));
            } else {
                news.written.push(reply_text(draft));
            }
        }
        for row in self.replies.values() {
            if row.status.is_final() {
                news.ended.push((row.id, row.covers.clone()));
            } else {
                news.moved.push((row.id, row.seq, row.covers.clone()));
            }
        }
    }
}

/// Whether no reply will ever answer it: it was dropped, or the agent stayed silent.
fn is_settled(state: MessageState) -> bool {
    matches!(
        state,
        MessageState::Dropped(_) | MessageState::Covered(None)
    )
}

fn message_text(draft: &MessageDraft<'_>) -> MessageText {
    let content = draft.content;
    MessageText {
        id: content.id,
        kind: content.kind,
        text: draft.text.to_owned(),
        sent_at: content.sent_at,
        received_at: draft.append.at,
        edit_of: content.edit_of,
    }
}

fn reply_text(draft: &ReplyDraft<'_>) -> ReplyText {
    ReplyText {
        id: draft.row.id,
        session: draft.append.id,
        seq: draft.row.seq,
        parts: draft.parts().to_vec(),
        covers: draft.row.covers.clone(),
    }
}
