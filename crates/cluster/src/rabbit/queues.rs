//! Our queues as the broker has them: how deep they are, and their end. On a connection of its own, since asking for a
//! queue that is not there costs the channel.

use lapin::options::{ExchangeDeleteOptions, QueueDeclareOptions, QueueDeleteOptions};
use lapin::types::FieldTable;
use lapin::{Channel, Connection, Queue};

use super::conflict::Conflict;
use super::line::{Ground, Trouble};
use super::names::Plan;

/// What a queue is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueDuty {
    /// Workers read it: what is in it is to be handed over now.
    Work,
    /// The copy of the parked list, which nobody has to read.
    Parked,
    /// What is in it waits for its time.
    Delay,
}

/// A queue with what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Depth {
    /// Its name.
    pub queue: String,
    /// What it is for.
    pub duty: QueueDuty,
    /// Messages that wait in it.
    pub messages: u32,
    /// Consumers that read it.
    pub consumers: u32,
}

/// How deep each of our queues is that exists.
pub async fn depths(ground: &Ground) -> Result<Vec<Depth>, Trouble> {
    let mut asking = Asking::begin(ground).await?;
    let mut depths = Vec::new();
    for plan in plans(ground) {
        if let Some(found) = asking.find(&plan).await? {
            depths.push(Depth {
                duty: duty(ground, &plan),
                queue: plan.name.to_string(),
                messages: found.message_count(),
                consumers: found.consumer_count(),
            });
        }
    }
    asking.end().await;
    Ok(depths)
}

/// The queues that exist with other arguments than ours.
pub async fn conflicts(ground: &Ground) -> Result<Vec<Conflict>, Trouble> {
    let mut asking = Asking::begin(ground).await?;
    let mut conflicts = Vec::new();
    for plan in plans(ground) {
        if asking.find(&plan).await?.is_some() {
            conflicts.extend(asking.compare(&plan).await?);
        }
    }
    asking.end().await;
    Ok(conflicts)
}

/// A connection that asks, and its channel while no question cost it.
pub(super) struct Asking<'a> {
    ground: &'a Ground,
    connection: Connection,
    channel: Option<Channel>,
}

impl<'a> Asking<'a> {
    pub(super) async fn begin(ground: &'a Ground) -> Result<Self, Trouble> {
        let connection = ground.connect("inspector").await?;
        Ok(Self {
            ground,
            connection,
            channel: None,
        })
    }

    /// The queue as it is; `None` when there is none of that name.
    pub(super) async fn find(&mut self, plan: &Plan) -> Result<Option<Queue>, Trouble> {
        let options = QueueDeclareOptions::durable().passive();
        self.ask(plan, options, FieldTable::default())
            .await
            .map(Result::ok)
    }

    /// What is asked over.
    pub(super) const fn ground(&self) -> &'a Ground {
        self.ground
    }

    /// The channel that asks.
    pub(super) async fn channel(&mut self) -> Result<&Channel, Trouble> {
        let channel = match self.channel.take() {
            Some(channel) => channel,
            None => open(self.ground, &self.connection).await?,
        };
        Ok(self.channel.insert(channel))
    }

    /// What is different about a queue that exists.
    async fn compare(&mut self, plan: &Plan) -> Result<Option<Conflict>, Trouble> {
        let options = QueueDeclareOptions::durable();
        match self.ask(plan, options, plan.arguments.clone()).await? {
            Ok(_) => Ok(None),
            Err(Trouble::Conflict(conflict)) => Ok(Some(conflict)),
            Err(trouble) => Err(trouble),
        }
    }

    /// The inner error costs the channel and no more than that.
    async fn ask(
        &mut self,
        plan: &Plan,
        options: QueueDeclareOptions,
        arguments: FieldTable,
    ) -> Result<Result<Queue, Trouble>, Trouble> {
        let channel = match self.channel.take() {
            Some(channel) => channel,
            None => open(self.ground, &self.connection).await?,
        };
        let asked = channel.queue_declare((&*plan.name).into(), options, arguments);
        match self.ground.answer("a queue", asked).await {
            Ok(found) => {
                self.channel = Some(channel);
                Ok(Ok(found))
            }
            Err(trouble) if self.connection.status().connected() => Ok(Err(trouble)),
            Err(trouble) => Err(trouble),
        }
    }

    pub(super) async fn end(self) {
        close(self.ground, &self.connection).await;
    }
}

/// Deletes our exchange and queues.
pub async fn delete(ground: &Ground) -> Result<(), Trouble> {
    let connection = ground.connect("cleaner").await?;
    let channel = open(ground, &connection).await?;
    for plan in plans(ground) {
        let deleting = channel.queue_delete((&*plan.name).into(), QueueDeleteOptions::default());
        ground.answer("a deletion", deleting).await?;
    }
    let exchange = (&**ground.names.exchange()).into();
    let deleting = channel.exchange_delete(exchange, ExchangeDeleteOptions::default());
    ground.answer("a deletion", deleting).await?;
    close(ground, &connection).await;
    Ok(())
}

/// Every queue that may exist.
fn duty(ground: &Ground, plan: &Plan) -> QueueDuty {
    if plan.name == *ground.names.work() {
        QueueDuty::Work
    } else if plan.name == *ground.names.parked() {
        QueueDuty::Parked
    } else {
        QueueDuty::Delay
    }
}

pub(super) fn plans(ground: &Ground) -> Vec<Plan> {
    ground.names.plans(ground.delays.routes())
}

async fn open(ground: &Ground, connection: &Connection) -> Result<Channel, Trouble> {
    ground
        .answer("a channel", connection.create_channel())
        .await
}

async fn close(ground: &Ground, connection: &Connection) {
    // A connection that does not close in order is closed when it is dropped.
    let _ = ground
        .answer("the end", connection.close(200, "done".into()))
        .await;
}
