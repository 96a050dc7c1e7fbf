//! The copy of the parked list in memory.

use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use replygate_ports::parked::{Parked, ParkedMirror};

/// What was told, in order.
#[derive(Debug, Default)]
pub struct MemoryParked {
    told: Mutex<Vec<Parked>>,
}

impl MemoryParked {
    /// Everything that was told.
    #[must_use]
    pub fn told(&self) -> Vec<Parked> {
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.clone()
    }
}

#[async_trait]
impl ParkedMirror for MemoryParked {
    async fn tell(&self, parked: Parked) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.push(parked);
    }
}
