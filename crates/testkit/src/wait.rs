//! Waiting in real time, for tests against services. Must never be what a test passes by: it bounds a wait for something
//! that comes, or lets time pass that the story needs.
#![expect(
    clippy::missing_panics_doc,
    reason = "a test panics when it waits in vain"
)]

use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

/// Longer than anything takes that works: a service that was away is in use again within this time.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// What comes within [`PATIENCE`].
pub async fn soon<T>(work: impl Future<Output = T>) -> T {
    let came = timeout(PATIENCE, work).await;
    came.expect("it should have come within ten seconds")
}

/// Returns once it is so, within [`PATIENCE`].
pub async fn until(wanted: impl Fn() -> bool) {
    soon(async {
        while !wanted() {
            sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
}

/// Lets time pass.
pub async fn pause(by: Duration) {
    sleep(by).await;
}

/// Measures time.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// One that runs from now on.
    #[must_use]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// The time since its start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
