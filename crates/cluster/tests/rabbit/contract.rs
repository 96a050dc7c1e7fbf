//! The contract, and random tickets.

use std::sync::Arc;
use std::time::Duration;

use replygate_cluster::Rabbit;
use replygate_ports::clock::Clock;
use replygate_ports::tickets::Tickets;
use replygate_testkit::contract::{Harness, Missing, TicketsHarness};

use crate::service::Place;

struct OnRabbit {
    place: Place,
    rabbit: Rabbit,
}

impl Harness for OnRabbit {
    async fn start() -> Result<Self, Missing> {
        let place = Place::new();
        let rabbit = place.open().await?;
        Ok(Self { place, rabbit })
    }

    async fn restart(self) -> Option<Self> {
        let place = self.place;
        drop(self.rabbit);
        let rabbit = place.open().await.ok()?;
        Some(Self { place, rabbit })
    }
}

impl TicketsHarness for OnRabbit {
    fn tickets(&self) -> Arc<dyn Tickets> {
        Arc::new(self.rabbit.clone())
    }

    fn clock(&self) -> Arc<dyn Clock> {
        self.place.clock.clone()
    }

    fn unit(&self) -> Duration {
        Duration::from_millis(40)
    }

    /// On a machine that does much else.
    fn lateness(&self) -> Duration {
        Duration::from_secs(2)
    }

    async fn advance(&self, by: Duration) {
        self.place.clock.sleep(by).await;
    }
}

replygate_testkit::tickets_contract!(tickets, OnRabbit);
replygate_testkit::tickets_model!(tickets_are_never_early_nor_lost, OnRabbit, 12);
