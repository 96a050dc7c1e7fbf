//! The connection for commands. Must never make a caller wait for a Redis that is away: a call that fails or takes too
//! long opens the circuit, every further call is given up at once, and a task of its own looks when Redis is back.

use std::future::Future;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use ::redis::aio::MultiplexedConnection;
use ::redis::{AsyncConnectionConfig, Client, RedisResult};
use replygate_gate::At;
use replygate_ports::clock::{Clock, Entropy};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::backoff::Backoff;
use crate::health::{Health, Pulse};
use crate::limit::within;

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(1);
/// How often an idle connection is tried.
const WATCH: Duration = Duration::from_secs(2);
/// Answers of a server that is there and cannot serve: it starts, or it became a replica.
const USELESS: &[&str] = &["LOADING", "READONLY", "MASTERDOWN", "NOAUTH", "NOPERM"];

/// The connection for commands. Clones share it.
#[derive(Clone)]
pub struct Link {
    inner: Arc<Inner>,
}

struct Inner {
    client: Client,
    limit: Duration,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    stop: CancellationToken,
    pulse: Pulse,
    /// With a number that tells connections apart.
    current: RwLock<Option<(u64, MultiplexedConnection)>>,
    broken: Notify,
}

/// What a server tells about itself.
pub struct Facts {
    /// The text of `INFO`.
    pub info: String,
    /// Its clock, in milliseconds since the Unix epoch.
    pub now_ms: i64,
    /// This process's clock halfway through the question.
    pub asked_at_ms: i64,
}

impl Link {
    /// Tries once, and goes on trying behind the scenes until `stop`.
    pub async fn open(
        client: Client,
        limit: Duration,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        stop: CancellationToken,
    ) -> Self {
        let inner = Inner {
            client,
            limit,
            pulse: Pulse::new(clock.now()),
            clock,
            entropy,
            stop: stop.clone(),
            current: RwLock::new(None),
            broken: Notify::new(),
        };
        let link = Self {
            inner: Arc::new(inner),
        };
        link.try_to_connect(0).await;
        let supervisor = link.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = stop.cancelled() => {}
                () = supervisor.supervise() => {}
            }
        });
        link
    }

    /// The server's address, for connections of another kind.
    pub fn client(&self) -> &Client {
        &self.inner.client
    }

    /// The clock that bounds every wait.
    pub fn clock(&self) -> &dyn Clock {
        &*self.inner.clock
    }

    /// Chance for waits.
    pub fn entropy(&self) -> &dyn Entropy {
        &*self.inner.entropy
    }

    /// Cancelled when nobody uses this any more.
    pub fn stop(&self) -> &CancellationToken {
        &self.inner.stop
    }

    /// A number that no other process has.
    pub fn draw(&self) -> u128 {
        self.inner.entropy.bits()
    }

    pub fn health(&self) -> Health {
        self.inner.pulse.read()
    }

    pub fn last_failure(&self) -> Option<At> {
        self.inner.pulse.last_failure()
    }

    /// Makes a call; `None` when it was not answered, at once while Redis is away.
    pub async fn call<T, W>(
        &self,
        name: &'static str,
        work: impl FnOnce(MultiplexedConnection) -> W,
    ) -> Option<T>
    where
        W: Future<Output = RedisResult<T>>,
    {
        let (number, connection) = self.current()?;
        let limit = self.inner.limit;
        match within(self.clock(), limit, work(connection)).await {
            Some(Ok(answer)) => Some(answer),
            Some(Err(error)) if is_of_use(&error) => {
                tracing::warn!(call = name, %error, "Redis refuses a call");
                None
            }
            Some(Err(error)) => {
                self.broke(number, &format!("{name}: {error}"));
                None
            }
            None => {
                self.broke(
                    number,
                    &format!("{name}: no answer within {} ms", limit.as_millis()),
                );
                None
            }
        }
    }

    /// What the server tells about itself.
    pub async fn facts(&self) -> Option<Facts> {
        let info = self
            .call("INFO", |mut connection| async move {
                ::redis::cmd("INFO").query_async(&mut connection).await
            })
            .await?;
        let before = self.inner.clock.now();
        let (seconds, micros): (i64, i64) = self
            .call("TIME", |mut connection| async move {
                ::redis::cmd("TIME").query_async(&mut connection).await
            })
            .await?;
        let round_trip = self.inner.clock.now().since(before);
        Some(Facts {
            info,
            now_ms: seconds * 1_000 + micros / 1_000,
            asked_at_ms: before.plus(round_trip / 2).0,
        })
    }

    fn current(&self) -> Option<(u64, MultiplexedConnection)> {
        let current = self
            .inner
            .current
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        current.clone()
    }

    /// Gives the connection with that number up, if it is still the one in use.
    fn broke(&self, number: u64, why: &str) {
        {
            let mut current = self
                .inner
                .current
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            if current.as_ref().is_none_or(|(known, _)| *known != number) {
                return;
            }
            *current = None;
        }
        self.inner
            .pulse
            .down(self.inner.clock.now(), why.to_owned());
        tracing::warn!(why, "Redis is away; everything goes on without it");
        self.inner.broken.notify_one();
    }

    async fn supervise(&self) {
        let mut backoff = Backoff::default();
        for number in 1.. {
            while self.current().is_none() {
                self.inner.clock.sleep(backoff.next(self.entropy())).await;
                self.try_to_connect(number).await;
            }
            backoff.reset();
            self.watch().await;
        }
    }

    /// Returns when the connection in use was given up.
    async fn watch(&self) {
        while self.current().is_some() {
            tokio::select! {
                () = self.inner.broken.notified() => {}
                () = self.inner.clock.sleep(WATCH) => {
                    let _: Option<()> = self.call("PING", ping).await;
                }
            }
        }
    }

    async fn try_to_connect(&self, number: u64) {
        // The limits are this link's own, so that one clock counts them all.
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(None)
            .set_response_timeout(None);
        let connecting = async {
            let connection = self
                .inner
                .client
                .get_multiplexed_async_connection_with_config(&config)
                .await?;
            ping(connection.clone()).await?;
            Ok::<_, ::redis::RedisError>(connection)
        };
        match within(self.clock(), CONNECT, connecting).await {
            Some(Ok(connection)) => {
                let mut current = self
                    .inner
                    .current
                    .write()
                    .unwrap_or_else(PoisonError::into_inner);
                *current = Some((number, connection));
                self.inner.pulse.up();
                tracing::info!("Redis answers");
            }
            Some(Err(error)) => self.missed(error.to_string()),
            None => self.missed(format!("no connection within {} ms", CONNECT.as_millis())),
        }
    }

    fn missed(&self, why: String) {
        tracing::debug!(why, "Redis is still away");
        self.inner.pulse.down(self.inner.clock.now(), why);
    }
}

async fn ping(mut connection: MultiplexedConnection) -> RedisResult<()> {
    ::redis::cmd("PING").query_async(&mut connection).await
}

/// Whether the connection that met this error can go on.
fn is_of_use(error: &::redis::RedisError) -> bool {
    let lost = error.is_io_error()
        || error.is_connection_dropped()
        || error.is_timeout()
        || error.is_unrecoverable_error();
    !lost && error.code().is_none_or(|code| !USELESS.contains(&code))
}
