//! Connections to the broker. Must never wait without a bound, and leaves recovery to whoever supervises: a connection
//! that broke is made anew, with everything on it.

use std::sync::Arc;
use std::time::Duration;

use lapin::options::{ExchangeDeclareOptions, QueueBindOptions, QueueDeclareOptions};
use lapin::types::FieldTable;
use lapin::uri::AMQPUri;
use lapin::{Channel, Connection, ConnectionProperties, ErrorKind, ExchangeKind};
use replygate_ports::clock::{Clock, Entropy};
use tokio_util::sync::CancellationToken;

use super::conflict::Conflict;
use super::delays::Delays;
use super::names::{Names, Plan};
use super::{RabbitError, RabbitOptions};
use crate::limit::within;

/// How long a connection may take until it can be used.
const CONNECT: Duration = Duration::from_secs(5);
/// How long any other answer of the broker may take.
pub const ANSWER: Duration = Duration::from_secs(3);
/// A connection on which nothing is heard for twice as many seconds is lost.
const HEARTBEAT_S: u16 = 10;

/// What every part of the adapter works on.
pub struct Ground {
    pub uri: AMQPUri,
    pub names: Names,
    pub delays: Delays,
    pub prefetch: u16,
    pub clock: Arc<dyn Clock>,
    pub entropy: Arc<dyn Entropy>,
    /// Cancelled when nobody uses the adapter any more.
    pub stop: CancellationToken,
}

/// What went wrong with the broker.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Trouble {
    /// It does not answer, or the connection broke.
    #[error("RabbitMQ is away: {0}")]
    Away(String),
    /// A queue exists with other arguments.
    #[error("{0}")]
    Conflict(Conflict),
    /// It does not let us in.
    #[error("RabbitMQ refuses: {0}")]
    Refused(String),
}

impl Trouble {
    /// Nothing came within the bound.
    pub fn no_answer(what: &str, limit: Duration) -> Self {
        Self::Away(format!(
            "no answer to {what} within {} ms",
            limit.as_millis()
        ))
    }
}

impl From<lapin::Error> for Trouble {
    fn from(error: lapin::Error) -> Self {
        let ErrorKind::ProtocolError(said) = error.kind() else {
            return Self::Away(error.to_string());
        };
        let text = said.get_message().to_string();
        if let Some(conflict) = Conflict::read(&text) {
            return Self::Conflict(conflict);
        }
        let refusals = ["ACCESS_REFUSED", "NOT_ALLOWED", "PRECONDITION_FAILED"];
        if refusals.iter().any(|word| text.starts_with(word)) {
            return Self::Refused(text);
        }
        Self::Away(text)
    }
}

impl Ground {
    /// What the options say.
    pub fn new(
        options: &RabbitOptions,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        stop: CancellationToken,
    ) -> Result<Self, RabbitError> {
        Ok(Self {
            uri: options.url.parse().map_err(RabbitError::Address)?,
            names: Names::new(&options.prefix, options.kind)?,
            delays: Delays::new(&options.rungs),
            prefetch: options.prefetch,
            clock,
            entropy,
            stop,
        })
    }

    /// Host and port.
    pub fn place(&self) -> String {
        format!("{}:{}", self.uri.authority.host, self.uri.authority.port)
    }

    /// What a trouble at the start means, for whoever starts.
    pub fn refused(&self, trouble: Trouble) -> RabbitError {
        match trouble {
            Trouble::Conflict(conflict) => RabbitError::Conflict(conflict),
            Trouble::Refused(why) | Trouble::Away(why) => RabbitError::Refused {
                place: self.place(),
                why,
            },
        }
    }

    /// A new connection for this use.
    pub async fn connect(&self, uses: &str) -> Result<Connection, Trouble> {
        let mut uri = self.uri.clone();
        uri.query.heartbeat.get_or_insert(HEARTBEAT_S);
        let limit_ms = CONNECT.as_millis() as u64;
        uri.query.connection_timeout.get_or_insert(limit_ms);
        let name = format!("replygate {uses} ({})", self.names.work());
        let properties = ConnectionProperties::default().with_connection_name(name.into());
        let connecting = Connection::connect_uri(uri, properties);
        match within(&*self.clock, CONNECT, connecting).await {
            Some(connected) => Ok(connected?),
            None => Err(Trouble::no_answer("the connection", CONNECT)),
        }
    }

    /// The answer to a call, in time.
    pub async fn answer<T>(
        &self,
        what: &str,
        call: impl Future<Output = lapin::Result<T>>,
    ) -> Result<T, Trouble> {
        match within(&*self.clock, ANSWER, call).await {
            Some(answer) => Ok(answer?),
            None => Err(Trouble::no_answer(what, ANSWER)),
        }
    }

    /// Makes sure that the exchange, the work queue and the copy of the parked list are there.
    pub async fn declare(&self, channel: &Channel) -> Result<(), Trouble> {
        let options = ExchangeDeclareOptions {
            durable: true,
            ..ExchangeDeclareOptions::default()
        };
        let exchange = channel.exchange_declare(
            (&**self.names.exchange()).into(),
            ExchangeKind::Direct,
            options,
            FieldTable::default(),
        );
        self.answer("the exchange", exchange).await?;
        self.declare_queue(channel, self.names.work_plan()).await?;
        self.declare_queue(channel, self.names.parked_plan()).await
    }

    /// Makes sure that the queue is there and bound. On an error the channel is gone.
    pub async fn declare_queue(&self, channel: &Channel, plan: Plan) -> Result<(), Trouble> {
        let name = plan.name;
        let declared = channel.queue_declare(
            (&*name).into(),
            QueueDeclareOptions::durable(),
            plan.arguments,
        );
        self.answer("a queue", declared).await?;
        let bound = channel.queue_bind(
            (&*name).into(),
            (&**self.names.exchange()).into(),
            (&*name).into(),
            QueueBindOptions::default(),
            FieldTable::default(),
        );
        self.answer("a binding", bound).await
    }
}
