//! The model test can fail: a store with a small fault is told from the model.

use std::sync::Arc;

use async_trait::async_trait;
use replygate_gate::{
    AnsweredElsewhere, At, ConversationId, MessageId, Neighbours, ReplyId, SessionId,
};
use replygate_ports::store::{
    ActionRecord, Append, AppendError, DedupeKey, HistoryEntry, MessageText, ReplyText, Step,
    Store, StoreError, Stored,
};
use replygate_ports::upkeep::Upkeep;
use replygate_ports::views::Views;
use replygate_testkit::contract::{Harness, Missing, StoreHarness, UpkeepHarness, ViewsHarness};
use replygate_testkit::memory::MemoryStore;

/// What is wrong with the store under test.
trait Fault: Send + Sync + 'static {
    fn spoil(append: Append) -> Append;
}

struct Sound;

impl Fault for Sound {
    fn spoil(append: Append) -> Append {
        append
    }
}

/// Forgets to schedule.
struct Sleepy;

impl Fault for Sleepy {
    fn spoil(append: Append) -> Append {
        Append {
            next_at: None,
            ..append
        }
    }
}

/// Loses an operator's deed.
struct Forgetful;

impl Fault for Forgetful {
    fn spoil(append: Append) -> Append {
        Append {
            action: None,
            ..append
        }
    }
}

/// Loses the last part of a reply.
struct Clipping;

impl Fault for Clipping {
    fn spoil(mut append: Append) -> Append {
        if let Some(reply) = &mut append.reply {
            reply.parts.pop();
        }
        append
    }
}

struct Faulty<F> {
    store: MemoryStore,
    fault: std::marker::PhantomData<F>,
}

#[async_trait]
impl<F: Fault> Store for Faulty<F> {
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
    async fn append(&self, append: Append) -> Result<u64, AppendError> {
        self.store.append(F::spoil(append)).await
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
        self.store.replies(replies).await
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

struct InMemory<F> {
    store: MemoryStore,
    fault: std::marker::PhantomData<F>,
}

impl<F: Fault> Harness for InMemory<F> {
    async fn start() -> Result<Self, Missing> {
        Ok(Self {
            store: MemoryStore::new(),
            fault: std::marker::PhantomData,
        })
    }
    async fn restart(self) -> Option<Self> {
        Some(self)
    }
}

impl<F: Fault> StoreHarness for InMemory<F> {
    fn store(&self) -> Arc<dyn Store> {
        Arc::new(Faulty::<F> {
            store: self.store.clone(),
            fault: std::marker::PhantomData,
        })
    }
}

impl<F: Fault> ViewsHarness for InMemory<F> {
    fn views(&self) -> Arc<dyn Views> {
        Arc::new(self.store.clone())
    }
}

impl<F: Fault> UpkeepHarness for InMemory<F> {
    fn upkeep(&self) -> Arc<dyn Upkeep> {
        Arc::new(self.store.clone())
    }
}

replygate_testkit::store_model!(the_model_agrees_with_itself, InMemory<Sound>, 64);

#[test]
#[should_panic(expected = "scheduled differs")]
fn a_store_that_forgets_to_schedule_is_found() {
    replygate_testkit::model::compare::<InMemory<Sleepy>>(64);
}

#[test]
#[should_panic(expected = "action differs")]
fn a_store_that_loses_an_operators_deed_is_found() {
    replygate_testkit::model::compare::<InMemory<Forgetful>>(256);
}

#[test]
#[should_panic(expected = "history differs")]
fn a_store_that_clips_a_reply_is_found() {
    replygate_testkit::model::compare::<InMemory<Clipping>>(64);
}
