//! Which delay queue a ticket waits in. Must never choose a delay that is longer than the wait that is left: the rest is
//! waited for by the consumer, which alone is exact.

use std::collections::BTreeSet;
use std::time::Duration;

use replygate_gate::At;

/// A wait up to this long is the consumer's: a queue would be less exact, and the way through it costs two messages.
pub const HELD_MS: u64 = 200;
/// A ticket leaves its delay queue at least this much before it is due, since a queue is late by a few milliseconds.
const EARLY_MS: u64 = 8;
/// A rung of a ladder is waited for as a whole, although its ticket is published a little after the rung began and meant
/// to come a little before it ends: a ticket that is late by less than this uses the rung's own queue.
const RUNG_MS: u64 = 60;

/// Delays for any wait, each about a quarter or a third longer than the one before, so that nearly every ticket goes
/// through one queue only. Milliseconds.
const STEPS_MS: &[u64] = &[
    200, 250, 300, 400, 500, 600, 800, 1_000, 1_250, 1_500, 2_000, 2_500, 3_000, 4_000, 5_000,
    6_000, 8_000, 10_000, 12_000, 15_000, 20_000, 30_000, 45_000, 60_000, 90_000, 120_000, 240_000,
    480_000, 900_000, 1_800_000, 3_600_000,
];

/// Where a ticket goes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Route {
    /// To the consumers, which wait for the rest.
    Work,
    /// Into the queue of this delay, of those for first attempts.
    Delay(u64),
    /// Into the queue of this delay, of those for further attempts.
    Retry(u64),
}

/// The delays in use.
#[derive(Clone, Debug)]
pub struct Delays {
    steps: BTreeSet<u64>,
    rungs: BTreeSet<u64>,
}

impl Delays {
    /// The usual delays, and a queue of its own for every rung of the channels' ladders.
    pub fn new(rungs: &[Duration]) -> Self {
        let rungs = rungs.iter().map(|rung| rung.as_millis() as u64);
        Self {
            steps: STEPS_MS.iter().copied().collect(),
            rungs: rungs.filter(|rung| *rung >= HELD_MS).collect(),
        }
    }

    /// The next way of a ticket for attempt number `attempt`, counted from 0.
    pub fn route(&self, attempt: u32, due: At, now: At) -> Route {
        let left = due.since(now);
        if left <= HELD_MS {
            return Route::Work;
        }
        if attempt == 0 {
            return self.step(left).map_or(Route::Work, Route::Delay);
        }
        let rung = self.rungs.range(left..=left + RUNG_MS).next().copied();
        rung.or_else(|| self.step(left))
            .map_or(Route::Work, Route::Retry)
    }

    /// Every route through a delay queue that may be taken.
    pub fn routes(&self) -> impl Iterator<Item = Route> {
        let delays = self.steps.iter().copied().map(Route::Delay);
        let retries = self.steps.union(&self.rungs).copied().map(Route::Retry);
        delays.chain(retries)
    }

    fn step(&self, left: u64) -> Option<u64> {
        let longest = left.saturating_sub(EARLY_MS);
        self.steps.range(..=longest).next_back().copied()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOW: At = At(1_000_000);

    fn usual() -> Delays {
        let rungs = [300, 600, 1_200, 1_000, 5_000, 30_000, 120_000];
        Delays::new(&rungs.map(Duration::from_millis))
    }

    fn way(attempt: u32, mut left: u64) -> Vec<u64> {
        let delays = usual();
        let mut way = Vec::new();
        while let Route::Delay(step) | Route::Retry(step) =
            delays.route(attempt, NOW.plus(left), NOW)
        {
            way.push(step);
            left = left.saturating_sub(step);
        }
        way
    }

    proptest! {
        #[test]
        fn a_first_attempt_never_comes_early_nor_waits_long_with_the_consumer(left in 0..200_000_000u64) {
            let way = way(0, left);
            let through: u64 = way.iter().sum();
            prop_assert!(through <= left);
            prop_assert!(left - through <= HELD_MS + EARLY_MS);
        }

        #[test]
        fn a_way_is_short(left in 0..3_600_000u64) {
            prop_assert!(way(0, left).len() <= 10);
        }
    }

    #[test]
    fn an_operational_delay_takes_one_queue() {
        for left in 209..1_000 {
            assert_eq!(way(0, left).len(), 1, "{left}");
        }
    }

    #[test]
    fn the_seeds_ladder_waits_in_queues_of_its_own() {
        let delays = usual();
        // Published 3 ms into the rung, meant to come 9 ms before its end.
        for rung in [300, 600, 1_200] {
            let due = NOW.plus(rung - 12);
            assert_eq!(delays.route(1, due, NOW), Route::Retry(rung));
        }
    }

    #[test]
    fn a_retry_that_is_no_rung_never_comes_early() {
        let delays = usual();
        assert_eq!(delays.route(2, NOW.plus(2_700), NOW), Route::Retry(2_500));
    }

    #[test]
    fn what_is_nearly_due_goes_to_the_consumers() {
        let delays = usual();
        assert_eq!(delays.route(0, At(0), NOW), Route::Work);
        assert_eq!(delays.route(3, NOW.plus(HELD_MS), NOW), Route::Work);
        assert_eq!(delays.route(0, NOW.plus(HELD_MS + 5), NOW), Route::Work);
    }

    #[test]
    fn no_day_is_too_long() {
        let way = way(0, 86_400_000);
        assert!(way.len() < 36, "{way:?}");
    }
}
