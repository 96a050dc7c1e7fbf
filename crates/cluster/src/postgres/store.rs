//! Sessions, events and texts: appends go to the writers, reads to the reading connections.

mod history;
mod read;
mod rows;

use async_trait::async_trait;
use replygate_gate::{
    AnsweredElsewhere, At, ConversationId, MessageId, Neighbours, ReplyId, SessionId,
};
use replygate_ports::store::{
    ActionRecord, Append, AppendError, DedupeKey, HistoryEntry, MessageText, ReplyText, Step,
    Store, StoreError, Stored,
};

use super::Postgres;

pub(super) use read::uuids;
pub(super) use rows::{action_record, known_session, step};

#[async_trait]
impl Store for Postgres {
    async fn load(&self, session: SessionId) -> Result<Option<Stored>, StoreError> {
        self.read_session(session).await
    }

    async fn neighbours(
        &self,
        conversation: ConversationId,
        session: SessionId,
    ) -> Result<Neighbours, StoreError> {
        self.read_neighbours(conversation, session).await
    }

    async fn append(&self, append: Append) -> Result<u64, AppendError> {
        self.inner.writers.append(append).await
    }

    async fn scheduled(
        &self,
        until: At,
        after: Option<(At, SessionId)>,
        limit: u32,
    ) -> Result<Vec<(At, SessionId)>, StoreError> {
        self.read_scheduled(until, after, limit).await
    }

    async fn find_message(&self, key: &DedupeKey) -> Result<Option<MessageId>, StoreError> {
        self.read_dedupe(key).await
    }

    async fn find_reply(&self, reply: ReplyId) -> Result<Option<SessionId>, StoreError> {
        self.read_reply_session(reply).await
    }

    async fn answered(
        &self,
        session: SessionId,
        messages: &[MessageId],
        except: ReplyId,
    ) -> Result<Vec<AnsweredElsewhere>, StoreError> {
        self.read_answered(session, messages, except).await
    }

    async fn texts(&self, messages: &[MessageId]) -> Result<Vec<MessageText>, StoreError> {
        self.read_texts(messages).await
    }

    async fn replies(&self, replies: &[ReplyId]) -> Result<Vec<ReplyText>, StoreError> {
        self.read_reply_texts(replies).await
    }

    async fn history(
        &self,
        session: SessionId,
        except: &[MessageId],
        limit: u32,
    ) -> Result<Vec<HistoryEntry>, StoreError> {
        self.read_history(session, except, limit).await
    }

    async fn events(
        &self,
        session: SessionId,
        after_version: u64,
        limit: u32,
    ) -> Result<Vec<Step>, StoreError> {
        self.read_steps(session, after_version, limit).await
    }

    async fn action(&self, request_id: &str) -> Result<Option<ActionRecord>, StoreError> {
        self.read_action(request_id).await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        let query = sqlx::query("UPDATE meta SET pinged = pinged + 1");
        self.inner.readers.change(query).await.map(drop)
    }
}
