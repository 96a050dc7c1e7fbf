//! The conversation as the agent reads it.

use replygate_gate::{At, Author, DropReason, MessageId, SessionId};
use replygate_ports::changes::MessageState;
use replygate_ports::store::HistoryEntry;
use replygate_ports::views::{MessageView, ReplyView};

use super::tables::Tables;

impl Tables {
    pub(super) fn history(
        &self,
        session: SessionId,
        except: &[MessageId],
        limit: usize,
    ) -> Vec<HistoryEntry> {
        let Some(conversation) = self.sessions.get(&session).map(|row| row.conversation) else {
            return Vec::new();
        };
        let begin = self.history_ends.get(&conversation).copied().unwrap_or(0);
        let messages = self
            .messages
            .values()
            .filter(|row| row.conversation == conversation && row.row > begin)
            .filter(|row| !except.contains(&row.view.id) && !is_command(&row.view))
            .map(|row| (row.view.written_at(), row.row, customer(&row.view)));
        let replies = self
            .replies
            .values()
            .filter(|row| row.conversation == conversation && row.row > begin)
            .map(|row| (row.view.created_at, row.row, answer(&row.view)));
        let mut entries: Vec<(At, u64, HistoryEntry)> = messages.chain(replies).collect();
        entries.sort_by_key(|(at, row, _)| (*at, *row));
        let skipped = entries.len().saturating_sub(limit);
        entries
            .into_iter()
            .skip(skipped)
            .map(|(_, _, entry)| entry)
            .collect()
    }
}

fn is_command(message: &MessageView) -> bool {
    message.state == MessageState::Dropped(DropReason::IsCommand)
}

fn customer(message: &MessageView) -> HistoryEntry {
    HistoryEntry::Customer {
        message: message.id,
        at: message.written_at(),
        kind: message.kind,
        text: message.text.clone(),
    }
}

fn answer(reply: &ReplyView) -> HistoryEntry {
    let (id, at, parts) = (reply.id, reply.created_at, reply.parts.clone());
    match reply.author {
        Author::Person => HistoryEntry::Person {
            reply: id,
            at,
            parts,
        },
        Author::Agent => HistoryEntry::Agent {
            reply: id,
            at,
            parts,
            sent: reply.sent,
            fate: reply.status.into(),
        },
    }
}
