//! Consuming: one connection, one channel, tickets handed out when they are due and acknowledged when they were dealt
//! with. Must never hand one out early, and never acknowledge what was not dealt with.

mod serve;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use lapin::Acker;
use lapin::options::{BasicAckOptions, BasicNackOptions};
use replygate_ports::tickets::Arrived;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use super::letter::Letter;
use super::line::{ANSWER, Ground, Trouble};
use super::publisher::Publisher;
use crate::backoff::Backoff;
use crate::health::{Health, Pulse};
use crate::limit::within;
use serve::Line;

/// A ticket could not be finished.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NotDone {
    /// The connection on which it came is gone; it comes again.
    #[error("the connection on which the ticket came is gone")]
    Gone,
    /// The broker does not answer.
    #[error(transparent)]
    Broker(#[from] Trouble),
}

/// A ticket that came and was not dealt with.
struct Held {
    letter: Letter,
    acker: Acker,
}

/// What a consumer is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    /// Nobody asked for a ticket yet.
    Nothing,
    /// Bring tickets.
    Tickets,
    /// Bring no more, and give back what was not handed out.
    Leave,
}

/// Consumes.
pub struct Consumer {
    ground: Arc<Ground>,
    wish: watch::Sender<Wish>,
    ready: tokio::sync::Mutex<mpsc::UnboundedReceiver<Held>>,
    /// What was handed out and not finished.
    handed_out: Mutex<HashMap<u64, Acker>>,
    last_receipt: AtomicU64,
    /// The connection's task took note that no more tickets are wanted.
    left: CancellationToken,
    pulse: Pulse,
}

impl Consumer {
    /// A consumer that connects when the first ticket is asked for.
    pub fn start(ground: Arc<Ground>, publisher: Arc<Publisher>) -> Self {
        let (wish, wished) = watch::channel(Wish::Nothing);
        let (give, ready) = mpsc::unbounded_channel();
        let pulse = Pulse::new(ground.clock.now());
        let left = CancellationToken::new();
        let supervisor = Supervisor {
            ground: Arc::clone(&ground),
            publisher,
            wished,
            give,
            left: left.clone(),
            pulse: pulse.clone(),
        };
        let stop = ground.stop.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = stop.cancelled() => {}
                () = supervisor.supervise() => {}
            }
        });
        Self {
            ground,
            wish,
            ready: tokio::sync::Mutex::new(ready),
            handed_out: Mutex::default(),
            last_receipt: AtomicU64::new(0),
            left,
            pulse,
        }
    }

    pub fn health(&self) -> Health {
        self.pulse.read()
    }

    /// The next ticket that is due. Cancel safe.
    pub async fn next(&self) -> Arrived {
        self.wish.send_if_modified(|wish| {
            let first = *wish == Wish::Nothing;
            if first {
                *wish = Wish::Tickets;
            }
            first
        });
        let mut ready = self.ready.lock().await;
        loop {
            let Some(held) = ready.recv().await else {
                std::future::pending::<()>().await;
                continue;
            };
            // One whose channel is gone comes again on the next one.
            if !held.acker.usable() {
                continue;
            }
            let receipt = self.last_receipt.fetch_add(1, Ordering::Relaxed);
            let mut handed_out = self
                .handed_out
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            handed_out.insert(receipt, held.acker);
            return Arrived {
                ticket: held.letter.ticket(),
                receipt,
            };
        }
    }

    /// Acknowledges a ticket that was handed out.
    pub async fn done(&self, receipt: u64) -> Result<(), NotDone> {
        let acker = {
            let mut handed_out = self
                .handed_out
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            handed_out.remove(&receipt).ok_or(NotDone::Gone)?
        };
        let acking = acker.ack(BasicAckOptions::default());
        if self.ground.answer("an acknowledgement", acking).await? {
            Ok(())
        } else {
            Err(NotDone::Gone)
        }
    }

    /// Brings no more tickets, and gives back what was not handed out, so that other consumers get it at once.
    pub async fn leave(&self) {
        let clock = &*self.ground.clock;
        self.wish.send_replace(Wish::Leave);
        if self.pulse.is_up() {
            // Nothing is added to what is ready from then on.
            let _ = within(clock, ANSWER, self.left.cancelled()).await;
        }
        // Whoever waits for a ticket here has none to give back.
        let Some(mut ready) = within(clock, ANSWER, self.ready.lock()).await else {
            return;
        };
        let mut back = Vec::new();
        while let Ok(held) = ready.try_recv() {
            back.push(held);
        }
        give_back(&self.ground, back).await;
    }
}

/// Gives tickets back to the broker, which hands them to others.
async fn give_back(ground: &Ground, all: impl IntoIterator<Item = Held>) {
    let options = BasicNackOptions {
        requeue: true,
        ..BasicNackOptions::default()
    };
    let all = all.into_iter().map(|held| async move {
        // What cannot be given back goes back with the connection.
        let _ = ground.answer("a return", held.acker.nack(options)).await;
    });
    futures::future::join_all(all).await;
}

/// Keeps a connection as long as tickets are wanted.
struct Supervisor {
    ground: Arc<Ground>,
    publisher: Arc<Publisher>,
    wished: watch::Receiver<Wish>,
    give: mpsc::UnboundedSender<Held>,
    left: CancellationToken,
    pulse: Pulse,
}

impl Supervisor {
    async fn supervise(mut self) {
        let ground = Arc::clone(&self.ground);
        let mut backoff = Backoff::default();
        loop {
            let wanted = |wish: &Wish| *wish == Wish::Tickets;
            if self.wished.wait_for(wanted).await.is_err() {
                return;
            }
            match Line::open(&ground).await {
                Ok(line) => {
                    self.pulse.up();
                    tracing::info!(place = ground.place(), "RabbitMQ brings tickets");
                    let opened_at = ground.clock.elapsed();
                    let why = line.serve(&mut self).await;
                    if ground.clock.elapsed() > opened_at + STABLE {
                        backoff.reset();
                    }
                    tracing::warn!(why, "RabbitMQ brings no tickets");
                    self.pulse.down(ground.clock.now(), why);
                }
                Err(trouble) => {
                    if !matches!(trouble, Trouble::Away(_)) {
                        tracing::error!(%trouble, "RabbitMQ cannot be used");
                    }
                    self.pulse.down(ground.clock.now(), trouble.to_string());
                }
            }
            ground.clock.sleep(backoff.next(&*ground.entropy)).await;
        }
    }
}

/// A connection that lasted so long was no failed attempt.
const STABLE: std::time::Duration = std::time::Duration::from_secs(5);
