//! The buckets of many conversations. Must never grow with the number of conversations: one that is full again is
//! forgotten.

use std::collections::HashMap;

use replygate_gate::ConversationId;

use super::{Rate, Room};

/// Full buckets are looked for when there are so many, and then when there are twice as many as were left.
const SWEEP_AT: usize = 1_024;

/// The buckets of one process; all full in the beginning.
#[derive(Clone, Debug)]
pub struct Buckets {
    /// When each bucket is full again, in microseconds.
    full_us: HashMap<ConversationId, u64>,
    sweep_at: usize,
}

impl Default for Buckets {
    fn default() -> Self {
        Self {
            full_us: HashMap::new(),
            sweep_at: SWEEP_AT,
        }
    }
}

impl Buckets {
    /// Takes room for one hand-over at `now_us`, microseconds on a clock that never goes back.
    pub fn take(&mut self, conversation: ConversationId, rate: Rate, now_us: u64) -> Room {
        if self.full_us.len() >= self.sweep_at {
            self.full_us.retain(|_, full_us| *full_us > now_us);
            self.sweep_at = (self.full_us.len() * 2).max(SWEEP_AT);
        }
        let full_us = self.full_us.entry(conversation).or_insert(0);
        rate.take(full_us, now_us)
    }

    /// How many buckets are remembered.
    #[must_use]
    pub fn len(&self) -> usize {
        self.full_us.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.full_us.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_chats_over_a_day_leave_few_buckets_behind() {
        let rate = Rate {
            per_second: 1.0,
            burst: 1,
        };
        let mut buckets = Buckets::default();
        for chat in 0..1_000_000u64 {
            let room = buckets.take(ConversationId(u128::from(chat)), rate, chat * 86_400);
            assert_eq!(room, Room::Now);
        }
        assert!(buckets.len() <= 2 * SWEEP_AT, "{}", buckets.len());
    }

    #[test]
    fn a_bucket_that_is_not_full_is_never_forgotten() {
        let rate = Rate {
            per_second: 0.001,
            burst: 1,
        };
        let mut buckets = Buckets::default();
        for chat in 0..3 * SWEEP_AT as u128 {
            assert_eq!(buckets.take(ConversationId(chat), rate, 5), Room::Now);
        }
        for chat in 0..3 * SWEEP_AT as u128 {
            assert_ne!(buckets.take(ConversationId(chat), rate, 6), Room::Now);
        }
    }
}
