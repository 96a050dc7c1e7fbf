//! Faults between processes that share the work. None of these ports ever fails: whoever gets no answer goes on as if
//! alone.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::stream::BoxStream;
use replygate_gate::{ConversationId, SessionId, TurnId};
use replygate_ports::budgets::{Budgets, Rate, Room};
use replygate_ports::leases::{Leases, Leave};
use replygate_ports::mirror::{Glance, Mirror};
use replygate_ports::wakes::{Wake, Wakes};

use super::Life;

/// Leases as one life of a process meets them.
pub struct FaultyLeases {
    leases: Arc<dyn Leases>,
    life: Life,
}

impl FaultyLeases {
    /// Those leases with faults in front.
    #[must_use]
    pub fn new(leases: Arc<dyn Leases>, life: Life) -> Self {
        Self { leases, life }
    }
}

#[async_trait]
impl Leases for FaultyLeases {
    async fn acquire(&self, session: SessionId, holder: TurnId, life: Duration) -> Leave {
        let asked = || async { Ok(self.leases.acquire(session, holder, life).await) };
        let leave = self.life.call("leases.acquire", asked, || ()).await;
        leave.unwrap_or(Leave::Granted)
    }

    async fn release(&self, session: SessionId, holder: TurnId) {
        let released = || async {
            self.leases.release(session, holder).await;
            Ok(())
        };
        // Its life ends it.
        let _ = self.life.call("leases.release", released, || ()).await;
    }
}

/// A mirror as one life of a process meets it.
pub struct FaultyMirror {
    mirror: Arc<dyn Mirror>,
    life: Life,
}

impl FaultyMirror {
    /// That mirror with faults in front.
    #[must_use]
    pub fn new(mirror: Arc<dyn Mirror>, life: Life) -> Self {
        Self { mirror, life }
    }
}

#[async_trait]
impl Mirror for FaultyMirror {
    async fn tell(&self, session: SessionId, glance: Glance) {
        let told = || async {
            self.mirror.tell(session, glance).await;
            Ok(())
        };
        // Whoever tells never learns whether it is known.
        let _ = self.life.call("mirror.tell", told, || ()).await;
    }

    async fn look(&self, session: SessionId) -> Option<Glance> {
        let looked = || async { Ok(self.mirror.look(session).await) };
        let seen = self.life.call("mirror.look", looked, || ()).await;
        seen.unwrap_or(None)
    }
}

/// Wake-ups as one life of a process meets them.
pub struct FaultyWakes {
    wakes: Arc<dyn Wakes>,
    life: Life,
}

impl FaultyWakes {
    /// Those wake-ups with faults in front.
    #[must_use]
    pub fn new(wakes: Arc<dyn Wakes>, life: Life) -> Self {
        Self { wakes, life }
    }
}

#[async_trait]
impl Wakes for FaultyWakes {
    async fn tell(&self, wake: Wake) {
        let told = || async {
            self.wakes.tell(wake).await;
            Ok(())
        };
        // Whoever tells never learns whether anybody heard.
        let _ = self.life.call("wakes.tell", told, || ()).await;
    }

    fn listen(&self) -> BoxStream<'static, Wake> {
        self.wakes.listen()
    }
}

/// Budgets as one life of a process meets them.
pub struct FaultyBudgets {
    budgets: Arc<dyn Budgets>,
    life: Life,
}

impl FaultyBudgets {
    /// Those budgets with faults in front.
    #[must_use]
    pub fn new(budgets: Arc<dyn Budgets>, life: Life) -> Self {
        Self { budgets, life }
    }
}

#[async_trait]
impl Budgets for FaultyBudgets {
    async fn take(&self, conversation: ConversationId, rate: Rate) -> Room {
        let asked = || async { Ok(self.budgets.take(conversation, rate).await) };
        let room = self.life.call("budgets.take", asked, || ()).await;
        room.unwrap_or(Room::Now)
    }
}
