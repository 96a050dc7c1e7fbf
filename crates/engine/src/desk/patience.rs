//! How long the store is asked again while it does not answer.

use std::time::Duration;

use replygate_ports::store::StoreError;

use super::{Desk, Errand};

/// A store that did not answer is asked again after this time: a short outage is over by then, and a long one is not met
/// with a storm.
pub(super) const PAUSE: Duration = Duration::from_millis(200);

/// How long the store is asked again while it does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience(Duration);

impl Patience {
    /// The first fault is the answer.
    pub const NONE: Self = Self(Duration::ZERO);
    /// Without an end of its own: whoever waits ends it by going away.
    pub const ENDLESS: Self = Self(Duration::MAX);

    /// Until this instant of the monotonic clock.
    #[must_use]
    pub const fn until(instant: Duration) -> Self {
        Self(instant)
    }
}

impl Desk {
    /// Asks the store until it answers or the patience ends.
    pub(crate) async fn ask<T, F>(
        &self,
        patience: Patience,
        question: impl Fn() -> F,
    ) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, StoreError>>,
    {
        loop {
            match question().await {
                Err(error) if error.may_pass() && self.waits(patience) => {
                    tracing::warn!("the store does not answer, it is asked again");
                    self.parts.clock.sleep(PAUSE).await;
                }
                answer => return answer,
            }
        }
    }

    /// The same for somebody at a session's desk, who makes room for the next when the store does not answer.
    pub(super) async fn ask_for<T, F>(
        &self,
        errand: &Errand<'_>,
        question: impl Fn() -> F,
    ) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, StoreError>>,
    {
        let patience = errand.patience;
        self.ask(patience, || async {
            let answer = question().await;
            if answer.as_ref().is_err_and(StoreError::may_pass) {
                errand.is_stuck();
            }
            answer
        })
        .await
    }

    /// Whether there is time for one more try.
    pub(super) fn waits(&self, patience: Patience) -> bool {
        self.parts.clock.elapsed().saturating_add(PAUSE) < patience.0
    }
}
