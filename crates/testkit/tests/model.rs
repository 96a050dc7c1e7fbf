//! The model test can fail: a store with a small fault is told from the model.

use std::sync::Arc;

use async_trait::async_trait;
use replygate_ports::accounts::Accounts;
use replygate_ports::store::{Append, AppendError, Store};
use replygate_ports::upkeep::Upkeep;
use replygate_ports::views::Views;
use replygate_testkit::bent::{Bend, BentStore};
use replygate_testkit::contract::{
    AccountsHarness, Harness, Missing, StoreHarness, UpkeepHarness, ViewsHarness,
};
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

struct Faulty<F>(std::marker::PhantomData<F>);

#[async_trait]
impl<F: Fault> Bend for Faulty<F> {
    async fn append(&self, store: &dyn Store, append: Append) -> Result<u64, AppendError> {
        store.append(F::spoil(append)).await
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
        let faulty = Faulty::<F>(std::marker::PhantomData);
        Arc::new(BentStore::new(Arc::new(self.store.clone()), faulty))
    }
}

impl<F: Fault> ViewsHarness for InMemory<F> {
    fn views(&self) -> Arc<dyn Views> {
        Arc::new(self.store.clone())
    }
}

impl<F: Fault> AccountsHarness for InMemory<F> {
    fn accounts(&self) -> Arc<dyn Accounts> {
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
