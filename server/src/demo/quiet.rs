//! When everything waits: no call to what is stored is under way and no task has anything to do. Must only be asked inside a
//! runtime of one thread, where a task that yields runs again after every other that could.

mod calendar;
mod ledger;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use replygate_gate::{
    AnsweredElsewhere, At, ConversationId, MessageId, Neighbours, ReplyId, SessionId,
};
use replygate_ports::store::{
    ActionRecord, Append, AppendError, DedupeKey, HistoryEntry, MessageText, ReplyText, Step,
    Store, StoreError, Stored,
};
use tokio::sync::Notify;

pub(super) use calendar::WatchedCalendar;
pub(super) use ledger::WatchedLedger;

/// A call passes from task to task before it reaches the store; after so many rounds without one, none is on its way.
const ROUNDS: u32 = 48;

/// Knows how many calls are under way.
#[derive(Default)]
pub(super) struct Watch {
    calls: AtomicUsize,
    ended: Notify,
}

/// A call that is under way until it is dropped.
pub(super) struct Call<'w>(&'w Watch);

impl Drop for Call<'_> {
    fn drop(&mut self) {
        self.0.calls.fetch_sub(1, Ordering::Relaxed);
        self.0.ended.notify_one();
    }
}

impl Watch {
    /// Returns when everything waits for time to pass.
    pub(super) async fn quiet(&self) {
        let mut calm = 0;
        while calm < ROUNDS {
            if self.calls.load(Ordering::Relaxed) > 0 {
                self.ended.notified().await;
                calm = 0;
            }
            tokio::task::yield_now().await;
            calm += 1;
        }
    }

    /// A call begins.
    pub(super) fn call(&self) -> Call<'_> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        Call(self)
    }
}

/// A store whose calls are watched.
pub(super) struct WatchedStore {
    store: Arc<dyn Store>,
    watch: Arc<Watch>,
}

impl WatchedStore {
    pub(super) const fn new(store: Arc<dyn Store>, watch: Arc<Watch>) -> Self {
        Self { store, watch }
    }
}

#[async_trait]
impl Store for WatchedStore {
    async fn load(&self, session: SessionId) -> Result<Option<Stored>, StoreError> {
        let _call = self.watch.call();
        self.store.load(session).await
    }

    async fn neighbours(
        &self,
        conversation: ConversationId,
        session: SessionId,
    ) -> Result<Neighbours, StoreError> {
        let _call = self.watch.call();
        self.store.neighbours(conversation, session).await
    }

    async fn append(&self, append: Append) -> Result<u64, AppendError> {
        let _call = self.watch.call();
        self.store.append(append).await
    }

    async fn scheduled(
        &self,
        until: At,
        after: Option<(At, SessionId)>,
        limit: u32,
    ) -> Result<Vec<(At, SessionId)>, StoreError> {
        let _call = self.watch.call();
        self.store.scheduled(until, after, limit).await
    }

    async fn find_message(&self, key: &DedupeKey) -> Result<Option<MessageId>, StoreError> {
        let _call = self.watch.call();
        self.store.find_message(key).await
    }

    async fn find_reply(&self, reply: ReplyId) -> Result<Option<SessionId>, StoreError> {
        let _call = self.watch.call();
        self.store.find_reply(reply).await
    }

    async fn answered(
        &self,
        session: SessionId,
        messages: &[MessageId],
        except: ReplyId,
    ) -> Result<Vec<AnsweredElsewhere>, StoreError> {
        let _call = self.watch.call();
        self.store.answered(session, messages, except).await
    }

    async fn texts(&self, messages: &[MessageId]) -> Result<Vec<MessageText>, StoreError> {
        let _call = self.watch.call();
        self.store.texts(messages).await
    }

    async fn replies(&self, replies: &[ReplyId]) -> Result<Vec<ReplyText>, StoreError> {
        let _call = self.watch.call();
        self.store.replies(replies).await
    }

    async fn history(
        &self,
        session: SessionId,
        except: &[MessageId],
        limit: u32,
    ) -> Result<Vec<HistoryEntry>, StoreError> {
        let _call = self.watch.call();
        self.store.history(session, except, limit).await
    }

    async fn events(
        &self,
        session: SessionId,
        after_version: u64,
        limit: u32,
    ) -> Result<Vec<Step>, StoreError> {
        let _call = self.watch.call();
        self.store.events(session, after_version, limit).await
    }

    async fn action(&self, request_id: &str) -> Result<Option<ActionRecord>, StoreError> {
        let _call = self.watch.call();
        self.store.action(request_id).await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        let _call = self.watch.call();
        self.store.ping().await
    }
}
