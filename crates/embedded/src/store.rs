//! Sessions, events and texts: appends go to the writer, reads to the cache and the reading connections.

mod history;
mod read;
mod rows;

use std::sync::Arc;

use async_trait::async_trait;
use replygate_gate::{
    AnsweredElsewhere, At, ConversationId, MessageId, Neighbours, ReplyId, SessionId,
};
use replygate_ports::store::{
    ActionRecord, Append, AppendError, DedupeKey, HistoryEntry, MessageText, ReplyText, Step,
    Store, StoreError, Stored,
};

pub(crate) use rows::{action_record, known_session, step};

use crate::cache::Look;
use crate::database::Database;
use crate::error::unavailable;

#[async_trait]
impl Store for Database {
    async fn load(&self, session: SessionId) -> Result<Option<Stored>, StoreError> {
        let ticket = match self.inner.cache.look(session) {
            Look::Here(known) => return Ok(Some(Arc::unwrap_or_clone(known).stored)),
            Look::Absent => return Ok(None),
            Look::Unknown(ticket) => ticket,
        };
        let Some(known) = self.read_session(session).await? else {
            return Ok(None);
        };
        let stored = known.stored.clone();
        self.inner.cache.fill(session, ticket, Arc::new(known));
        Ok(Some(stored))
    }

    async fn neighbours(
        &self,
        conversation: ConversationId,
        session: SessionId,
    ) -> Result<Neighbours, StoreError> {
        self.read_neighbours(conversation, session).await
    }

    async fn append(&self, append: Append) -> Result<u64, AppendError> {
        self.inner.writer.append(append).await
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
        let mut write = self.inner.side.begin().await?;
        sqlx::query("UPDATE meta SET pinged = pinged + 1")
            .execute(write.connection())
            .await
            .map_err(unavailable)?;
        write.commit().await.map_err(unavailable)
    }
}
