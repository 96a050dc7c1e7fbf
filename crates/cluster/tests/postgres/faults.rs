//! What PostgreSQL or the wire to it can do to a process: refuse, vanish, stay silent, lose an answer.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::future::join_all;
use replygate_cluster::{Postgres, PostgresError};
use replygate_gate::At;
use replygate_ports::clock::Clock;
use replygate_ports::store::{AppendError, Store, StoreError};
use replygate_testkit::clock::SimClock;
use replygate_testkit::contract::stage::{Stage, direct};

use crate::proxy::{Proxy, Wire};
use crate::service::{Schema, address, host};

fn stage(postgres: &Postgres) -> Stage {
    Stage::new(Arc::new(postgres.clone()))
}

fn is_unavailable<T: std::fmt::Debug>(answer: &Result<T, AppendError>) -> bool {
    matches!(answer, Err(AppendError::Store(StoreError::Unavailable(_))))
}

/// A clock by which no connection ever rested, so that none is asked whether it is still there.
struct Restless(SimClock);

#[async_trait]
impl Clock for Restless {
    fn now(&self) -> At {
        self.0.now()
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    async fn sleep(&self, wait: Duration) {
        self.0.sleep(wait).await;
    }
}

/// A process that reaches the server over a wire of the test's.
async fn over(proxy: &Proxy, schema: &Schema) -> Postgres {
    let mut options = schema.options();
    options.url = address().replace(&host(), &proxy.address.to_string());
    options.statement_timeout = Duration::from_millis(300);
    options.writers = 1;
    let clock = Arc::new(Restless(SimClock::start()));
    Postgres::open(&options, clock).await.unwrap()
}

#[tokio::test]
async fn a_step_whose_commit_was_not_answered_is_met_by_its_own_retry() {
    let schema = Schema::new();
    let Some(direct_way) = schema.begin().await else {
        return;
    };
    let proxy = Proxy::to(host()).await;
    let postgres = over(&proxy, &schema).await;
    let mut stage = stage(&postgres);
    let ana = direct("ana");
    // The second one prepares the statement with which the third is sent.
    stage.arrive(&ana, "one").await;
    stage.arrive(&ana, "two").await;
    let message = stage.message(&ana, "three");
    let append = stage.arrival(&ana, message.clone()).await;

    proxy.become_(Wire::Deaf);
    let answer = postgres.append(append.clone()).await;
    assert!(is_unavailable(&answer), "{answer:?}");
    // Nobody knew it, but it is there.
    let stored = direct_way.load(ana.session()).await.unwrap().unwrap();
    assert_eq!(stored.version, 3);

    proxy.become_(Wire::Whole);
    let again = postgres.append(append).await;
    let is_known =
        matches!(again, Err(AppendError::Duplicate { message: known }) if known == message.id);
    assert!(is_known, "{again:?}");
}

#[tokio::test]
async fn a_silent_server_is_given_up_and_found_again() {
    let schema = Schema::new();
    if schema.begin().await.is_none() {
        return;
    }
    let proxy = Proxy::to(host()).await;
    let postgres = over(&proxy, &schema).await;
    let mut stage = stage(&postgres);
    let ana = direct("ana");
    stage.arrive(&ana, "one").await;
    let message = stage.message(&ana, "two");
    let append = stage.arrival(&ana, message).await;

    proxy.become_(Wire::Dead);
    let answer = postgres.append(append.clone()).await;
    assert!(is_unavailable(&answer), "{answer:?}");
    assert!(matches!(
        postgres.load(ana.session()).await,
        Err(StoreError::Unavailable(_))
    ));
    assert!(matches!(
        postgres.ping().await,
        Err(StoreError::Unavailable(_))
    ));

    proxy.become_(Wire::Whole);
    proxy.cut();
    assert_eq!(postgres.append(append).await.unwrap(), 2);
    postgres.ping().await.unwrap();
}

#[tokio::test]
async fn connections_that_broke_are_replaced() {
    let schema = Schema::new();
    if schema.begin().await.is_none() {
        return;
    }
    let proxy = Proxy::to(host()).await;
    let postgres = over(&proxy, &schema).await;
    let mut stage = stage(&postgres);
    let ana = direct("ana");
    stage.arrive(&ana, "one").await;
    let loads = (0..4).map(|_| postgres.load(ana.session()));
    assert!(join_all(loads).await.iter().all(Result::is_ok));

    proxy.cut();
    // At most what was on its way is lost: one failure tells that the other connections are gone too.
    let answers = [
        postgres.load(ana.session()).await,
        postgres.load(ana.session()).await,
    ];
    assert!(answers[1].is_ok(), "{answers:?}");
    let message = stage.message(&ana, "two");
    let append = stage.arrival(&ana, message).await;
    let first = postgres.append(append.clone()).await;
    if first.is_err() {
        assert!(is_unavailable(&first), "{first:?}");
        assert_eq!(postgres.append(append).await.unwrap(), 2);
    }
}

#[tokio::test]
async fn a_row_that_somebody_else_holds_is_not_waited_for_without_end() {
    let schema = Schema::new();
    if schema.begin().await.is_none() {
        return;
    }
    let proxy = Proxy::to(host()).await;
    let postgres = over(&proxy, &schema).await;
    let mut stage = stage(&postgres);
    let (ana, rui) = (direct("ana"), direct("rui"));
    stage.arrive(&ana, "one").await;
    let message = stage.message(&ana, "two");
    let append = stage.arrival(&ana, message).await;

    let holder = schema.hold("SELECT * FROM session FOR UPDATE").await;
    let answer = postgres.append(append.clone()).await;
    assert!(is_unavailable(&answer), "{answer:?}");
    stage.arrive(&rui, "nobody holds this").await;
    drop(holder);
    assert_eq!(stage.load(&ana).await.version, 1);
    assert_eq!(postgres.append(append).await.unwrap(), 2);
}

#[tokio::test]
async fn a_step_that_cannot_be_stored_fails_alone() {
    let schema = Schema::new();
    let Some(postgres) = schema.begin().await else {
        return;
    };
    let mut stage = stage(&postgres);
    let taken = stage.arrive(&direct("ana"), "hello").await;
    let mut appends = Vec::new();
    for number in 0..10 {
        let key = direct(&format!("contact {number}"));
        let mut message = stage.message(&key, "hello");
        if number == 5 {
            message.id = taken;
        }
        appends.push(stage.arrival(&key, message).await);
    }
    let answers = join_all(appends.into_iter().map(|append| postgres.append(append))).await;
    let failed: Vec<usize> = (0..10).filter(|number| answers[*number].is_err()).collect();
    assert_eq!(failed, [5], "{answers:?}");
    assert!(is_unavailable(&answers[5]));
    assert_eq!(
        postgres.load(direct("contact 5").session()).await.unwrap(),
        None
    );
}

#[tokio::test]
async fn a_chain_of_steps_in_one_batch_is_judged_in_order() {
    let schema = Schema::new();
    let Some(postgres) = schema.begin().await else {
        return;
    };
    let mut stage = stage(&postgres);
    let ana = direct("ana");
    // A second store on the side tells what each step would be.
    let aside = Stage::new(Arc::new(replygate_testkit::memory::MemoryStore::new()));
    let mut chain = Vec::new();
    for number in 0..20 {
        let message = stage.message(&ana, &number.to_string());
        let append = aside.arrival(&ana, message).await;
        aside.store.append(append.clone()).await.unwrap();
        chain.push(append);
    }
    let answers = join_all(chain.into_iter().map(|append| postgres.append(append))).await;
    let versions: Vec<u64> = answers.into_iter().map(Result::unwrap).collect();
    assert_eq!(versions, (1..=20).collect::<Vec<u64>>());
    assert_eq!(stage.load(&ana).await, aside.load(&ana).await);
}

#[tokio::test]
async fn a_step_decided_on_a_chain_that_broke_is_refused() {
    let schema = Schema::new();
    let (Some(postgres), Some(other)) = (schema.begin().await, schema.begin().await) else {
        return;
    };
    let mut stage = stage(&postgres);
    let ana = direct("ana");
    stage.arrive(&ana, "one").await;
    let aside = Stage::new(Arc::new(replygate_testkit::memory::MemoryStore::new()));
    let mut chain = Vec::new();
    for number in 0..3 {
        let message = stage.message(&ana, &number.to_string());
        let append = aside.arrival(&ana, message).await;
        aside.store.append(append.clone()).await.unwrap();
        chain.push(append);
    }
    // The first of the chain believes in a version that is gone; the second believes in the present one.
    let newest = stage.message(&ana, "newest");
    let second = stage.arrival(&ana, newest).await;
    let answers = join_all([chain.remove(0), second].map(|append| other.append(append))).await;
    assert!(
        matches!(
            answers[0],
            Err(AppendError::Conflict {
                expected: 0,
                present: 1 | 2
            })
        ),
        "{answers:?}"
    );
    assert!(matches!(answers[1], Ok(2)), "{answers:?}");
}

#[tokio::test]
async fn a_closed_store_refuses_instead_of_losing() {
    let schema = Schema::new();
    let Some(postgres) = schema.begin().await else {
        return;
    };
    let mut stage = stage(&postgres);
    let message = stage.message(&direct("ana"), "hello");
    let append = stage.arrival(&direct("ana"), message).await;
    postgres.close().await;
    let answer = postgres.append(append).await;
    assert!(is_unavailable(&answer), "{answer:?}");
    assert!(matches!(
        postgres.load(direct("ana").session()).await,
        Err(StoreError::Unavailable(_))
    ));
}

#[tokio::test]
async fn a_database_that_may_only_be_read_is_not_ready() {
    let schema = Schema::new();
    let Some(writable) = schema.begin().await else {
        return;
    };
    stage(&writable).arrive(&direct("ana"), "hello").await;
    let mut options = schema.options();
    let mark = if options.url.contains('?') { '&' } else { '?' };
    options.url = format!(
        "{}{mark}options[default_transaction_read_only]=on",
        options.url
    );
    let standby = Postgres::open(&options, Arc::new(SimClock::start()))
        .await
        .unwrap();
    assert!(
        standby
            .load(direct("ana").session())
            .await
            .unwrap()
            .is_some()
    );
    assert!(matches!(
        standby.ping().await,
        Err(StoreError::Unavailable(_))
    ));
}

#[tokio::test]
async fn a_newer_schema_is_refused_with_both_versions() {
    let schema = Schema::new();
    if schema.begin().await.is_none() {
        return;
    }
    schema.run("UPDATE meta SET schema = 99").await;
    let Err(refused) = Postgres::open(&schema.options(), Arc::new(SimClock::start())).await else {
        panic!("opened")
    };
    let PostgresError::Newer { found, known, .. } = &refused else {
        panic!("{refused:?}")
    };
    assert!(*found == 99 && (1..99).contains(known), "{refused:?}");
    let (text, known) = (refused.to_string(), format!("knows up to {known}"));
    assert!(
        text.contains("its version is 99") && text.contains(&known),
        "{text}"
    );
}

#[tokio::test]
async fn processes_that_start_at_once_prepare_the_schema_once() {
    let schema = Schema::new();
    let started = join_all((0..4).map(|_| schema.begin())).await;
    let Some(started) = started.into_iter().collect::<Option<Vec<Postgres>>>() else {
        return;
    };
    let numbers: Vec<u128> = started.iter().map(Postgres::installation).collect();
    assert!(
        numbers.iter().all(|number| *number == numbers[0]),
        "{numbers:?}"
    );
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named_without_its_password() {
    let mut options = Schema::new().options();
    options.url = "postgres://ana:secret@127.0.0.1:9/orders".to_owned();
    let Err(refused) = Postgres::open(&options, Arc::new(SimClock::start())).await else {
        panic!("opened")
    };
    assert_eq!(
        refused.to_string(),
        "cannot reach PostgreSQL at 127.0.0.1:9/orders"
    );
    assert!(!format!("{refused:?} {options:?}").contains("secret"));
}
