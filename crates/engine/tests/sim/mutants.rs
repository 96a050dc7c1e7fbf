//! The judge can tell: worlds whose adapters break a promise of their port do not pass. And the ports that promise
//! nothing are not needed: worlds in which they lie do.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use replygate_gate::tools::{Recipe, RecipeKind};
use replygate_gate::{At, SessionId, TurnId};
use replygate_ports::clock::Clock;
use replygate_ports::leases::{Leases, Leave};
use replygate_ports::mirror::{Glance, Mirror};
use replygate_ports::store::{Append, AppendError, Store};
use replygate_testkit::bent::{Bend, BentStore};

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
    flaw: Flaw,
    appends: AtomicU64,
}

#[async_trait]
impl Bend for Flawed {
    async fn append(&self, store: &dyn Store, mut append: Append) -> Result<u64, AppendError> {
        let number = self.appends.fetch_add(1, Ordering::Relaxed);
        match self.flaw {
            Flaw::NoVersions => {
                let present = store.load(append.id).await?;
                append.expected = present.map_or(0, |stored| stored.version);
            }
            Flaw::NoDedupe => {
                if let Some(message) = &mut append.message {
                    message.dedupe.provider_id = format!("{}", message.id);
                }
            }
            Flaw::Forgets if number % 20 == 19 => return Ok(append.expected + 1),
            Flaw::Forgets => {}
        }
        store.append(append).await
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

/// A mirror that calls every reply held or final.
struct Liar;

#[async_trait]
impl Mirror for Liar {
    async fn tell(&self, _: SessionId, _: Glance) {}

    async fn look(&self, _: SessionId) -> Option<Glance> {
        Some(Glance {
            version: u64::MAX,
            next: None,
            held: None,
        })
    }
}

/// Leases that say yes to everybody, and now and then no to everybody.
#[derive(Default)]
struct Moody(AtomicU64);

#[async_trait]
impl Leases for Moody {
    async fn acquire(&self, _: SessionId, _: TurnId, _: Duration) -> Leave {
        let number = self.0.fetch_add(1, Ordering::Relaxed);
        if number % 5 == 4 {
            Leave::Taken
        } else {
            Leave::Granted
        }
    }

    async fn release(&self, _: SessionId, _: TurnId) {}
}

fn store_with(flaw: Flaw) -> impl Fn(&mut Ground) {
    move |ground| {
        let flawed = Flawed {
            flaw,
            appends: AtomicU64::new(0),
        };
        ground.port = Arc::new(BentStore::new(ground.port.clone(), flawed));
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
fn a_guard_that_takes_every_call_for_another_one_is_found() {
    let breaches = (0..60).flat_map(|seed| {
        let mut script = script(seed);
        script.tool.recipe = Recipe::of(RecipeKind::Arguments);
        play_on(|_| {}, script, seed, plan(seed)).breaches
    });
    assert!(breaches.into_iter().any(|breach| breach.starts_with("I9:")));
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

#[test]
fn a_mirror_and_leases_that_lie_break_nothing() {
    let lies = |ground: &mut Ground| {
        if let Some(shared) = &mut ground.shared {
            shared.mirror = Arc::new(Liar);
            shared.leases = Arc::new(Moody::default());
        }
    };
    assert_eq!(found(lies), Vec::<String>::new());
}
