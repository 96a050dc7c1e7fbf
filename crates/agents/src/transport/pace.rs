//! When an address that asked to be left alone may be asked again. Must never be waited at longer than the turn lasts.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use replygate_ports::clock::Clock;

use super::told::Told;
use crate::unanswered::Unanswered;

/// The instant, on the monotonic clock, from which the address may be asked; shared by all turns that ask it.
#[derive(Debug, Default)]
pub(crate) struct Pace(Mutex<Duration>);

impl Pace {
    /// Waits until the address may be asked. One that may not be asked before `end` is not waited for.
    pub(super) async fn admit(&self, clock: &dyn Clock, end: Duration) -> Result<(), Unanswered> {
        loop {
            let from = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let now = clock.elapsed();
            if from <= now {
                return Ok(());
            }
            if from >= end {
                return Err(Unanswered::Limited);
            }
            clock.sleep(from.saturating_sub(now)).await;
        }
    }

    /// Takes in what an answer said. A wait counts for refusals; what is used up counts for all who come.
    pub(super) fn heed(&self, clock: &dyn Clock, told: &Told, status: u16) {
        let wait = told.wait.filter(|_| status >= 400);
        let Some(wait) = wait.or(told.used_up) else {
            return;
        };
        let from = clock.elapsed() + wait;
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *known = from.max(*known);
    }
}
