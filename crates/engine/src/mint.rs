//! Identifiers that keep the order in which they were made, also within one millisecond and when the clock steps back.
//! Must never promise that between processes.

use std::sync::{Mutex, PoisonError};

use replygate_ports::clock::{Clock, Entropy, sortable_id};

/// Makes identifiers, each greater than the one before.
#[derive(Debug, Default)]
pub struct Mint {
    last: Mutex<u128>,
}

impl Mint {
    /// A new identifier that sorts behind every earlier one of this mint.
    pub fn next(&self, clock: &dyn Clock, entropy: &dyn Entropy) -> u128 {
        let fresh = sortable_id(clock, entropy);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = fresh.max(last.saturating_add(1));
        *last
    }
}

#[cfg(test)]
mod tests {
    use replygate_testkit::clock::{EPOCH, ManualClock, SimClock};
    use replygate_testkit::entropy::SeededEntropy;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn identifiers_of_one_millisecond_keep_their_order() {
        let (mint, clock, entropy) = (Mint::default(), ManualClock::new(), SeededEntropy::new(7));
        let made: Vec<u128> = (0..100).map(|_| mint.next(&clock, &entropy)).collect();
        assert!(made.is_sorted());
    }

    #[tokio::test(start_paused = true)]
    async fn a_clock_that_steps_back_changes_no_order() {
        let (mint, entropy) = (Mint::default(), SeededEntropy::new(7));
        let before = mint.next(&SimClock::start_at(EPOCH), &entropy);
        let after = mint.next(&SimClock::start_at(EPOCH.minus(60_000)), &entropy);
        assert!(before < after);
    }
}
