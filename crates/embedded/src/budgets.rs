//! Budgets inside one process. They are full after a start: a restart is a pause.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use replygate_gate::ConversationId;
use replygate_ports::budgets::{Buckets, Budgets, Rate, Room};
use replygate_ports::clock::Clock;

/// Budgets on this process's monotonic clock.
pub struct LocalBudgets {
    clock: Arc<dyn Clock>,
    buckets: Mutex<Buckets>,
}

impl LocalBudgets {
    /// Budgets by `clock`.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            buckets: Mutex::default(),
        }
    }
}

#[async_trait]
impl Budgets for LocalBudgets {
    async fn take(&self, conversation: ConversationId, rate: Rate) -> Room {
        let now_us = self.clock.elapsed().as_micros() as u64;
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        buckets.take(conversation, rate, now_us)
    }
}
