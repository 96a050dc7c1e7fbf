//! The clock of a machine that somebody sets while everything runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use replygate_embedded::SystemClock;
use replygate_gate::At;
use replygate_ports::clock::Clock;

/// This machine's clock, so far ahead or behind. Clones are set together.
#[derive(Clone)]
pub struct Shifted {
    clock: SystemClock,
    ahead_ms: Arc<AtomicI64>,
}

impl Shifted {
    /// A clock that is right.
    pub fn start() -> Self {
        Self {
            clock: SystemClock::start(),
            ahead_ms: Arc::default(),
        }
    }

    /// Sets it so far ahead, or behind where negative. Milliseconds.
    pub fn set(&self, ahead_ms: i64) {
        self.ahead_ms.store(ahead_ms, Ordering::SeqCst);
    }
}

#[async_trait]
impl Clock for Shifted {
    fn now(&self) -> At {
        At(self.clock.now().0 + self.ahead_ms.load(Ordering::SeqCst))
    }

    fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }

    async fn sleep(&self, wait: Duration) {
        self.clock.sleep(wait).await;
    }
}
