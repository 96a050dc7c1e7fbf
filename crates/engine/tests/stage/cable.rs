//! A process's way to the store. Every call gives other tasks their turn first, so that two processes over one store
//! meet as they would in the world; while the cable is cut, every call fails, at once or after a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use replygate_gate::{
    AnsweredElsewhere, At, ConversationId, MessageId, Neighbours, ReplyId, SessionId,
};
use replygate_ports::clock::Clock;
use replygate_ports::store::{
    ActionRecord, Append, AppendError, DedupeKey, HistoryEntry, MessageText, ReplyText, Step,
    Store, StoreError, Stored,
};
use replygate_testkit::clock::SimClock;
use replygate_testkit::memory::MemoryStore;

pub struct Cable {
    store: Arc<MemoryStore>,
    clock: SimClock,
    cut: AtomicBool,
    fails_after_ms: AtomicU64,
    calls: AtomicU64,
    appends: AtomicU64,
}

impl Cable {
    pub fn to(store: Arc<MemoryStore>) -> Arc<Self> {
        Arc::new(Self {
            store,
            clock: SimClock::start(),
            cut: AtomicBool::new(false),
            fails_after_ms: AtomicU64::new(0),
            calls: AtomicU64::new(0),
            appends: AtomicU64::new(0),
        })
    }

    pub fn cut(&self) {
        self.cut.store(true, Ordering::SeqCst);
    }

    /// From now on every call fails, after so long.
    pub fn cut_slowly(&self, ms: u64) {
        self.fails_after_ms.store(ms, Ordering::SeqCst);
        self.cut();
    }

    pub fn mend(&self) {
        self.cut.store(false, Ordering::SeqCst);
    }

    /// How often the store was asked for anything.
    pub fn calls(&self) -> u64 {
        self.calls.load(Ordering::SeqCst)
    }

    /// How often it was asked to append.
    pub fn appends(&self) -> u64 {
        self.appends.load(Ordering::SeqCst)
    }

    async fn through(&self) -> Result<&MemoryStore, StoreError> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        tokio::task::yield_now().await;
        if self.cut.load(Ordering::SeqCst) {
            let ms = self.fails_after_ms.load(Ordering::SeqCst);
            if ms > 0 {
                self.clock.sleep(Duration::from_millis(ms)).await;
            }
            return Err(StoreError::Unavailable("the cable is cut".into()));
        }
        Ok(&self.store)
    }
}

#[async_trait]
impl Store for Cable {
    async fn load(&self, session: SessionId) -> Result<Option<Stored>, StoreError> {
        self.through().await?.load(session).await
    }

    async fn neighbours(
        &self,
        conversation: ConversationId,
        session: SessionId,
    ) -> Result<Neighbours, StoreError> {
        self.through()
            .await?
            .neighbours(conversation, session)
            .await
    }

    async fn append(&self, append: Append) -> Result<u64, AppendError> {
        self.appends.fetch_add(1, Ordering::SeqCst);
        self.through().await?.append(append).await
    }

    async fn scheduled(
        &self,
        until: At,
        after: Option<(At, SessionId)>,
        limit: u32,
    ) -> Result<Vec<(At, SessionId)>, StoreError> {
        self.through().await?.scheduled(until, after, limit).await
    }

    async fn find_message(&self, key: &DedupeKey) -> Result<Option<MessageId>, StoreError> {
        self.through().await?.find_message(key).await
    }

    async fn find_reply(&self, reply: ReplyId) -> Result<Option<SessionId>, StoreError> {
        self.through().await?.find_reply(reply).await
    }

    async fn answered(
        &self,
        session: SessionId,
        messages: &[MessageId],
        except: ReplyId,
    ) -> Result<Vec<AnsweredElsewhere>, StoreError> {
        self.through()
            .await?
            .answered(session, messages, except)
            .await
    }

    async fn texts(&self, messages: &[MessageId]) -> Result<Vec<MessageText>, StoreError> {
        self.through().await?.texts(messages).await
    }

    async fn replies(&self, replies: &[ReplyId]) -> Result<Vec<ReplyText>, StoreError> {
        self.through().await?.replies(replies).await
    }

    async fn history(
        &self,
        session: SessionId,
        except: &[MessageId],
        limit: u32,
    ) -> Result<Vec<HistoryEntry>, StoreError> {
        self.through().await?.history(session, except, limit).await
    }

    async fn events(
        &self,
        session: SessionId,
        after_version: u64,
        limit: u32,
    ) -> Result<Vec<Step>, StoreError> {
        self.through()
            .await?
            .events(session, after_version, limit)
            .await
    }

    async fn action(&self, request_id: &str) -> Result<Option<ActionRecord>, StoreError> {
        self.through().await?.action(request_id).await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.through().await?.ping().await
    }
}
