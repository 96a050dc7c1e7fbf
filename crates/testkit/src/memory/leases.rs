//! Leases in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use replygate_gate::{SessionId, TurnId};
use replygate_ports::clock::Clock;
use replygate_ports::leases::{Leases, Leave};

/// Leases of every process that shares them.
pub struct MemoryLeases {
    clock: Arc<dyn Clock>,
    held: Mutex<HashMap<SessionId, (TurnId, Duration)>>,
}

impl MemoryLeases {
    /// Leases by `clock`, all free.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            held: Mutex::default(),
        }
    }
}

#[async_trait]
impl Leases for MemoryLeases {
    async fn acquire(&self, session: SessionId, holder: TurnId, life: Duration) -> Leave {
        let now = self.clock.elapsed();
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((other, until)) = held.get(&session)
            && *other != holder
            && now < *until
        {
            return Leave::Taken;
        }
        held.insert(session, (holder, now + life));
        Leave::Granted
    }

    async fn release(&self, session: SessionId, holder: TurnId) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if held
            .get(&session)
            .is_some_and(|(other, _)| *other == holder)
        {
            held.remove(&session);
        }
    }
}
