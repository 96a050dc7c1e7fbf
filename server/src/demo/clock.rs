//! A clock that leaps: while everything waits, the next instant that somebody waits for is now. A day passes in seconds,
//! and whatever reads the time during it sees a day.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use replygate_gate::At;
use replygate_ports::clock::Clock;
use tokio::sync::watch;

/// The clock. It stands still until [`Self::leap`] moves it.
pub(super) struct LeapingClock {
    base: At,
    elapsed: watch::Sender<Duration>,
    waiting: Arc<Mutex<Waiting>>,
}

/// Until when sleepers wait, each with a number of its own.
#[derive(Default)]
struct Waiting {
    until: BTreeSet<(Duration, u64)>,
    last: u64,
}

impl LeapingClock {
    pub(super) fn at(base: At) -> Self {
        Self {
            base,
            elapsed: watch::Sender::new(Duration::ZERO),
            waiting: Arc::default(),
        }
    }

    /// The next instant that somebody waits for.
    pub(super) fn next(&self) -> Option<At> {
        let next = lock(&self.waiting).until.first().copied();
        next.map(|(until, _)| self.base.plus(millis_up(until)))
    }

    /// Makes it `at`; an instant that has passed changes nothing.
    pub(super) fn leap(&self, at: At) {
        let elapsed = Duration::from_millis(at.since(self.base));
        self.elapsed
            .send_modify(|present| *present = elapsed.max(*present));
    }

    fn bed(&self, until: Duration) -> Bed {
        let mut waiting = lock(&self.waiting);
        waiting.last += 1;
        let place = (until, waiting.last);
        waiting.until.insert(place);
        Bed {
            place,
            waiting: self.waiting.clone(),
        }
    }
}

/// A sleeper's place, given back when it wakes or is given up.
struct Bed {
    place: (Duration, u64),
    waiting: Arc<Mutex<Waiting>>,
}

impl Drop for Bed {
    fn drop(&mut self) {
        lock(&self.waiting).until.remove(&self.place);
    }
}

fn lock(waiting: &Mutex<Waiting>) -> MutexGuard<'_, Waiting> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whole milliseconds, rounded up: who leaps there has really reached it.
fn millis_up(time: Duration) -> u64 {
    u64::try_from(time.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

#[async_trait]
impl Clock for LeapingClock {
    fn now(&self) -> At {
        let elapsed = self.elapsed().as_millis();
        self.base.plus(u64::try_from(elapsed).unwrap_or(u64::MAX))
    }

    fn elapsed(&self) -> Duration {
        *self.elapsed.borrow()
    }

    async fn sleep(&self, wait: Duration) {
        let until = self.elapsed().saturating_add(wait);
        let _bed = self.bed(until);
        let mut elapsed = self.elapsed.subscribe();
        // The sender lives in `self`, so this ends only when the time has come.
        let _ = elapsed.wait_for(|elapsed| *elapsed >= until).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_leap_to_the_next_instant_wakes_its_sleeper_and_a_sleep_given_up_is_no_instant() {
        let clock = Arc::new(LeapingClock::at(At(1_000)));
        let sleep = |ms| {
            let clock = clock.clone();
            tokio::spawn(async move { clock.sleep(Duration::from_millis(ms)).await })
        };
        let (given_up, long) = (sleep(50), sleep(200));
        tokio::task::yield_now().await;
        assert_eq!(clock.next(), Some(At(1_050)));
        given_up.abort();
        let _ = given_up.await;
        assert_eq!(clock.next(), Some(At(1_200)));
        clock.leap(At(1_200));
        long.await.unwrap();
        assert_eq!((clock.now(), clock.next()), (At(1_200), None));
    }
}
