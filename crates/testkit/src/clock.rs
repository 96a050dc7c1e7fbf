//! Clocks for tests: one that follows tokio's time, which a test may pause, and one that only a test moves.

use std::time::Duration;

use async_trait::async_trait;
use replygate_gate::At;
use replygate_ports::clock::Clock;
use tokio::sync::watch;
use tokio::time::Instant;

/// Monday, 7 January 2030, 09:00 UTC: an ordinary working hour from which tests count.
pub const EPOCH: At = At(1_894_006_800_000);

/// A clock that follows tokio's time from [`EPOCH`] on. On a paused runtime time jumps to the next timer whenever
/// everything waits, so that hours pass in milliseconds and every run is the same.
#[derive(Clone, Copy, Debug)]
pub struct SimClock {
    base: At,
    start: Instant,
}

impl SimClock {
    /// A clock that shows [`EPOCH`] now.
    #[must_use]
    pub fn start() -> Self {
        Self::start_at(EPOCH)
    }

    /// A clock that shows `base` now.
    #[must_use]
    pub fn start_at(base: At) -> Self {
        Self {
            base,
            start: Instant::now(),
        }
    }
}

#[async_trait]
impl Clock for SimClock {
    fn now(&self) -> At {
        self.base
            .plus(u64::try_from(self.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    async fn sleep(&self, wait: Duration) {
        tokio::time::sleep(wait).await;
    }
}

/// A clock that stands still until a test moves it.
#[derive(Clone, Debug)]
pub struct ManualClock {
    base: At,
    elapsed: watch::Sender<Duration>,
}

impl ManualClock {
    /// A clock that shows [`EPOCH`].
    #[must_use]
    pub fn new() -> Self {
        Self {
            base: EPOCH,
            elapsed: watch::Sender::new(Duration::ZERO),
        }
    }

    /// Moves the clock forward and wakes whoever waited for that.
    pub fn advance(&self, by: Duration) {
        self.elapsed.send_modify(|elapsed| *elapsed += by);
    }
}

impl Default for ManualClock {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl Clock for ManualClock {
    fn now(&self) -> At {
        self.base
            .plus(u64::try_from(self.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    fn elapsed(&self) -> Duration {
        *self.elapsed.borrow()
    }

    async fn sleep(&self, wait: Duration) {
        let until = self.elapsed() + wait;
        let mut elapsed = self.elapsed.subscribe();
        // The sender lives in `self`, so this ends only when the time has come.
        let _ = elapsed.wait_for(|elapsed| *elapsed >= until).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_simulated_hour_passes_at_once_and_is_seen() {
        let clock = SimClock::start();
        clock.sleep_until(EPOCH.plus(3_600_000)).await;
        assert_eq!(clock.now(), EPOCH.plus(3_600_000));
    }

    #[tokio::test]
    async fn a_hand_driven_sleep_ends_exactly_when_the_hand_reaches_it() {
        let clock = ManualClock::new();
        let sleeper = tokio::spawn({
            let clock = clock.clone();
            async move {
                clock.sleep(Duration::from_millis(10)).await;
                clock.elapsed()
            }
        });
        tokio::task::yield_now().await;
        clock.advance(Duration::from_millis(9));
        tokio::task::yield_now().await;
        assert!(!sleeper.is_finished());
        clock.advance(Duration::from_millis(1));
        assert_eq!(sleeper.await.unwrap(), Duration::from_millis(10));
    }
}
