//! Tickets in memory: gone when the process dies, never lost or repeated before that.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use replygate_gate::At;
use replygate_ports::clock::Clock;
use replygate_ports::tickets::{Arrived, Ticket, Tickets, TicketsUnavailable};
use tokio::sync::Notify;

/// A queue of tickets in memory. What a consumer took and did not finish does not come again.
pub struct MemoryTickets {
    clock: Arc<dyn Clock>,
    queue: Mutex<Queue>,
    earlier: Notify,
}

#[derive(Default)]
struct Queue {
    /// By due time, then by the order of publication.
    waiting: BTreeMap<(At, u64), Ticket>,
    last: u64,
}

impl MemoryTickets {
    /// An empty queue that tells time by `clock`.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            queue: Mutex::default(),
            earlier: Notify::new(),
        }
    }

    /// How many tickets wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.queue().waiting.len()
    }

    /// Whether no ticket waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first ticket if it is due, else when the first one will be.
    fn first(&self) -> Result<Arrived, Option<At>> {
        let mut queue = self.queue();
        let Some(entry) = queue.waiting.first_entry() else {
            return Err(None);
        };
        let (due, number) = *entry.key();
        if self.clock.now() < due {
            return Err(Some(due));
        }
        Ok(Arrived {
            ticket: entry.remove(),
            receipt: number,
        })
    }
}

#[async_trait]
impl Tickets for MemoryTickets {
    async fn publish(&self, ticket: Ticket, due: At) -> Result<(), TicketsUnavailable> {
        {
            let mut queue = self.queue();
            queue.last += 1;
            let number = queue.last;
            queue.waiting.insert((due, number), ticket);
        }
        self.earlier.notify_waiters();
        Ok(())
    }

    async fn next(&self) -> Result<Arrived, TicketsUnavailable> {
        loop {
            let mut earlier = std::pin::pin!(self.earlier.notified());
            // Registered before the look at the queue, so that a ticket published in between is seen.
            earlier.as_mut().enable();
            let due = match self.first() {
                Ok(arrived) => return Ok(arrived),
                Err(due) => due,
            };
            match due {
                None => earlier.await,
                Some(due) => tokio::select! {
                    biased;
                    () = earlier => {}
                    () = self.clock.sleep_until(due) => {}
                },
            }
        }
    }

    async fn done(&self, _receipt: u64) -> Result<(), TicketsUnavailable> {
        Ok(())
    }

    async fn leave(&self) {}
}
