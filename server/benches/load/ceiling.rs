//! What the broker and its client can do at most: publish persistently and mandatorily, read the confirm, consume,
//! acknowledge, and nothing else. What a cluster delivers is a share of it.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use anyhow::Result;
use futures::StreamExt as _;
use lapin::options::{
    BasicAckOptions, BasicConsumeOptions, BasicPublishOptions, BasicQosOptions,
    ConfirmSelectOptions, QueueDeclareOptions, QueueDeleteOptions,
};
use lapin::types::FieldTable;
use lapin::{BasicProperties, Channel, Connection, ConnectionProperties};
use replygate_ports::clock::Clock as _;
use tokio::task::{JoinSet, spawn_local};

use crate::Bench;
use crate::services::Services;

/// For how long.
const MEASURED: Duration = Duration::from_secs(8);
/// Publications whose confirm is waited for at once, and tickets that a consumer holds at most.
const UNCONFIRMED: usize = 192;
const PREFETCH: u16 = 2_048;
/// As long as a ticket.
const BODY: [u8; 180] = [b'x'; 180];
const PERSISTENT: u8 = 2;

/// Measures, and returns messages a second.
pub(crate) async fn run(bench: &Bench, services: &Services) -> Result<f64> {
    let (url, name) = services.broker();
    let queue = format!("{name}.ceiling");
    let connect = || Connection::connect(url, ConnectionProperties::default());
    let (publishing, consuming) = (connect().await?, connect().await?);
    let publisher = publishing.create_channel().await?;
    let options = ConfirmSelectOptions::default();
    publisher.confirm_select(options).await?;
    let declared = QueueDeclareOptions {
        durable: true,
        ..QueueDeclareOptions::default()
    };
    let table = FieldTable::default();
    publisher
        .queue_declare(queue.as_str().into(), declared, table)
        .await?;
    let done = Rc::new(Cell::new(0_u64));
    let consumer = consuming.create_channel().await?;
    consume(&consumer, &queue, done.clone()).await?;
    let began = bench.clock.elapsed();
    let until = began + bench.pick(MEASURED, Duration::from_secs(1));
    let mut publishers = JoinSet::new();
    for _ in 0..UNCONFIRMED {
        let (channel, queue, bench) = (publisher.clone(), queue.clone(), bench.clone());
        publishers.spawn_local(async move {
            while bench.clock.elapsed() < until {
                publish(&channel, &queue).await?;
            }
            anyhow::Ok(())
        });
    }
    while let Some(ended) = publishers.join_next().await {
        ended??;
    }
    let lasted = bench.clock.elapsed().saturating_sub(began);
    let rate = done.get() as f64 / lasted.as_secs_f64();
    publisher
        .queue_delete(queue.as_str().into(), QueueDeleteOptions::default())
        .await?;
    println!(
        "raw ceiling: {rate:.0} messages a second published, confirmed, consumed and acknowledged\n"
    );
    Ok(rate)
}

async fn consume(channel: &Channel, queue: &str, done: Rc<Cell<u64>>) -> Result<()> {
    channel
        .basic_qos(PREFETCH, BasicQosOptions::default())
        .await?;
    let options = BasicConsumeOptions::default();
    let mut deliveries = channel
        .basic_consume(queue.into(), "".into(), options, FieldTable::default())
        .await?;
    spawn_local(async move {
        while let Some(Ok(delivery)) = deliveries.next().await {
            if delivery
                .acker
                .ack(BasicAckOptions::default())
                .await
                .is_err()
            {
                return;
            }
            done.set(done.get() + 1);
        }
    });
    Ok(())
}

async fn publish(channel: &Channel, queue: &str) -> Result<()> {
    let options = BasicPublishOptions {
        mandatory: true,
        ..BasicPublishOptions::default()
    };
    let properties = BasicProperties::default().with_delivery_mode(PERSISTENT);
    channel
        .basic_publish("".into(), queue.into(), options, &BODY, properties)
        .await?
        .await?;
    Ok(())
}
