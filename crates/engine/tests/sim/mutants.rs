//! The judge can tell: worlds whose adapters break a promise of their port do not pass.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
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

use crate::process::Ground;
use crate::script::script;
use crate::seeds::plan;
use crate::world::play_on;

/// What is wrong with the store.
#[derive(Clone, Copy)]
enum Flaw {
    /// Whoever writes last wins.
    NoVersions,
    /// Every delivery of a message is a new message.
    NoDedupe,
    /// Now and then it says yes and does nothing.
    Forgets,
}

struct Flawed {
    store: Arc<dyn Store>,
    flaw: Flaw,
    appends: AtomicU64,
}

impl Flawed {
    async fn bent(&self, mut append: Append) -> Append {
        match self.flaw {
            Flaw::NoVersions => {
                let present = self.store.load(append.id).await.unwrap();
                append.expected = present.map_or(0, |stored| stored.version);
            }
            Flaw::NoDedupe => {
                if let Some(message) = &mut append.message {
                    message.dedupe.provider_id = format!("{}", message.id);
                }
            }
            Flaw::Forgets => {}
        }
        append
    }
}

#[async_trait]
impl Store for Flawed {
    async fn append(&self, append: Append) -> Result<u64, AppendError> {
        let number = self.appends.fetch_add(1, Ordering::Relaxed);
        if matches!(self.flaw, Flaw::Forgets) && number % 20 == 19 {
            return Ok(append.expected + 1);
        }
        self.store.append(self.bent(append).await).await
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

/// A clock that does not wait long enough.
struct Hasty(Arc<dyn Clock>);

#[async_trait]
impl Clock for Hasty {
    fn now(&self) -> At {
        self.0.now()
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    async fn sleep(&self, wait: Duration) {
        self.0.sleep(wait).await;
    }

    async fn sleep_until(&self, at: At) {
        self.0.sleep_until(at.minus(2)).await;
    }
}

fn store_with(flaw: Flaw) -> impl Fn(&mut Ground) {
    move |ground| {
        ground.port = Arc::new(Flawed {
            store: ground.port.clone(),
            flaw,
            appends: AtomicU64::new(0),
        });
    }
}

/// The kinds of breaches that some seeds show on a bent ground.
fn found(bend: impl Fn(&mut Ground)) -> Vec<String> {
    let breaches = (0..60).flat_map(|seed| play_on(&bend, script(seed), seed, plan(seed)).breaches);
    let mut kinds: Vec<String> = breaches
        .filter_map(|breach| Some(breach.split_once(':')?.0.to_owned()))
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

#[test]
fn a_store_without_versions_is_found() {
    assert!(found(store_with(Flaw::NoVersions)).contains(&"I10".to_owned()));
}

#[test]
fn a_store_that_takes_every_delivery_for_a_new_message_is_found() {
    assert!(found(store_with(Flaw::NoDedupe)).contains(&"I8".to_owned()));
}

#[test]
fn a_store_that_forgets_what_it_acknowledged_is_found() {
    assert!(found(store_with(Flaw::Forgets)).contains(&"I8".to_owned()));
}

#[test]
fn a_clock_that_lets_replies_leave_early_is_found() {
    assert!(
        found(|ground| ground.time = Arc::new(Hasty(ground.time.clone())))
            .contains(&"early".to_owned())
    );
}
