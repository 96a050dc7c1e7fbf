//! How long a claim takes here, so that tickets come just early enough. Must never let a ticket come earlier than a
//! claim may be made.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A moving average of the time from ticket to durable claim.
#[derive(Debug, Default)]
pub struct ClaimTime {
    micros: AtomicU64,
}

/// Never earlier than this, whatever was measured: the protocol's allowance.
const MOST_AHEAD_MS: u64 = 50;
/// Room for the timer's own resolution and for the reading of the text.
const ROOM_MS: u64 = 3;

impl ClaimTime {
    /// Takes a measured time into account, with a weight of one eighth.
    pub fn note(&self, took: Duration) {
        let took = took.as_micros() as u64;
        let old = self.micros.load(Ordering::Relaxed);
        let new = if old == 0 {
            took
        } else {
            old - old / 8 + took / 8
        };
        self.micros.store(new, Ordering::Relaxed);
    }

    /// How much before its due time a ticket should come: twice the average and some room, in milliseconds.
    #[must_use]
    pub fn ahead_ms(&self) -> u64 {
        (self.micros.load(Ordering::Relaxed) * 2 / 1_000 + ROOM_MS).min(MOST_AHEAD_MS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_store_never_brings_tickets_earlier_than_allowed() {
        let time = ClaimTime::default();
        time.note(Duration::from_secs(9));
        assert_eq!(time.ahead_ms(), MOST_AHEAD_MS);
    }

    #[test]
    fn the_average_follows_what_is_measured() {
        let time = ClaimTime::default();
        for _ in 0..64 {
            time.note(Duration::from_millis(8));
        }
        assert!((16..=20).contains(&time.ahead_ms()));
    }
}
