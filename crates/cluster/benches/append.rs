//! Durable appends per second with 1 to 512 callers at once, gathered into batches and, for comparison, each in a
//! transaction of its own. Each caller has sessions of its own and appends arrivals. Needs PostgreSQL at `DATABASE_URL`.
#![expect(
    clippy::unwrap_used,
    reason = "a bench ends when something is not as it says"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use divan::counter::ItemsCount;
use futures::future::join_all;
use replygate_cluster::{Postgres, PostgresOptions};
use replygate_gate::SessionKey;
use replygate_testkit::clock::SimClock;
use replygate_testkit::contract::stage::{Stage, direct};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tokio::runtime::Runtime;

fn main() {
    divan::main();
}

/// Appends of each caller in one sample: enough for several commits.
const EACH: usize = 16;
/// Its tables are dropped before and behind.
const SCHEMA: &str = "bench_append";

static CONTACTS: AtomicU64 = AtomicU64::new(0);

#[expect(
    clippy::disallowed_methods,
    reason = "where the server is, only the environment can say"
)]
fn address() -> String {
    let local = "postgres://postgres@127.0.0.1:5432/postgres";
    std::env::var("DATABASE_URL").unwrap_or_else(|_| local.to_owned())
}

async fn clear() {
    let mut connection = PgConnection::connect(&address()).await.unwrap();
    let script = format!("DROP SCHEMA IF EXISTS {SCHEMA} CASCADE");
    sqlx::raw_sql(AssertSqlSafe(script))
        .execute(&mut connection)
        .await
        .unwrap();
}

/// Each caller: one new contact, whose messages come one after the other.
async fn caller(postgres: Postgres) {
    let mut stage = Stage::new(Arc::new(postgres));
    let number = CONTACTS.fetch_add(1, Ordering::Relaxed);
    let key: SessionKey = direct(&format!("contact {number}"));
    for message in 0..EACH as u128 {
        let mut new = stage.message(&key, "where is my order? it was to come on Monday");
        new.id.0 = (u128::from(number) << 32) + message;
        new.dedupe.provider_id = new.id.to_string();
        stage.try_receive(&key, new).await.unwrap();
    }
}

fn appends(
    bencher: divan::Bencher<'_, '_>,
    callers: usize,
    tuned: impl FnOnce(&mut PostgresOptions),
) {
    let runtime = Runtime::new().unwrap();
    let mut options = PostgresOptions::new(address());
    SCHEMA.clone_into(&mut options.schema);
    tuned(&mut options);
    let postgres = runtime.block_on(async {
        clear().await;
        let clock = Arc::new(SimClock::start());
        Postgres::open(&options, clock).await.unwrap()
    });
    bencher
        .counter(ItemsCount::new(callers * EACH))
        .bench_local(|| {
            let tasks = (0..callers).map(|_| runtime.spawn(caller(postgres.clone())));
            let done = runtime.block_on(join_all(tasks));
            assert!(done.into_iter().all(|task| task.is_ok()));
        });
    runtime.block_on(async {
        postgres.close().await;
        clear().await;
    });
}

#[divan::bench(args = [1, 16, 128, 512], consts = [1, 2, 4], sample_count = 10, sample_size = 1)]
fn batched<const WRITERS: usize>(bencher: divan::Bencher<'_, '_>, callers: usize) {
    appends(bencher, callers, |options| options.writers = WRITERS);
}

#[divan::bench(args = [1, 16, 128], consts = [1, 8], sample_count = 5, sample_size = 1)]
fn each_alone<const WRITERS: usize>(bencher: divan::Bencher<'_, '_>, callers: usize) {
    appends(bencher, callers, |options| {
        options.writers = WRITERS;
        options.batch = 1;
    });
}
