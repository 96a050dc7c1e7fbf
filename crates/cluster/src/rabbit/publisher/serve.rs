//! One connection's life: messages out, confirms back. Must never take the confirm of one message for another's: what the
//! broker gives back is known by the message's own id.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use futures::stream::{BoxStream, FuturesUnordered, StreamExt};
use futures::{FutureExt, future::BoxFuture};
use lapin::options::{BasicPublishOptions, ConfirmSelectOptions};
use lapin::types::{AMQPValue, FieldTable, ShortString};
use lapin::{BasicProperties, Channel, Confirmation, Connection, Event};
use replygate_gate::At;
use tokio::sync::oneshot;

use super::{NotPublished, Request, Supervisor, Target};
use crate::health::Health;
use crate::limit::within;
use crate::rabbit::delays::Route;
use crate::rabbit::line::{Ground, Trouble};
use crate::rabbit::names::DECLARE_AGAIN_MS;

/// A connection on which a confirm takes longer is broken, unless the broker said that it takes nothing.
const CONFIRM: Duration = Duration::from_secs(5);
/// So many messages may be unconfirmed.
const UNCONFIRMED: usize = 2_048;
/// On the broker's disk before it is confirmed.
const PERSISTENT: u8 = 2;

/// A connection that messages can be published on.
pub struct Line {
    connection: Connection,
    channel: Channel,
    /// Where queues are made: a refusal closes the channel that met it.
    making: Option<Channel>,
    events: BoxStream<'static, Event>,
    /// When each delay queue was last declared here.
    declared: HashMap<Route, At>,
    unconfirmed: FuturesUnordered<BoxFuture<'static, Sent>>,
    /// What the broker gave back and whose own confirm did not come yet.
    returned: HashSet<ShortString>,
}

/// A message whose confirm came, or did not.
struct Sent {
    id: ShortString,
    target: Target,
    queue: Arc<str>,
    answer: Option<oneshot::Sender<Result<(), NotPublished>>>,
    /// `None` when no confirm came in time.
    confirmed: Option<lapin::Result<Confirmation>>,
}

impl Line {
    /// Connects, and makes exchange and queues.
    pub async fn open(ground: &Ground) -> Result<Self, Trouble> {
        let connection = ground.connect("publisher").await?;
        let events = connection.events_listener().boxed();
        let making = ground
            .answer("a channel", connection.create_channel())
            .await?;
        ground.declare(&making).await?;
        let channel = ground
            .answer("a channel", connection.create_channel())
            .await?;
        let confirming = channel.confirm_select(ConfirmSelectOptions::default());
        ground.answer("confirm mode", confirming).await?;
        Ok(Self {
            connection,
            channel,
            making: Some(making),
            events,
            declared: HashMap::new(),
            unconfirmed: FuturesUnordered::new(),
            returned: HashSet::new(),
        })
    }

    /// Publishes until the connection breaks, and says why; `None` when nobody publishes any more.
    pub async fn serve(&mut self, supervisor: &mut Supervisor) -> Option<String> {
        while let Some(parked) = supervisor.parked.pop_front() {
            self.send(supervisor, parked);
        }
        loop {
            let room = self.unconfirmed.len() < UNCONFIRMED;
            tokio::select! {
                biased;
                event = self.events.next() => {
                    if let Some(why) = heed(event, supervisor) {
                        return Some(why);
                    }
                }
                Some(sent) = self.unconfirmed.next(), if !self.unconfirmed.is_empty() => {
                    if let Some(why) = self.settle(sent, supervisor) {
                        return Some(why);
                    }
                }
                request = supervisor.waiting.recv(), if room => {
                    if let Some(why) = self.take(request?, supervisor).await {
                        return Some(why);
                    }
                }
            }
        }
    }

    /// Waits for the last confirms, and closes the connection; no longer than `limit` each.
    pub async fn close(mut self, ground: &Ground, limit: Duration) {
        let last = async {
            while let Some(sent) = self.unconfirmed.next().await {
                self.finish(sent);
            }
        };
        let _ = within(&*ground.clock, limit, last).await;
        let bye = self.connection.close(200, "the process ends".into());
        // A connection that does not close in order ends with the process.
        let _ = within(&*ground.clock, limit, bye).await;
    }

    /// Puts a message on its way, after its queue was made if need be; tells why the connection is of no use any more.
    async fn take(&mut self, request: Request, supervisor: &Supervisor) -> Option<String> {
        if let Health::Blocked { why, .. } = supervisor.pulse.read() {
            refuse(request, NotPublished::Away(why));
            return None;
        }
        if let Target::Queue(route) = request.target
            && let Err(trouble) = self.make(route, &supervisor.ground).await
        {
            let away = matches!(trouble, Trouble::Away(_)).then(|| trouble.to_string());
            if away.is_none() {
                tracing::error!(%trouble, "a delay queue cannot be used");
            }
            refuse(request, NotPublished::Queue(trouble));
            return away;
        }
        self.send(supervisor, request);
        None
    }

    /// Makes the queue of a delay. The broker deletes it when nobody did for long, so it is done again now and then.
    async fn make(&mut self, route: Route, ground: &Ground) -> Result<(), Trouble> {
        let now = ground.clock.now();
        let fresh = |at: &At| now.since(*at) < DECLARE_AGAIN_MS;
        if route == Route::Work || self.declared.get(&route).is_some_and(fresh) {
            return Ok(());
        }
        let channel = if let Some(channel) = self.making.take() {
            channel
        } else {
            let opening = self.connection.create_channel();
            ground.answer("a channel", opening).await?
        };
        let plan = ground.names.delay_plan(route);
        ground.declare_queue(&channel, plan).await?;
        self.making = Some(channel);
        self.declared.insert(route, now);
        Ok(())
    }

    fn send(&mut self, supervisor: &Supervisor, request: Request) {
        let ground = &supervisor.ground;
        let queue = match request.target {
            Target::Queue(route) => ground.names.queue(route),
            Target::Parked => ground.names.parked().clone(),
        };
        let exchange: ShortString = (&**ground.names.exchange()).into();
        let id: ShortString = request.id.to_string().into();
        let properties = properties(&request, id.clone());
        let (channel, clock) = (self.channel.clone(), ground.clock.clone());
        let publishing = async move {
            let options = BasicPublishOptions {
                mandatory: true,
                ..BasicPublishOptions::default()
            };
            let body = &request.body;
            let publishing = async {
                channel
                    .basic_publish(exchange, (&*queue).into(), options, body, properties)
                    .await?
                    .await
            };
            Sent {
                confirmed: within(&*clock, CONFIRM, publishing).await,
                target: request.target,
                answer: request.answer,
                queue,
                id,
            }
        };
        self.unconfirmed.push(publishing.boxed());
    }

    /// Settles whatever is confirmed by now. All of it at once: a message that was given back may come with the confirm of
    /// another one, which is never behind its own.
    fn settle(&mut self, first: Sent, supervisor: &Supervisor) -> Option<String> {
        let mut all = vec![first];
        while let Some(Some(sent)) = self.unconfirmed.next().now_or_never() {
            all.push(sent);
        }
        for sent in &all {
            if let Some(Ok(Confirmation::Ack(Some(back)) | Confirmation::Nack(Some(back)))) =
                &sent.confirmed
                && let Some(id) = back.properties.message_id()
            {
                self.returned.insert(id.clone());
            }
        }
        let is_blocked = !supervisor.pulse.is_up();
        let mut broken = None;
        for sent in all {
            broken = broken.or(match &sent.confirmed {
                Some(Err(error)) => Some(error.to_string()),
                None if !is_blocked => Some("a confirm did not come in time".to_owned()),
                _ => None,
            });
            broken = broken.or(self.finish(sent));
        }
        broken
    }

    /// Tells whoever asked; tells why the connection is of no use when a queue that belongs to it is gone.
    fn finish(&mut self, sent: Sent) -> Option<String> {
        let is_back = self.returned.remove(&sent.id);
        let result = match sent.confirmed {
            Some(Ok(_)) if is_back => Err(NotPublished::Unroutable(sent.queue.to_string())),
            Some(Ok(Confirmation::Nack(_))) => Err(NotPublished::Nack),
            Some(Ok(_)) => Ok(()),
            Some(Err(_)) => Err(NotPublished::Lost),
            None => Err(NotPublished::Late),
        };
        if let Some(answer) = sent.answer {
            // Whoever asked may have given up.
            let _ = answer.send(result);
        }
        match sent.target {
            Target::Queue(route @ (Route::Delay(_) | Route::Retry(_))) if is_back => {
                self.declared.remove(&route);
                None
            }
            _ if is_back => Some(format!("the queue `{}` is gone", sent.queue)),
            _ => None,
        }
    }
}

/// Takes note of what the connection tells; tells why it is of no use any more.
fn heed(event: Option<Event>, supervisor: &Supervisor) -> Option<String> {
    match event {
        None => Some("the connection is closed".to_owned()),
        // The end of a channel only: whoever used it meets that itself.
        Some(Event::Error(error)) if error.is_amqp_soft_error() => None,
        Some(Event::Error(error)) => Some(error.to_string()),
        Some(Event::ConnectionBlocked(why)) => {
            tracing::warn!(
                why,
                "RabbitMQ takes no messages; what is due waits for the sweeper"
            );
            supervisor.pulse.blocked(supervisor.ground.clock.now(), why);
            None
        }
        Some(Event::ConnectionUnblocked) => {
            tracing::info!("RabbitMQ takes messages again");
            supervisor.pulse.up();
            None
        }
        Some(_) => None,
    }
}

fn refuse(request: Request, why: NotPublished) {
    if let Some(answer) = request.answer {
        // Whoever asked may have given up.
        let _ = answer.send(Err(why));
    }
}

fn properties(request: &Request, id: ShortString) -> BasicProperties {
    let mut headers = FieldTable::default();
    headers.insert("attempt".into(), AMQPValue::LongUInt(request.attempt));
    BasicProperties::default()
        .with_delivery_mode(PERSISTENT)
        .with_content_type("application/json".into())
        .with_message_id(id)
        .with_headers(headers)
}
