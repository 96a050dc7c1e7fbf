//! Glances in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use replygate_gate::SessionId;
use replygate_ports::clock::Clock;
use replygate_ports::mirror::{Glance, MIRROR_LIFE_MS, Mirror};

/// A mirror that every process shares.
pub struct MemoryMirror {
    clock: Arc<dyn Clock>,
    glances: Mutex<HashMap<SessionId, (Glance, Duration)>>,
}

impl MemoryMirror {
    /// An empty mirror that tells time by `clock`.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            glances: Mutex::default(),
        }
    }
}

#[async_trait]
impl Mirror for MemoryMirror {
    async fn tell(&self, session: SessionId, glance: Glance) {
        let now = self.clock.elapsed();
        let mut glances = self.glances.lock().unwrap_or_else(PoisonError::into_inner);
        let newer = glances
            .get(&session)
            .is_some_and(|(known, until)| now < *until && known.version > glance.version);
        if !newer {
            let until = now + Duration::from_millis(MIRROR_LIFE_MS);
            glances.insert(session, (glance, until));
        }
    }

    async fn look(&self, session: SessionId) -> Option<Glance> {
        let now = self.clock.elapsed();
        let glances = self.glances.lock().unwrap_or_else(PoisonError::into_inner);
        let (glance, until) = glances.get(&session)?;
        (now < *until).then_some(*glance)
    }
}
