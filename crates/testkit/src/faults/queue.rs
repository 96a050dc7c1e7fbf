//! Faults in front of the ticket queue and the feed, which promise nothing.

use std::sync::Arc;

use async_trait::async_trait;
use futures::stream::BoxStream;
use replygate_gate::At;
use replygate_ports::feed::{Feed, News};
use replygate_ports::tickets::{Arrived, Ticket, Tickets, TicketsUnavailable};

use super::life::injection;
use super::{Fault, Life};

/// A ticket queue as one life of a process meets it.
pub struct FaultyTickets {
    tickets: Arc<dyn Tickets>,
    life: Life,
}

impl FaultyTickets {
    /// That queue with faults in front.
    #[must_use]
    pub fn new(tickets: Arc<dyn Tickets>, life: Life) -> Self {
        Self { tickets, life }
    }
}

fn unavailable() -> TicketsUnavailable {
    TicketsUnavailable(injection())
}

#[async_trait]
impl Tickets for FaultyTickets {
    async fn publish(&self, ticket: Ticket, due: At) -> Result<(), TicketsUnavailable> {
        let about = if ticket.attempt == 0 {
            "first"
        } else {
            "again"
        };
        self.life
            .call_about(
                "tickets.publish",
                &[about],
                || self.tickets.publish(ticket, due),
                unavailable,
            )
            .await
    }

    /// A fault meets the ticket when it comes, not the wait for it: so calls are counted in the order of arrivals.
    async fn next(&self) -> Result<Arrived, TicketsUnavailable> {
        self.life.alive().await;
        let arrived = self.tickets.next().await?;
        self.life.alive().await;
        match self.life.faults.meet("tickets.next") {
            None => Ok(arrived),
            // The ticket is gone with the connection.
            Some(Fault::Before | Fault::After | Fault::Lost) => Err(unavailable()),
            Some(Fault::Twice) => {
                self.tickets.publish(arrived.ticket, At(0)).await?;
                Ok(arrived)
            }
            Some(Fault::Delay(delay)) => {
                self.tickets
                    .publish(
                        arrived.ticket,
                        self.life.faults.clock.now().plus(delay.as_millis() as u64),
                    )
                    .await?;
                Err(unavailable())
            }
            Some(Fault::CrashBefore | Fault::CrashAfter) => self.life.die().await,
        }
    }

    async fn done(&self, receipt: u64) -> Result<(), TicketsUnavailable> {
        self.life
            .call("tickets.done", || self.tickets.done(receipt), unavailable)
            .await
    }

    async fn leave(&self) {
        self.life.alive().await;
        self.tickets.leave().await;
    }
}

/// A feed as one life of a process meets it.
pub struct FaultyFeed {
    feed: Arc<dyn Feed>,
    life: Life,
}

impl FaultyFeed {
    /// That feed with faults in front.
    #[must_use]
    pub fn new(feed: Arc<dyn Feed>, life: Life) -> Self {
        Self { feed, life }
    }
}

#[async_trait]
impl Feed for FaultyFeed {
    async fn publish(&self, news: News) {
        let told = || async {
            self.feed.publish(news.clone()).await;
            Ok(())
        };
        // Whoever publishes never learns whether anybody was told.
        let _ = self.life.call("feed.publish", told, || ()).await;
    }

    fn subscribe(&self) -> BoxStream<'static, News> {
        self.feed.subscribe()
    }
}
