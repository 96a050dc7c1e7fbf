//! A rate and its arithmetic. Every adapter uses this one, so that no two can disagree about the room that is left.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Room;

/// How often: `burst` at once, then `per_second` on average.
///
/// It is a token bucket in its virtual-scheduling form: all that has to be kept is the instant at which the bucket is full
/// again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// Hand-overs per second on average; less than 1 for one in many seconds.
    pub per_second: f64,
    /// Hand-overs that may leave at once after a pause, at least 1.
    #[serde(default = "one")]
    pub burst: u32,
}

const fn one() -> u32 {
    1
}

impl Rate {
    /// The time that one hand-over costs, in microseconds.
    #[must_use]
    pub fn cost_us(&self) -> u64 {
        (1_000_000.0 / self.per_second).ceil() as u64
    }

    /// The time by which the bucket may be away from full and still have room, in microseconds.
    #[must_use]
    pub fn slack_us(&self) -> u64 {
        self.cost_us()
            .saturating_mul(u64::from(self.burst.saturating_sub(1)))
    }

    /// Takes room at `now_us` from the bucket that is full at `full_us`, which moves then. Both are microseconds on one
    /// clock.
    pub fn take(&self, full_us: &mut u64, now_us: u64) -> Room {
        let behind = full_us.saturating_sub(now_us);
        if behind > self.slack_us() {
            return Room::In(Duration::from_micros(behind - self.slack_us()));
        }
        *full_us = (*full_us).max(now_us).saturating_add(self.cost_us());
        Room::Now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate {
        per_second: 2.0,
        burst: 3,
    };

    #[test]
    fn a_burst_leaves_at_once_and_the_next_waits_for_its_share() {
        let mut full = 0;
        for _ in 0..3 {
            assert_eq!(RATE.take(&mut full, 1_000_000), Room::Now);
        }
        let wait = Room::In(Duration::from_millis(500));
        assert_eq!(RATE.take(&mut full, 1_000_000), wait);
        assert_eq!(RATE.take(&mut full, 1_500_000), Room::Now);
    }

    #[test]
    fn who_waits_takes_nothing() {
        let mut full = 0;
        while RATE.take(&mut full, 0) == Room::Now {}
        let before = full;
        assert_ne!(RATE.take(&mut full, 0), Room::Now);
        assert_eq!(full, before);
    }

    #[test]
    fn a_pause_fills_the_bucket_and_no_more() {
        let mut full = 0;
        let now = 3_600_000_000;
        let left = (0..10).filter(|_| RATE.take(&mut full, now) == Room::Now);
        assert_eq!(left.count(), 3);
    }

    #[test]
    fn a_rate_below_one_is_one_in_many_seconds() {
        let rate = Rate {
            per_second: 0.25,
            burst: 1,
        };
        let mut full = 0;
        assert_eq!(rate.take(&mut full, 0), Room::Now);
        assert_eq!(rate.take(&mut full, 0), Room::In(Duration::from_secs(4)));
    }
}
