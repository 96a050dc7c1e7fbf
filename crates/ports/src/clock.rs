//! Time and chance. Nothing in the pipeline may get either from anywhere else.

use std::time::Duration;

use async_trait::async_trait;
use replygate_gate::At;

/// Time, as the process sees it.
#[async_trait]
pub trait Clock: Send + Sync {
    /// The present instant by the wall clock.
    fn now(&self) -> At;

    /// Time since some fixed instant, which never goes back: for deadlines and for measuring.
    fn elapsed(&self) -> Duration;

    /// Returns after `wait` at the earliest.
    async fn sleep(&self, wait: Duration);

    /// Returns at `at` at the earliest; at once when that is past.
    async fn sleep_until(&self, at: At) {
        let wait = at.since(self.now());
        if wait > 0 {
            self.sleep(Duration::from_millis(wait)).await;
        }
    }
}

/// Chance.
pub trait Entropy: Send + Sync {
    /// 128 random bits, unpredictable to others.
    fn bits(&self) -> u128;
}

/// A new identifier that sorts by time: 48 bits of milliseconds, then 80 random bits, as ULIDs are made.
#[must_use]
pub fn sortable_id(clock: &dyn Clock, entropy: &dyn Entropy) -> u128 {
    let ms = u128::from(clock.now().0.max(0).unsigned_abs()) & ((1 << 48) - 1);
    (ms << 80) | (entropy.bits() & ((1 << 80) - 1))
}
