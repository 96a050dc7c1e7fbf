//! How late this machine is: a step that takes ten milliseconds and one question to the database, again and again. What
//! depends on times may be late by more than a tolerance only while this is late as well.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use replygate_cluster::Postgres;
use replygate_embedded::SystemClock;
use replygate_ports::clock::Clock as _;
use replygate_ports::store::Store as _;
use tokio::task::JoinHandle;

use crate::place::Place;

const STEP: Duration = Duration::from_millis(10);

/// Measures until it is asked.
pub struct Metronome {
    latest_ms: Arc<AtomicU64>,
    steps: JoinHandle<()>,
}

impl Metronome {
    pub async fn start(place: &Place) -> Self {
        let store = place.store().await;
        let latest_ms = Arc::<AtomicU64>::default();
        let steps = tokio::spawn(walk(store, latest_ms.clone()));
        Self { latest_ms, steps }
    }

    /// How late the latest step was since the last question, in milliseconds.
    pub fn late_ms(&self) -> u64 {
        self.latest_ms.swap(0, Ordering::SeqCst)
    }
}

impl Drop for Metronome {
    fn drop(&mut self) {
        self.steps.abort();
    }
}

async fn walk(store: Postgres, latest_ms: Arc<AtomicU64>) {
    let clock = SystemClock::start();
    loop {
        let began = clock.elapsed();
        clock.sleep(STEP).await;
        // A database that does not answer is late.
        let _ = store.ping().await;
        let took = clock.elapsed().saturating_sub(began + STEP);
        latest_ms.fetch_max(took.as_millis() as u64, Ordering::SeqCst);
    }
}
