//! What the pipeline reads and appends.

use async_trait::async_trait;
use replygate_gate::{
    AnsweredElsewhere, At, ConversationId, MessageId, Neighbours, ReplyId, ReplyStatus, SessionId,
};
use replygate_ports::store::{
    ActionRecord, Append, AppendError, DedupeKey, HistoryEntry, MessageText, ReplyText, Step,
    Store, StoreError, Stored,
};

use super::MemoryStore;
use super::tables::{Tables, at_most};

#[async_trait]
impl Store for MemoryStore {
    async fn load(&self, session: SessionId) -> Result<Option<Stored>, StoreError> {
        Ok(self
            .tables()
            .sessions
            .get(&session)
            .map(|row| row.stored.clone()))
    }

    async fn neighbours(
        &self,
        conversation: ConversationId,
        session: SessionId,
    ) -> Result<Neighbours, StoreError> {
        Ok(self.tables().neighbours(conversation, session))
    }

    async fn append(&self, append: Append) -> Result<u64, AppendError> {
        self.tables().append(append)
    }

    async fn scheduled(
        &self,
        until: At,
        after: Option<(At, SessionId)>,
        limit: u32,
    ) -> Result<Vec<(At, SessionId)>, StoreError> {
        let tables = self.tables();
        let due = tables
            .scheduled
            .iter()
            .filter(|entry| after.is_none_or(|after| **entry > after));
        Ok(due
            .take_while(|(at, _)| *at <= until)
            .take(at_most(limit))
            .copied()
            .collect())
    }

    async fn find_message(&self, key: &DedupeKey) -> Result<Option<MessageId>, StoreError> {
        Ok(self
            .tables()
            .dedupe
            .get(key)
            .map(|received| received.message))
    }

    async fn find_reply(&self, reply: ReplyId) -> Result<Option<SessionId>, StoreError> {
        Ok(self
            .tables()
            .replies
            .get(&reply)
            .map(|row| row.view.session))
    }

    async fn answered(
        &self,
        session: SessionId,
        messages: &[MessageId],
        except: ReplyId,
    ) -> Result<Vec<AnsweredElsewhere>, StoreError> {
        Ok(self.tables().answered(session, messages, except))
    }

    async fn texts(&self, messages: &[MessageId]) -> Result<Vec<MessageText>, StoreError> {
        let tables = self.tables();
        let found = messages.iter().filter_map(|id| tables.messages.get(id));
        Ok(found
            .map(|row| MessageText {
                id: row.view.id,
                kind: row.view.kind,
                text: row.view.text.clone(),
                sent_at: row.view.sent_at,
                received_at: row.view.received_at,
                edit_of: row.view.edit_of,
            })
            .collect())
    }

    async fn replies(&self, replies: &[ReplyId]) -> Result<Vec<ReplyText>, StoreError> {
        let tables = self.tables();
        let found = replies.iter().filter_map(|id| tables.replies.get(id));
        Ok(found
            .map(|row| ReplyText {
                id: row.view.id,
                session: row.view.session,
                seq: row.view.seq,
                parts: row.view.parts.clone(),
                covers: row.view.covers.clone(),
            })
            .collect())
    }

    async fn history(
        &self,
        session: SessionId,
        except: &[MessageId],
        limit: u32,
    ) -> Result<Vec<HistoryEntry>, StoreError> {
        Ok(self.tables().history(session, except, at_most(limit)))
    }

    async fn events(
        &self,
        session: SessionId,
        after_version: u64,
        limit: u32,
    ) -> Result<Vec<Step>, StoreError> {
        let tables = self.tables();
        let steps = tables
            .steps
            .range((session, after_version.saturating_add(1))..=(session, u64::MAX));
        Ok(steps
            .take(at_most(limit))
            .map(|(_, step)| step.clone())
            .collect())
    }

    async fn action(&self, request_id: &str) -> Result<Option<ActionRecord>, StoreError> {
        Ok(self.tables().actions.get(request_id).cloned())
    }

    async fn ping(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

impl Tables {
    fn neighbours(&self, conversation: ConversationId, session: SessionId) -> Neighbours {
        let others = self
            .sessions
            .iter()
            .filter(|(id, row)| **id != session && row.conversation == conversation)
            .map(|(_, row)| &row.stored.session);
        let mut neighbours = Neighbours::default();
        for other in others {
            neighbours.last_seq = neighbours.last_seq.max(other.last_seq);
            let in_line = other.replies.iter().filter(|reply| other.is_in_line(reply));
            let open = in_line.map(|reply| reply.seq).min();
            neighbours.first_open = neighbours.first_open.into_iter().chain(open).min();
        }
        neighbours
    }

    fn answered(
        &self,
        session: SessionId,
        messages: &[MessageId],
        except: ReplyId,
    ) -> Vec<AnsweredElsewhere> {
        let answers = self.replies.values().map(|row| &row.view).filter(|reply| {
            reply.session == session
                && reply.id != except
                && matches!(reply.status, ReplyStatus::Delivered | ReplyStatus::Unknown)
        });
        answers
            .flat_map(|reply| {
                let covered = reply
                    .covers
                    .iter()
                    .filter(|covered| messages.contains(covered));
                covered.map(|message| AnsweredElsewhere {
                    message: *message,
                    by: reply.id,
                    status: reply.status,
                })
            })
            .collect()
    }
}
