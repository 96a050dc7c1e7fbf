//! The broker under test: a prefix for each test, whose queues are deleted behind it. `AMQP_URL` says where, by default the
//! local one.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use lapin::uri::AMQPUri;
use lapin::{Channel, Connection, ConnectionProperties};
use replygate_cluster::{Rabbit, RabbitError, RabbitOptions};
use replygate_gate::{At, ReplyId, SessionId};
use replygate_ports::clock::Clock;
use replygate_ports::tickets::{Arrived, Ticket, Tickets};
use replygate_testkit::clock::SimClock;
use replygate_testkit::contract::Missing;
use replygate_testkit::entropy::SeededEntropy;
use replygate_testkit::proxy::TcpProxy;
use replygate_testkit::wait::{pause, soon};
use tokio::runtime::Builder;

#[expect(
    clippy::disallowed_methods,
    reason = "where the tests' broker is, only the environment can say"
)]
pub fn url() -> String {
    std::env::var("AMQP_URL").unwrap_or_else(|_| "amqp://guest:guest@127.0.0.1:5672/%2f".to_owned())
}

/// A number that no other test has.
fn unique() -> u128 {
    #[expect(
        clippy::disallowed_methods,
        reason = "tests in many processes share a broker"
    )]
    uuid::Uuid::new_v4().as_u128()
}

/// Skips, or fails in CI, when there is no broker.
macro_rules! here {
    ($opened:expr) => {
        match replygate_testkit::contract::there($opened) {
            Some(opened) => opened,
            None => return,
        }
    };
}
pub(crate) use here;

/// An installation of its own. One clock for all of its processes: due times are absolute.
pub struct Place {
    pub prefix: String,
    pub clock: Arc<SimClock>,
}

impl Place {
    pub fn new() -> Self {
        Self {
            prefix: format!("test-{:032x}", unique()),
            clock: Arc::new(SimClock::start()),
        }
    }

    pub fn options(&self) -> RabbitOptions {
        RabbitOptions::new(&url(), &self.prefix)
    }

    /// A process of this installation.
    ///
    /// # Errors
    /// `Missing` when there is no broker.
    pub async fn open(&self) -> Result<Rabbit, Missing> {
        let rabbit = self.open_with(&self.options()).await.unwrap();
        if rabbit.health().is_up() {
            Ok(rabbit)
        } else {
            Err(Missing(format!("no RabbitMQ at {}", host())))
        }
    }

    pub async fn open_with(&self, options: &RabbitOptions) -> Result<Rabbit, RabbitError> {
        let entropy = Arc::new(SeededEntropy::new(unique() as u64));
        Rabbit::open(options, self.clock.clone(), entropy).await
    }

    /// A process that reaches the broker through a proxy.
    pub async fn open_through_proxy(&self) -> (Rabbit, TcpProxy) {
        let proxy = TcpProxy::start(server().await).await.unwrap();
        let mut uri: AMQPUri = url().parse().unwrap();
        uri.authority.host = proxy.address().ip().to_string();
        uri.authority.port = proxy.address().port();
        let user = &uri.authority.userinfo;
        let mut options = self.options();
        options.url = format!(
            "amqp://{}:{}@{}/{}",
            user.username,
            user.password,
            proxy.address(),
            uri.vhost.replace('/', "%2f")
        );
        (self.open_with(&options).await.unwrap(), proxy)
    }

    /// The due time after so many milliseconds.
    pub fn after(&self, ms: u64) -> At {
        self.clock.now().plus(ms)
    }

    /// The full name of one of this installation's queues.
    pub fn queue(&self, name: &str) -> String {
        format!("{}.{name}", self.prefix)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let options = self.options();
        let clock = self.clock.clone();
        let gone = std::thread::spawn(move || {
            let runtime = Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let entropy = Arc::new(SeededEntropy::new(1));
                // Without a broker there is nothing to delete.
                drop(Rabbit::delete(&options, clock, entropy).await);
            });
        });
        drop(gone.join());
    }
}

/// A channel of the test's own.
pub async fn channel() -> (Connection, Channel) {
    let connection = Connection::connect(&url(), ConnectionProperties::default())
        .await
        .unwrap();
    let channel = connection.create_channel().await.unwrap();
    (connection, channel)
}

fn host() -> String {
    let uri: AMQPUri = url().parse().unwrap();
    format!("{}:{}", uri.authority.host, uri.authority.port)
}

async fn server() -> SocketAddr {
    let mut found = tokio::net::lookup_host(host()).await.unwrap();
    found.next().unwrap()
}

pub fn ticket(number: u128) -> Ticket {
    Ticket {
        reply: ReplyId(number),
        session: SessionId(number),
        attempt: 0,
        version: Some(1),
    }
}

/// The next ticket, not finished.
pub async fn next(rabbit: &Rabbit) -> Arrived {
    soon(rabbit.next()).await.unwrap()
}

/// The next ticket's number, finished.
pub async fn take(rabbit: &Rabbit) -> u128 {
    let arrived = next(rabbit).await;
    rabbit.done(arrived.receipt).await.unwrap();
    arrived.ticket.reply.0
}

/// Publishes again and again, as the sweeper does, until it works.
pub async fn insist(rabbit: &Rabbit, ticket: Ticket, due: At) {
    soon(async {
        while rabbit.publish(ticket, due).await.is_err() {
            pause(Duration::from_millis(20)).await;
        }
    })
    .await;
}
