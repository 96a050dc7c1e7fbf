//! Two clocks: the real one, for limits of a few milliseconds, and one that skips short waits, so that nothing is slept.

use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use replygate_gate::At;
use replygate_ports::clock::Clock;

/// Real time.
pub struct Real(Instant);

#[expect(
    clippy::disallowed_methods,
    reason = "this is the clock port's adapter of these tests"
)]
impl Real {
    pub fn start() -> Self {
        Self(Instant::now())
    }
}

#[async_trait]
#[expect(
    clippy::disallowed_methods,
    reason = "this is the clock port's adapter of these tests"
)]
impl Clock for Real {
    fn now(&self) -> At {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        At(since.as_millis() as i64)
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    async fn sleep(&self, wait: Duration) {
        tokio::time::sleep(wait).await;
    }
}

/// Waits of less than ten seconds are over at once, and time has moved on; longer ones never end.
#[derive(Default)]
pub struct Skipping {
    elapsed: Mutex<Duration>,
    waits: Mutex<Vec<Duration>>,
}

impl Skipping {
    /// The waits that were skipped, in order.
    pub fn waits(&self) -> Vec<Duration> {
        self.waits.lock().unwrap().clone()
    }
}

#[async_trait]
impl Clock for Skipping {
    fn now(&self) -> At {
        At(1_764_000_000_000 + self.elapsed().as_millis() as i64)
    }

    fn elapsed(&self) -> Duration {
        *self.elapsed.lock().unwrap()
    }

    async fn sleep(&self, wait: Duration) {
        if wait >= Duration::from_secs(10) {
            std::future::pending::<()>().await;
        }
        *self.elapsed.lock().unwrap() += wait;
        self.waits.lock().unwrap().push(wait);
    }
}
