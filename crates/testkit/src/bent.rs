//! A store that bends what is appended before it takes it, or what is read of replies: for tests that must notice. Must never be used for anything
//! but to show that a judge can tell.

use std::sync::Arc;

use async_trait::async_trait;
use replygate_gate::{
    AnsweredElsewhere, At, ConversationId, MessageId, Neighbours, ReplyId, SessionId,
};
use replygate_ports::store::{
    ActionRecord, Append, AppendError, DedupeKey, HistoryEntry, MessageText, ReplyText, Step,
    Store, StoreError, Stored,
};

/// What is done to an append, or to what a sender reads.
#[async_trait]
pub trait Bend: Send + Sync + 'static {
    /// Appends to `store`, or does something else.
    async fn append(&self, store: &dyn Store, append: Append) -> Result<u64, AppendError> {
        store.append(append).await
    }

    /// Reads the replies' contents from `store`, or does something else.
    async fn replies(
        &self,
        store: &dyn Store,
        replies: &[ReplyId],
    ) -> Result<Vec<ReplyText>, StoreError> {
        store.replies(replies).await
    }
}

/// A store that is bent; everything else is as the store behind it has it.
pub struct BentStore<B> {
    store: Arc<dyn Store>,
    bend: B,
}

impl<B: Bend> BentStore<B> {
    /// That store, bent.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, bend: B) -> Self {
        Self { store, bend }
    }
}

#[async_trait]
impl<B: Bend> Store for BentStore<B> {
    async fn append(&self, append: Append) -> Result<u64, AppendError> {
        self.bend.append(&*self.store, append).await
    }

    async fn load(&self, session: SessionId) -> Result<Option<Stored>, StoreError> {
        self.store.load(session).await
    }

    async fn neighbours(
        &self,
        conversation: ConversationId,
        session: SessionId,
    ) -> Result<Neighbours, StoreError> {
        self.store.neighbours(conversation, session).await
    }

    async fn scheduled(
        &self,
        until: At,
        after: Option<(At, SessionId)>,
        limit: u32,
    ) -> Result<Vec<(At, SessionId)>, StoreError> {
        self.store.scheduled(until, after, limit).await
    }

    async fn find_message(&self, key: &DedupeKey) -> Result<Option<MessageId>, StoreError> {
        self.store.find_message(key).await
    }

    async fn find_reply(&self, reply: ReplyId) -> Result<Option<SessionId>, StoreError> {
        self.store.find_reply(reply).await
    }

    async fn answered(
        &self,
        session: SessionId,
        messages: &[MessageId],
        except: ReplyId,
    ) -> Result<Vec<AnsweredElsewhere>, StoreError> {
        self.store.answered(session, messages, except).await
    }

    async fn texts(&self, messages: &[MessageId]) -> Result<Vec<MessageText>, StoreError> {
        self.store.texts(messages).await
    }

    async fn replies(&self, replies: &[ReplyId]) -> Result<Vec<ReplyText>, StoreError> {
        self.bend.replies(&*self.store, replies).await
    }

    async fn history(
        &self,
        session: SessionId,
        except: &[MessageId],
        limit: u32,
    ) -> Result<Vec<HistoryEntry>, StoreError> {
        self.store.history(session, except, limit).await
    }

    async fn events(
        &self,
        session: SessionId,
        after_version: u64,
        limit: u32,
    ) -> Result<Vec<Step>, StoreError> {
        self.store.events(session, after_version, limit).await
    }

    async fn action(&self, request_id: &str) -> Result<Option<ActionRecord>, StoreError> {
        self.store.action(request_id).await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.store.ping().await
    }
}
