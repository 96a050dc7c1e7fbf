//! Tickets on RabbitMQ 3.10 to 4.x: a work queue, one delay queue per delay, and a copy of the parked list. No plugin, no
//! time to live per message, no counting by the broker. Must never be trusted with a reply: whatever is lost here the
//! sweeper publishes again, and whatever comes twice the store refuses.

mod alarm;
mod conflict;
mod consumer;
mod delays;
mod letter;
mod line;
mod names;
mod publisher;
mod queues;
mod sift;
mod version;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use replygate_gate::At;
use replygate_ports::clock::{Clock, Entropy};
use replygate_ports::parked::{Parked, ParkedMirror};
use replygate_ports::tickets::{Arrived, Ticket, Tickets, TicketsUnavailable};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::health::Health;
use consumer::Consumer;
use letter::Letter;
use line::{Ground, Trouble};
use publisher::Publisher;

pub use conflict::Conflict;
pub use queues::{Depth, QueueDuty};

/// How queues are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueKind {
    /// On one node's disk: the right kind for one node, since the store can publish everything again.
    #[default]
    Classic,
    /// On several nodes: the right kind for a cluster of brokers.
    Quorum,
}

impl QueueKind {
    /// The broker's word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Classic => "classic",
            Self::Quorum => "quorum",
        }
    }
}

/// How to use RabbitMQ.
#[derive(Clone)]
pub struct RabbitOptions {
    /// `amqp://user:password@host:5672/%2f`, or `amqps://` for TLS.
    pub url: String,
    /// Comes first in the name of the exchange and of every queue, so that installations cannot meet; may be empty, else at
    /// most 64 of `a-z`, `0-9`, `-`, `_`, `.`.
    pub prefix: String,
    /// How queues are kept. What exists under the same names with another kind is refused.
    pub kind: QueueKind,
    /// Waits of the channels' ladders: each gets a queue of its own.
    pub rungs: Vec<Duration>,
    /// How many tickets may be with this process at once, waiting or in work.
    pub prefetch: u16,
}

impl RabbitOptions {
    /// The usual options under this address and prefix.
    #[must_use]
    pub fn new(url: &str, prefix: &str) -> Self {
        let rungs = [300, 600, 1_200, 1_000, 5_000, 30_000, 120_000];
        Self {
            url: url.to_owned(),
            prefix: prefix.to_owned(),
            kind: QueueKind::Classic,
            rungs: rungs.map(Duration::from_millis).to_vec(),
            prefetch: 2_048,
        }
    }
}

/// The address may hold a password, so it is left out.
impl fmt::Debug for RabbitOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RabbitOptions")
            .field("prefix", &self.prefix)
            .field("kind", &self.kind)
            .field("rungs", &self.rungs)
            .field("prefetch", &self.prefetch)
            .finish_non_exhaustive()
    }
}

/// RabbitMQ could not be taken into use. That it is away is no such error: it is used once it is there.
#[derive(Debug, thiserror::Error)]
pub enum RabbitError {
    /// The address is none.
    #[error(
        "the address of RabbitMQ cannot be read ({0}), expected amqp://user:password@host:5672/%2f or amqps:// for TLS"
    )]
    Address(String),
    /// The prefix is not allowed.
    #[error("the prefix is `{0}`, allowed: at most 64 of a-z, 0-9, -, _ and .")]
    Prefix(String),
    /// A queue exists with other arguments.
    #[error("{0}")]
    Conflict(Conflict),
    /// It does not let us in.
    #[error("RabbitMQ at {place} refuses: {why}")]
    Refused {
        /// Host and port.
        place: String,
        /// Its words.
        why: String,
    },
}

/// RabbitMQ, as far as Replygate uses it. It is given up with the last clone.
#[derive(Clone)]
pub struct Rabbit {
    ground: Arc<Ground>,
    publisher: Arc<Publisher>,
    consumer: Arc<Consumer>,
    _stop: Arc<DropGuard>,
}

impl Rabbit {
    /// Connects for publishing and makes exchange and queues; when RabbitMQ is away that goes on behind the scenes. The
    /// connection for consuming is made when the first ticket is asked for. Must be called inside a tokio runtime.
    ///
    /// # Errors
    /// When an option is not allowed, when a queue exists with other arguments, and when RabbitMQ does not let us in.
    pub async fn open(
        options: &RabbitOptions,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, RabbitError> {
        let stop = CancellationToken::new();
        let ground = Ground::new(options, clock, entropy, stop.clone())?;
        let ground = Arc::new(ground);
        let publisher = Publisher::open(Arc::clone(&ground)).await;
        let publisher = publisher.map_err(|trouble| ground.refused(trouble))?;
        let publisher = Arc::new(publisher);
        let consumer = Consumer::start(Arc::clone(&ground), Arc::clone(&publisher));
        Ok(Self {
            ground,
            publisher,
            consumer: Arc::new(consumer),
            _stop: Arc::new(stop.drop_guard()),
        })
    }

    /// How publishing is, as far as this process knows.
    #[must_use]
    pub fn health(&self) -> Health {
        self.publisher.health()
    }

    /// How consuming is, as far as this process knows; [`Health::Down`] in a process that never asked for a ticket.
    #[must_use]
    pub fn consuming(&self) -> Health {
        self.consumer.health()
    }

    /// When publishing last ceased to work, since this process first reached the broker.
    #[must_use]
    pub fn last_failure(&self) -> Option<At> {
        self.publisher.last_failure()
    }

    /// How many messages wait in each of our queues that exists, by name. Asks the broker on a connection of its own.
    ///
    /// # Errors
    /// When it cannot be asked.
    pub async fn depths(&self) -> Result<Vec<Depth>, TicketsUnavailable> {
        let depths = queues::depths(&self.ground).await;
        depths.map_err(|trouble| TicketsUnavailable(Box::new(trouble)))
    }

    /// Looks at up to `most` tickets of each of our queues and takes those out that `keep` does not want; returns all it
    /// looked at. What consumers hold at the moment is not seen. On a connection of its own.
    ///
    /// # Errors
    /// When the broker cannot be asked.
    pub async fn sift(
        &self,
        most: u32,
        keep: &(dyn Fn(&Ticket) -> bool + Send + Sync),
    ) -> Result<Vec<Ticket>, TicketsUnavailable> {
        let sifted = sift::sift(&self.ground, most, keep).await;
        sifted.map_err(|trouble| TicketsUnavailable(Box::new(trouble)))
    }

    /// The version that the broker tells before anybody signs in.
    pub(crate) async fn version(&self) -> Result<String, Trouble> {
        version::version(&self.ground).await
    }

    /// The broker's word for why it takes no messages; `None` when it does, or cannot be asked.
    pub(crate) async fn alarm(&self) -> Option<String> {
        alarm::alarm(&self.ground).await.unwrap_or(None)
    }

    /// The queues that exist with other arguments than ours.
    pub(crate) async fn conflicts(&self) -> Result<Vec<Conflict>, Trouble> {
        queues::conflicts(&self.ground).await
    }

    /// Deletes the exchange and every queue of this prefix with all that is in them.
    ///
    /// # Errors
    /// When an option is not allowed, or the broker cannot be asked.
    pub async fn delete(
        options: &RabbitOptions,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<(), RabbitError> {
        let ground = Ground::new(options, clock, entropy, CancellationToken::new())?;
        let deleted = queues::delete(&ground).await;
        deleted.map_err(|trouble| ground.refused(trouble))
    }
}

#[async_trait]
impl Tickets for Rabbit {
    async fn publish(&self, ticket: Ticket, due: At) -> Result<(), TicketsUnavailable> {
        let published = self.publisher.publish(&Letter::new(ticket, due)).await;
        published.map_err(|failure| TicketsUnavailable(Box::new(failure)))
    }

    async fn next(&self) -> Result<Arrived, TicketsUnavailable> {
        Ok(self.consumer.next().await)
    }

    async fn done(&self, receipt: u64) -> Result<(), TicketsUnavailable> {
        let done = self.consumer.done(receipt).await;
        done.map_err(|failure| TicketsUnavailable(Box::new(failure)))
    }

    async fn leave(&self) {
        self.consumer.leave().await;
    }
}

#[async_trait]
impl ParkedMirror for Rabbit {
    async fn tell(&self, parked: Parked) {
        self.publisher.tell_parked(&parked);
    }
}
