//! Time from the machine. The only place of the product that reads it.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use replygate_gate::At;
use replygate_ports::clock::Clock;

/// The machine's wall clock, its monotonic clock, and the runtime's timers.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    start: Instant,
}

impl SystemClock {
    /// A clock whose elapsed time counts from now.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this is the clock port")]
    pub fn start() -> Self {
        Self {
            start: Instant::now(),
        }
    }
}

#[async_trait]
impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock port")]
    fn now(&self) -> At {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        At(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    #[expect(clippy::disallowed_methods, reason = "this is the clock port")]
    async fn sleep(&self, wait: Duration) {
        tokio::time::sleep(wait).await;
    }
}
