//! Everything that goes through an installation's exchange, copied while it does.

use std::sync::{Arc, Mutex};

use futures::StreamExt as _;
use lapin::options::{BasicConsumeOptions, QueueBindOptions, QueueDeclareOptions};
use lapin::types::FieldTable;
use lapin::{Channel, Connection, ConnectionProperties};
use replygate_gate::At;
use replygate_ports::clock::Clock;
use serde_json::Value;

use crate::place::Place;

/// The delays through which a ticket of the stories may go.
const DELAYS_MS: [u64; 13] = [
    200, 250, 300, 400, 500, 600, 800, 1_000, 1_200, 1_250, 1_500, 2_000, 2_500,
];

/// A message as it was published.
#[derive(Clone, Debug)]
pub struct Seen {
    key: String,
    pub body: Value,
    pub at: At,
}

/// Listens beside the installation.
pub struct Broker {
    parked: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    _connection: Connection,
    _channel: Channel,
}

impl Broker {
    pub async fn follow(place: &Place, clock: Arc<dyn Clock>) -> Self {
        let connection = Connection::connect(&place.amqp_url, ConnectionProperties::default());
        let connection = connection.await.unwrap();
        let channel = connection.create_channel().await.unwrap();
        let work = format!("{}.outbound_messages", place.name);
        let parked = format!("{work}.parked");
        let options = QueueDeclareOptions {
            exclusive: true,
            ..QueueDeclareOptions::default()
        };
        let queue = channel
            .queue_declare("".into(), options, FieldTable::default())
            .await
            .unwrap();
        let delays = DELAYS_MS.iter().flat_map(|ms| {
            [
                format!("{work}.delay.{ms}ms"),
                format!("{work}.retry.{ms}ms"),
            ]
        });
        for key in [work.clone(), parked.clone()].into_iter().chain(delays) {
            let exchange = format!("{}.outbound", place.name);
            let (options, none) = (QueueBindOptions::default(), FieldTable::default());
            channel
                .queue_bind(
                    queue.name().clone(),
                    exchange.as_str().into(),
                    key.as_str().into(),
                    options,
                    none,
                )
                .await
                .unwrap();
        }
        let options = BasicConsumeOptions {
            no_ack: true,
            ..BasicConsumeOptions::default()
        };
        let mut copies = channel
            .basic_consume(
                queue.name().clone(),
                "".into(),
                options,
                FieldTable::default(),
            )
            .await
            .unwrap();
        let seen = Arc::<Mutex<Vec<Seen>>>::default();
        let kept = seen.clone();
        tokio::spawn(async move {
            while let Some(Ok(copy)) = copies.next().await {
                let copy = Seen {
                    key: copy.routing_key.to_string(),
                    body: serde_json::from_slice(&copy.data).unwrap(),
                    at: clock.now(),
                };
                kept.lock().unwrap().push(copy);
            }
        });
        Self {
            parked,
            seen,
            _connection: connection,
            _channel: channel,
        }
    }

    /// What was put on the copy of the parked list.
    pub fn parked(&self) -> Vec<Seen> {
        self.filtered(|seen| seen.key == self.parked)
    }

    /// The tickets of a reply, in the order in which they were published.
    pub fn tickets_of(&self, reply: &Value) -> Vec<Seen> {
        self.filtered(|seen| seen.key != self.parked && seen.body["reply"] == *reply)
    }

    fn filtered(&self, wanted: impl Fn(&Seen) -> bool) -> Vec<Seen> {
        let seen = self.seen.lock().unwrap();
        seen.iter().filter(|seen| wanted(seen)).cloned().collect()
    }
}
