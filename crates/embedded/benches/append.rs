//! Durable appends per second with 1 to 512 callers at once. Each caller has sessions of its own and appends arrivals.
#![expect(
    clippy::unwrap_used,
    reason = "a bench ends when something is not as it says"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use divan::counter::ItemsCount;
use futures::future::join_all;
use replygate_embedded::Database;
use replygate_gate::SessionKey;
use replygate_testkit::contract::stage::{Stage, direct};
use tempfile::TempDir;
use tokio::runtime::Runtime;

fn main() {
    divan::main();
}

/// Appends of each caller in one sample: enough for several commits.
const EACH: usize = 16;

static CONTACTS: AtomicU64 = AtomicU64::new(0);

/// Each caller: one new contact, whose messages come one after the other.
async fn caller(database: Database) {
    let mut stage = Stage::new(Arc::new(database));
    let number = CONTACTS.fetch_add(1, Ordering::Relaxed);
    let key: SessionKey = direct(&format!("contact {number}"));
    for message in 0..EACH as u128 {
        let mut new = stage.message(&key, "where is my order? it was to come on Monday");
        new.id.0 = (u128::from(number) << 32) + message;
        new.dedupe.provider_id = new.id.to_string();
        stage.try_receive(&key, new).await.unwrap();
    }
}

#[divan::bench(args = [1, 16, 128, 512], sample_count = 10, sample_size = 1)]
fn durable_appends(bencher: divan::Bencher<'_, '_>, callers: usize) {
    let dir = TempDir::new_in(".").unwrap();
    let runtime = Runtime::new().unwrap();
    let database = runtime.block_on(Database::open(dir.path())).unwrap();
    bencher
        .counter(ItemsCount::new(callers * EACH))
        .bench_local(|| {
            let tasks = (0..callers).map(|_| runtime.spawn(caller(database.clone())));
            let done = runtime.block_on(join_all(tasks));
            assert!(done.into_iter().all(|task| task.is_ok()));
        });
    runtime.block_on(database.close());
}
