//! The server under test: a prefix for each test, whose keys end by themselves. `REDIS_URL` says where, by default the
//! local one.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use replygate_cluster::{Redis, RedisOptions};
use replygate_testkit::clock::SimClock;
use replygate_testkit::contract::Missing;
use replygate_testkit::entropy::SeededEntropy;
use replygate_testkit::proxy::TcpProxy;
use replygate_testkit::wait::pause;

#[expect(
    clippy::disallowed_methods,
    reason = "where the tests' server is, only the environment can say"
)]
pub fn url() -> String {
    std::env::var("REDIS_URL").unwrap_or_else(|_| "redis://127.0.0.1:6379/".to_owned())
}

/// A number that no other test has.
pub fn unique() -> u128 {
    #[expect(
        clippy::disallowed_methods,
        reason = "tests in many processes share a server"
    )]
    uuid::Uuid::new_v4().as_u128()
}

/// An installation of its own.
pub struct Place {
    prefix: String,
}

impl Place {
    pub fn new() -> Self {
        let prefix = format!("test-{:032x}", unique());
        Self { prefix }
    }

    pub fn options(&self) -> RedisOptions {
        RedisOptions::new(&url(), &self.prefix)
    }

    /// A process of this installation.
    ///
    /// # Errors
    /// `Missing` when there is no server.
    pub async fn open(&self) -> Result<Redis, Missing> {
        let redis = self.open_with(&self.options()).await;
        if redis.health().is_up() {
            Ok(redis)
        } else {
            Err(Missing(format!("no Redis at {}", url())))
        }
    }

    pub async fn open_with(&self, options: &RedisOptions) -> Redis {
        let clock = Arc::new(SimClock::start());
        let entropy = Arc::new(SeededEntropy::new(unique() as u64));
        Redis::open(options, clock, entropy).await.unwrap()
    }

    /// A process that reaches the server through a proxy.
    pub async fn open_through_proxy(&self) -> (Redis, TcpProxy) {
        let proxy = TcpProxy::start(server().await).await.unwrap();
        let address = proxy.address().to_string();
        let mut options = self.options();
        options.url = format!("redis://{address}/");
        (self.open_with(&options).await, proxy)
    }

    /// Waits until the server's own clock, by which keys end, has gone on by more than `by`: it may be put back meanwhile,
    /// and a key lives through the millisecond in which it ends.
    pub async fn wait_there(&self, by: Duration) {
        let client = redis::Client::open(url()).unwrap();
        let mut connection = client.get_multiplexed_async_connection().await.unwrap();
        let start = now_there(&mut connection).await;
        loop {
            let passed = now_there(&mut connection).await.saturating_sub(start);
            if passed > by + Duration::from_millis(1) {
                return;
            }
            pause(by.saturating_sub(passed).max(Duration::from_millis(1))).await;
        }
    }

    /// Deletes every key of this installation, as a restart without persistence would.
    pub async fn flush(&self) {
        let client = redis::Client::open(url()).unwrap();
        let mut connection = client.get_multiplexed_async_connection().await.unwrap();
        let pattern = format!("{}:*", self.prefix);
        let keys: Vec<String> = redis::cmd("KEYS")
            .arg(pattern)
            .query_async(&mut connection)
            .await
            .unwrap();
        for key in keys {
            let _: u32 = redis::cmd("DEL")
                .arg(key)
                .query_async(&mut connection)
                .await
                .unwrap();
        }
    }
}

/// The server's address.
async fn server() -> SocketAddr {
    let client = redis::Client::open(url()).unwrap();
    let redis::ConnectionAddr::Tcp(host, port) = client.get_connection_info().addr() else {
        panic!("REDIS_URL must name a host and a port");
    };
    let mut found = tokio::net::lookup_host((host.as_str(), *port))
        .await
        .unwrap();
    found.next().unwrap()
}

async fn now_there(connection: &mut redis::aio::MultiplexedConnection) -> Duration {
    let (seconds, micros): (u64, u64) = redis::cmd("TIME").query_async(connection).await.unwrap();
    Duration::from_secs(seconds) + Duration::from_micros(micros)
}
