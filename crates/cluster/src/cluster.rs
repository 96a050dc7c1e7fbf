//! The three services of one installation. Must never start without PostgreSQL, and never wait for the other two.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use replygate_ports::clock::{Clock, Entropy};
use replygate_ports::settings::SettingsStore;
use replygate_ports::store::StoreError;

use crate::checks::Finding;
use crate::health::Health;
use crate::postgres::{Postgres, PostgresError, PostgresOptions};
use crate::rabbit::{QueueKind, Rabbit, RabbitError, RabbitOptions};
use crate::redis::{Redis, RedisError, RedisOptions};

/// Where the services are, and how they are used.
#[derive(Clone)]
pub struct ClusterConfig {
    /// PostgreSQL, with everything about it.
    pub postgres: PostgresOptions,
    /// `redis://[user:password@]host:port[/database]`, or `rediss://` for TLS.
    pub redis_url: String,
    /// `amqp://user:password@host:5672/%2f`, or `amqps://` for TLS.
    pub amqp_url: String,
    /// Comes first in the names at the broker, for installations that share one; empty for an installation that has it, or a
    /// virtual host, for itself.
    pub queue_prefix: String,
    /// How queues are kept: classic on one broker, quorum on a cluster of brokers.
    pub queue_kind: QueueKind,
    /// Waits of the channels' ladders; those of stored settings are added.
    pub rungs: Vec<Duration>,
}

impl ClusterConfig {
    /// These services with everything as usual.
    #[must_use]
    pub fn new(database_url: &str, redis_url: &str, amqp_url: &str) -> Self {
        let rabbit = RabbitOptions::new(amqp_url, "");
        Self {
            postgres: PostgresOptions::new(database_url),
            redis_url: redis_url.to_owned(),
            amqp_url: rabbit.url,
            queue_prefix: rabbit.prefix,
            queue_kind: rabbit.kind,
            rungs: rabbit.rungs,
        }
    }
}

/// The addresses may hold passwords, so they are left out.
impl fmt::Debug for ClusterConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterConfig")
            .field("postgres", &self.postgres)
            .field("queue_prefix", &self.queue_prefix)
            .field("queue_kind", &self.queue_kind)
            .field("rungs", &self.rungs)
            .finish_non_exhaustive()
    }
}

/// The cluster could not be taken into use.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// PostgreSQL is away or will not do.
    #[error(transparent)]
    Postgres(#[from] PostgresError),
    /// The stored settings cannot be read.
    #[error("the stored settings cannot be read")]
    Settings(#[source] StoreError),
    /// How Redis is to be used is not allowed.
    #[error(transparent)]
    Redis(#[from] RedisError),
    /// RabbitMQ will not do. That it is away is no such error.
    #[error(transparent)]
    Rabbit(#[from] RabbitError),
}

/// The three services of one installation. Clones share their connections.
#[derive(Clone)]
pub struct Cluster {
    /// Every store port.
    pub postgres: Postgres,
    /// News, leases, mirror, wake-ups and budgets.
    pub redis: Redis,
    /// Tickets, and the copy of the parked list.
    pub rabbit: Rabbit,
    clock: Arc<dyn Clock>,
}

impl Cluster {
    /// Connects to all three, over TLS with the provider of cryptography that the process has, else with the one of AWS. Redis and RabbitMQ may be away: they are used once they are there. Must be called inside a
    /// tokio runtime.
    ///
    /// # Errors
    /// When PostgreSQL is away, when a service will not do, or when an option is not allowed.
    pub async fn connect(
        config: &ClusterConfig,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, ClusterError> {
        // Whoever installed one before us keeps it.
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let postgres = Postgres::open(&config.postgres, Arc::clone(&clock)).await?;
        let prefix = format!("replygate-{:032x}", postgres.installation());
        let redis = RedisOptions::new(&config.redis_url, &prefix);
        let rabbit = RabbitOptions {
            kind: config.queue_kind,
            rungs: rungs(config, &postgres).await?,
            ..RabbitOptions::new(&config.amqp_url, &config.queue_prefix)
        };
        let redis = Redis::open(&redis, Arc::clone(&clock), Arc::clone(&entropy)).await?;
        let rabbit = Rabbit::open(&rabbit, Arc::clone(&clock), entropy).await?;
        Ok(Self {
            postgres,
            redis,
            rabbit,
            clock,
        })
    }

    /// How the services are that may be away, as far as this process knows. PostgreSQL is asked with `Store::ping`.
    #[must_use]
    pub fn health(&self) -> [(&'static str, Health); 2] {
        [
            ("Redis", self.redis.health()),
            ("RabbitMQ", self.rabbit.health()),
        ]
    }

    /// Looks at all three as they are now.
    pub async fn check(&self) -> Vec<Finding> {
        let mut found = self.postgres.check(&*self.clock).await;
        found.extend(self.redis.check().await);
        found.extend(self.rabbit.check().await);
        found
    }

    /// Ends every connection after what was asked for before is stored. Nothing is lost without it.
    pub async fn close(self) {
        self.postgres.close().await;
    }
}

/// The configured waits and those of every channel that is stored.
async fn rungs(config: &ClusterConfig, postgres: &Postgres) -> Result<Vec<Duration>, ClusterError> {
    let channels: &dyn SettingsStore = postgres;
    let stored = channels.all().await.map_err(ClusterError::Settings)?;
    let stored = stored
        .iter()
        .flat_map(|version| version.settings.rungs())
        .map(Duration::from_millis);
    Ok(config.rungs.iter().copied().chain(stored).collect())
}
