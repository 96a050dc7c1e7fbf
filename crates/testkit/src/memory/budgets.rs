//! Budgets in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use replygate_gate::ConversationId;
use replygate_ports::budgets::{Budgets, Rate, Room};
use replygate_ports::clock::Clock;

/// Budgets that every process shares.
pub struct MemoryBudgets {
    clock: Arc<dyn Clock>,
    full_us: Mutex<HashMap<ConversationId, u64>>,
}

impl MemoryBudgets {
    /// Budgets by `clock`, all full.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            full_us: Mutex::default(),
        }
    }
}

#[async_trait]
impl Budgets for MemoryBudgets {
    async fn take(&self, conversation: ConversationId, rate: Rate) -> Room {
        let now_us = self.clock.elapsed().as_micros() as u64;
        let mut full_us = self.full_us.lock().unwrap_or_else(PoisonError::into_inner);
        rate.take(full_us.entry(conversation).or_insert(0), now_us)
    }
}
