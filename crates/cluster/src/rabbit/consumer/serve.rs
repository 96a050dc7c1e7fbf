//! One connection's life: tickets in, held until they are due. Must never let one that waits keep one that is due from
//! coming: what has long to wait goes back into a delay queue.

use std::collections::BTreeMap;

use futures::future::BoxFuture;
use futures::stream::{FuturesUnordered, StreamExt};
use futures::{FutureExt, Stream};
use lapin::message::Delivery;
use lapin::options::{BasicAckOptions, BasicCancelOptions, BasicConsumeOptions, BasicQosOptions};
use lapin::types::FieldTable;
use lapin::{Channel, Connection};
use replygate_gate::At;

use super::{Held, Supervisor, Wish, give_back};
use crate::rabbit::delays::HELD_MS;
use crate::rabbit::letter::Letter;
use crate::rabbit::line::{Ground, Trouble};

/// A connection that tickets come on.
pub struct Line {
    /// Dropped with the line, which closes it.
    connection: Connection,
    channel: Channel,
    consumer: lapin::Consumer,
    /// What is not due yet, by its due time and the order of arrival.
    waiting: BTreeMap<(At, u64), Held>,
    arrivals: u64,
    /// What goes back into a delay queue: `Some` when it could not.
    returning: FuturesUnordered<BoxFuture<'static, Option<Held>>>,
}

impl Line {
    /// Connects, makes exchange and queues, and consumes.
    pub async fn open(ground: &Ground) -> Result<Self, Trouble> {
        let connection = ground.connect("consumer").await?;
        let channel = ground
            .answer("a channel", connection.create_channel())
            .await?;
        ground.declare(&channel).await?;
        let bound = channel.basic_qos(ground.prefetch, BasicQosOptions::default());
        ground.answer("the prefetch bound", bound).await?;
        let consuming = channel.basic_consume(
            (&**ground.names.work()).into(),
            "".into(),
            BasicConsumeOptions::default(),
            FieldTable::default(),
        );
        let consumer = ground.answer("the consumer", consuming).await?;
        Ok(Self {
            connection,
            channel,
            consumer,
            waiting: BTreeMap::new(),
            arrivals: 0,
            returning: FuturesUnordered::new(),
        })
    }

    /// Hands tickets out until the connection breaks, and says why.
    pub async fn serve(mut self, supervisor: &mut Supervisor) -> String {
        let ground = supervisor.ground.clone();
        let mut events = self.connection.events_listener().boxed();
        loop {
            let next_due = self.waiting.keys().next().map(|(due, _)| *due);
            tokio::select! {
                biased;
                event = events.next() => match event {
                    Some(lapin::Event::Error(error)) if !error.is_amqp_soft_error() => return error.to_string(),
                    Some(_) => {}
                    None => return "the connection is closed".to_owned(),
                },
                changed = supervisor.wished.changed() => {
                    let leaves = changed.is_err() || *supervisor.wished.borrow() == Wish::Leave;
                    if leaves {
                        supervisor.left.cancel();
                        return self.leave(&ground, &mut events).await;
                    }
                }
                () = ground.clock.sleep_until(next_due.unwrap_or(At(i64::MAX))), if next_due.is_some() => {
                    self.hand_out_due(supervisor);
                }
                Some(failed) = self.returning.next(), if !self.returning.is_empty() => {
                    if let Some(held) = failed {
                        self.hold(held);
                    }
                }
                delivery = self.consumer.next() => match delivery {
                    Some(Ok(delivery)) => self.take(delivery, supervisor).await,
                    Some(Err(error)) => return error.to_string(),
                    None => return "the broker ended the consumer".to_owned(),
                },
            }
        }
    }

    async fn take(&mut self, delivery: Delivery, supervisor: &Supervisor) {
        let ground = &supervisor.ground;
        let Some(letter) = Letter::read(&delivery.data) else {
            tracing::warn!(
                bytes = delivery.data.len(),
                "a message in the work queue is no ticket; it is dropped"
            );
            // It would come for ever.
            let _ = ground
                .answer(
                    "an acknowledgement",
                    delivery.acker.ack(BasicAckOptions::default()),
                )
                .await;
            return;
        };
        let held = Held {
            letter,
            acker: delivery.acker,
        };
        let left = letter.due().since(ground.clock.now());
        if left == 0 {
            hand_out(held, supervisor);
        } else if left <= HELD_MS {
            self.hold(held);
        } else {
            self.send_back(held, supervisor);
        }
    }

    fn hold(&mut self, held: Held) {
        self.arrivals += 1;
        self.waiting
            .insert((held.letter.due(), self.arrivals), held);
    }

    fn hand_out_due(&mut self, supervisor: &Supervisor) {
        let now = supervisor.ground.clock.now();
        while let Some(first) = self.waiting.first_entry() {
            if first.key().0 > now {
                return;
            }
            hand_out(first.remove(), supervisor);
        }
    }

    /// Back into a delay queue: published, confirmed, then acknowledged here. One that cannot go is held.
    fn send_back(&mut self, held: Held, supervisor: &Supervisor) {
        let (publisher, ground) = (supervisor.publisher.clone(), supervisor.ground.clone());
        let returning = async move {
            if let Err(error) = publisher.publish(&held.letter).await {
                tracing::debug!(%error, "a ticket waits here in place of a delay queue");
                return Some(held);
            }
            let acking = held.acker.ack(BasicAckOptions::default());
            // Unacknowledged it comes once more, which the store refuses.
            let _ = ground.answer("an acknowledgement", acking).await;
            None
        };
        self.returning.push(returning.boxed());
    }

    /// Gives back what was not handed out, and keeps the connection for acknowledgements.
    async fn leave(
        mut self,
        ground: &Ground,
        events: &mut (impl Stream<Item = lapin::Event> + Unpin),
    ) -> String {
        let tag = self.consumer.tag();
        let cancelling = self
            .channel
            .basic_cancel(tag, BasicCancelOptions::default());
        let _ = ground.answer("the end of the consumer", cancelling).await;
        give_back(ground, std::mem::take(&mut self.waiting).into_values()).await;
        while let Some(Some(Ok(delivery))) = self.consumer.next().now_or_never() {
            let _ = ground
                .answer(
                    "a return",
                    delivery.acker.nack(lapin::options::BasicNackOptions {
                        requeue: true,
                        ..Default::default()
                    }),
                )
                .await;
        }
        while let Some(event) = events.next().await {
            if let lapin::Event::Error(error) = event {
                return error.to_string();
            }
        }
        "the process ends".to_owned()
    }
}

fn hand_out(held: Held, supervisor: &Supervisor) {
    // Nobody left to hand it to: it goes back with the connection.
    let _ = supervisor.give.send(held);
}
