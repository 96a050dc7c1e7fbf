//! What processes tell each other, on Redis 7 or Valkey: leases, glances, budgets, wake-ups, news. All of it may be lost
//! at any moment. Must never be trusted with anything that is not also in the store, and must never make anybody wait: a
//! Redis that does not answer is left alone until it does.

mod budgets;
mod ears;
mod frames;
mod keys;
mod leases;
mod link;
mod mirror;
mod voice;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use replygate_gate::At;
use replygate_ports::budgets::Budgets;
use replygate_ports::clock::{Clock, Entropy};
use replygate_ports::feed::Feed;
use replygate_ports::leases::Leases;
use replygate_ports::mirror::Mirror;
use replygate_ports::wakes::Wakes;
use tokio_util::sync::CancellationToken;

use crate::health::Health;
use budgets::RedisBudgets;
use ears::Ears;
use keys::Keys;
use leases::RedisLeases;
pub(crate) use link::Facts;
use link::Link;
use mirror::RedisMirror;
use voice::{RedisFeed, RedisWakes};

/// How to use Redis.
#[derive(Clone)]
pub struct RedisOptions {
    /// `redis://[user:password@]host:port[/database]`, or `rediss://` for TLS.
    pub url: String,
    /// Comes first in every key and channel, so that installations cannot meet: 1 to 64 of `a-z`, `0-9`, `-`, `_`, `.`.
    pub prefix: String,
    /// How long one call may take. A Redis that takes longer counts as away until it answers again.
    pub limit: Duration,
}

impl RedisOptions {
    /// The usual limit under this address and prefix.
    #[must_use]
    pub fn new(url: &str, prefix: &str) -> Self {
        Self {
            url: url.to_owned(),
            prefix: prefix.to_owned(),
            limit: Duration::from_millis(250),
        }
    }
}

/// The address may hold a password, so it is left out.
impl fmt::Debug for RedisOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisOptions")
            .field("prefix", &self.prefix)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

/// Redis could not be taken into use. That it is away is no such error: it is used once it is there.
#[derive(Debug, thiserror::Error)]
pub enum RedisError {
    /// The address is none.
    #[error(
        "the address of Redis cannot be read, expected redis://user:password@host:6379/0 or rediss:// for TLS"
    )]
    Address(#[source] ::redis::RedisError),
    /// The prefix is not allowed.
    #[error("the prefix is `{0}`, allowed: 1 to 64 of a-z, 0-9, -, _ and .")]
    Prefix(String),
}

/// Redis, as far as Replygate uses it. It is given up with the last clone.
#[derive(Clone)]
pub struct Redis {
    link: Link,
    feed: Arc<RedisFeed>,
    wakes: Arc<RedisWakes>,
    leases: Arc<RedisLeases>,
    mirror: Arc<RedisMirror>,
    budgets: Arc<RedisBudgets>,
    _stop: Arc<tokio_util::sync::DropGuard>,
}

impl Redis {
    /// Connects and listens; when Redis is away that goes on behind the scenes. Must be called inside a tokio runtime.
    ///
    /// # Errors
    /// When an option is not allowed.
    pub async fn open(
        options: &RedisOptions,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, RedisError> {
        let keys = Keys::new(&options.prefix)?;
        let client = ::redis::Client::open(options.url.as_str()).map_err(RedisError::Address)?;
        let stop = CancellationToken::new();
        let link = Link::open(
            client,
            options.limit,
            Arc::clone(&clock),
            entropy,
            stop.clone(),
        )
        .await;
        let me = link.draw();
        let ears = Ears::open(&link, &keys, me).await;
        Ok(Self {
            feed: Arc::new(RedisFeed::start(&link, &keys, me, ears.news())),
            wakes: Arc::new(RedisWakes::start(&link, &keys, me, ears.wakes())),
            leases: Arc::new(RedisLeases::new(&link, &keys)),
            mirror: Arc::new(RedisMirror::start(&link, &keys)),
            budgets: Arc::new(RedisBudgets::new(&link, &keys, clock)),
            link,
            _stop: Arc::new(stop.drop_guard()),
        })
    }

    /// News for every process.
    #[must_use]
    pub fn feed(&self) -> Arc<dyn Feed> {
        self.feed.clone()
    }

    /// Wake-ups between processes.
    #[must_use]
    pub fn wakes(&self) -> Arc<dyn Wakes> {
        self.wakes.clone()
    }

    /// Leases of sessions.
    #[must_use]
    pub fn leases(&self) -> Arc<dyn Leases> {
        self.leases.clone()
    }

    /// What tickets lead to.
    #[must_use]
    pub fn mirror(&self) -> Arc<dyn Mirror> {
        self.mirror.clone()
    }

    /// Budgets of conversations.
    #[must_use]
    pub fn budgets(&self) -> Arc<dyn Budgets> {
        self.budgets.clone()
    }

    /// How Redis is, as far as this process knows.
    #[must_use]
    pub fn health(&self) -> Health {
        self.link.health()
    }

    /// When it last ceased to answer, since this process first reached it.
    #[must_use]
    pub fn last_failure(&self) -> Option<At> {
        self.link.last_failure()
    }

    /// What `INFO` says, and the time there; `None` while Redis does not answer.
    pub(crate) async fn facts(&self) -> Option<Facts> {
        self.link.facts().await
    }
}
