//! Tickets inside one process. The store holds the durable truth, so nothing is kept on disk: after a start the sweeper
//! publishes what is due. Must never hand a ticket out early.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use replygate_gate::{At, ReplyId};
use replygate_ports::clock::Clock;
use replygate_ports::tickets::{Arrived, Ticket, Tickets, TicketsUnavailable};
use tokio::sync::Notify;

/// A delay queue. A ticket that is published again while it waits keeps its earliest due time, so that memory stays bound
/// by the number of open replies.
pub struct DelayQueue {
    clock: Arc<dyn Clock>,
    waiting: Mutex<Waiting>,
    /// One consumer at a time watches the clock; the others wait for their turn without waking.
    watch: tokio::sync::Mutex<()>,
    earlier: Notify,
}

#[derive(Default)]
struct Waiting {
    /// By due time, then by order of publication.
    queue: BTreeMap<(At, u64), Ticket>,
    places: HashMap<(ReplyId, u32), (At, u64)>,
    last: u64,
}

impl DelayQueue {
    /// An empty queue that tells time by `clock`.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            waiting: Mutex::default(),
            watch: tokio::sync::Mutex::new(()),
            earlier: Notify::new(),
        }
    }

    /// How many tickets wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting().queue.len()
    }

    /// Whether no ticket waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    /// Whether the ticket is the first in the queue now.
    fn add(&mut self, ticket: Ticket, due: At) -> bool {
        let name = (ticket.reply, ticket.attempt);
        if let Some(place) = self.places.get(&name).copied() {
            if place.0 <= due {
                return false;
            }
            self.queue.remove(&place);
        }
        self.last += 1;
        let place = (due, self.last);
        self.places.insert(name, place);
        self.queue.insert(place, ticket);
        self.queue
            .first_key_value()
            .is_some_and(|(first, _)| *first == place)
    }

    /// The first ticket if it is due, else when the first one will be.
    fn take(&mut self, now: At) -> Result<Arrived, Option<At>> {
        let Some(first) = self.queue.first_entry() else {
            return Err(None);
        };
        let (due, number) = *first.key();
        if now < due {
            return Err(Some(due));
        }
        let ticket = first.remove();
        self.places.remove(&(ticket.reply, ticket.attempt));
        Ok(Arrived {
            ticket,
            receipt: number,
        })
    }
}

#[async_trait]
impl Tickets for DelayQueue {
    async fn publish(&self, ticket: Ticket, due: At) -> Result<(), TicketsUnavailable> {
        if self.waiting().add(ticket, due) {
            self.earlier.notify_one();
        }
        Ok(())
    }

    async fn next(&self) -> Result<Arrived, TicketsUnavailable> {
        let _turn = self.watch.lock().await;
        loop {
            let taken = self.waiting().take(self.clock.now());
            match taken {
                Ok(arrived) => return Ok(arrived),
                Err(None) => self.earlier.notified().await,
                Err(Some(due)) => tokio::select! {
                    biased;
                    () = self.earlier.notified() => {}
                    () = self.clock.sleep_until(due) => {}
                },
            }
        }
    }

    async fn done(&self, _receipt: u64) -> Result<(), TicketsUnavailable> {
        Ok(())
    }

    /// There is no other consumer: what waits dies with the process, and the store has it.
    async fn leave(&self) {}
}
