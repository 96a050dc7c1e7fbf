//! Waits between attempts to reach a service that is away.

use std::time::Duration;

use replygate_ports::clock::Entropy;

/// The first wait is at most this long.
const LEAST: Duration = Duration::from_millis(100);
/// No wait is longer: a service that is back is in use again soon.
const MOST: Duration = Duration::from_secs(3);

/// Waits that double from attempt to attempt, each shortened by up to half at random, so that many processes do not come
/// back in step.
#[derive(Debug, Default)]
pub struct Backoff {
    attempts: u32,
}

impl Backoff {
    /// The wait before the next attempt.
    pub fn next(&mut self, entropy: &dyn Entropy) -> Duration {
        let full = LEAST.saturating_mul(1 << self.attempts.min(16)).min(MOST);
        self.attempts = self.attempts.saturating_add(1);
        let half = full / 2;
        let share = (entropy.bits() & 0xffff) as u32;
        half + half * share / 0xffff
    }

    /// An attempt succeeded: the next wait is short again.
    pub const fn reset(&mut self) {
        self.attempts = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed(u128);

    impl Entropy for Fixed {
        fn bits(&self) -> u128 {
            self.0
        }
    }

    #[test]
    fn waits_grow_and_stay_below_three_seconds() {
        let mut backoff = Backoff::default();
        let waits: Vec<u128> = (0..8)
            .map(|_| backoff.next(&Fixed(0xffff)).as_millis())
            .collect();
        assert_eq!(waits, [100, 200, 400, 800, 1_600, 3_000, 3_000, 3_000]);
        for _ in 0..1_000 {
            assert!(backoff.next(&Fixed(u128::MAX)) <= MOST);
        }
    }

    #[test]
    fn chance_takes_away_half_at_most() {
        let mut backoff = Backoff::default();
        assert_eq!(backoff.next(&Fixed(0)).as_millis(), 50);
        assert_eq!(backoff.next(&Fixed(0x7fff)).as_millis(), 149);
    }

    #[test]
    fn after_a_success_the_wait_is_short_again() {
        let mut backoff = Backoff::default();
        for _ in 0..9 {
            backoff.next(&Fixed(0));
        }
        backoff.reset();
        assert_eq!(backoff.next(&Fixed(0)).as_millis(), 50);
    }
}
