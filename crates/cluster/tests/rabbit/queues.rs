//! The queues as the broker has them.

use futures::future::join_all;
use lapin::options::{
    BasicGetOptions, BasicPublishOptions, ExchangeDeclareOptions, ExchangeDeleteOptions,
    QueueDeclareOptions, QueueDeleteOptions,
};
use lapin::types::{AMQPValue, FieldTable};
use lapin::{BasicProperties, ExchangeKind};
use replygate_cluster::{Depth, Level, QueueKind, Rabbit, RabbitError};
use replygate_gate::{At, ParkReason, ReplyId, SessionId};
use replygate_ports::parked::{Parked, ParkedMirror};
use replygate_ports::tickets::{Ticket, Tickets};
use replygate_testkit::wait::until;

use crate::service::{Place, channel, here, insist, take, ticket};

async fn depth(rabbit: &Rabbit, queue: &str) -> Option<Depth> {
    let depths = rabbit.depths().await.unwrap();
    depths.into_iter().find(|depth| depth.queue == queue)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_goes_through_the_queue_of_its_delay() {
    let place = Place::new();
    let rabbit = here!(place.open().await);
    rabbit.publish(ticket(1), place.after(600)).await.unwrap();
    let waiting = depth(&rabbit, &place.queue("outbound_messages.delay.500ms")).await;
    assert_eq!(waiting.map(|depth| depth.messages), Some(1));
    assert_eq!(take(&rabbit).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rung_of_the_ladder_has_a_queue_of_its_own() {
    let place = Place::new();
    let rabbit = here!(place.open().await);
    let again = Ticket {
        attempt: 1,
        ..ticket(1)
    };
    rabbit.publish(again, place.after(1_190)).await.unwrap();
    let waiting = depth(&rabbit, &place.queue("outbound_messages.retry.1200ms")).await;
    assert_eq!(waiting.map(|depth| depth.messages), Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_wait_goes_through_several_queues_and_is_exact() {
    let place = Place::new();
    let rabbit = here!(place.open().await);
    // 2000, 800, then the consumer.
    let due = place.after(3_000);
    rabbit.publish(ticket(1), due).await.unwrap();
    assert_eq!(take(&rabbit).await, 1);
    let late = place.after(0).since(due);
    assert!(place.after(0) >= due && late < 1_000, "{late} ms late");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_queue_with_other_arguments_is_told_in_words_that_help() {
    let place = Place::new();
    drop(here!(place.open().await));
    let name = place.queue("outbound_messages.parked");
    let (_connection, channel) = channel().await;
    let deleting = channel.queue_delete(name.as_str().into(), QueueDeleteOptions::default());
    deleting.await.unwrap();
    let mut arguments = FieldTable::default();
    arguments.insert(
        "x-queue-type".into(),
        AMQPValue::LongString("classic".into()),
    );
    let month = 30 * 86_400_000;
    arguments.insert("x-message-ttl".into(), AMQPValue::LongLongInt(month));
    arguments.insert("x-max-length".into(), AMQPValue::LongLongInt(5));
    let options = QueueDeclareOptions::durable();
    channel
        .queue_declare(name.as_str().into(), options, arguments)
        .await
        .unwrap();
    let refused = place.open_with(&place.options()).await.err().unwrap();
    let RabbitError::Conflict(conflict) = &refused else {
        panic!("{refused}");
    };
    assert_eq!(conflict.queue, name);
    assert_eq!(conflict.argument, "x-max-length");
    assert_eq!((&*conflict.present, &*conflict.wanted), ("5", "10000"));
    let words = refused.to_string();
    assert!(
        words.contains(&format!("rabbitmqctl delete_queue {name}")),
        "{words}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn another_delay_queue_with_other_arguments_fails_alone() {
    let place = Place::new();
    let rabbit = here!(place.open().await);
    let name = place.queue("outbound_messages.delay.500ms");
    let (_connection, channel) = channel().await;
    let options = QueueDeclareOptions::durable();
    channel
        .queue_declare(name.as_str().into(), options, FieldTable::default())
        .await
        .unwrap();
    let refused = rabbit
        .publish(ticket(1), place.after(600))
        .await
        .unwrap_err();
    let why = std::error::Error::source(&refused).unwrap().to_string();
    assert!(why.contains(&name), "{why}");
    rabbit.publish(ticket(2), place.after(450)).await.unwrap();
    rabbit.publish(ticket(3), place.after(0)).await.unwrap();
    assert_eq!(take(&rabbit).await, 3);
    assert_eq!(take(&rabbit).await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sound_broker_is_good_in_every_respect() {
    let place = Place::new();
    let rabbit = here!(place.open().await);
    rabbit.publish(ticket(1), place.after(600)).await.unwrap();
    let found = rabbit.check().await;
    assert!(
        found.iter().all(|found| found.level == Level::Good),
        "{found:?}"
    );
    assert!(found[0].words.starts_with("version "), "{found:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_queue_of_another_kind_is_refused() {
    let place = Place::new();
    drop(here!(place.open().await));
    let mut options = place.options();
    options.kind = QueueKind::Quorum;
    let refused = place.open_with(&options).await.err().unwrap();
    assert!(refused.to_string().contains("x-queue-type"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn quorum_queues_carry_tickets_too() {
    let place = Place::new();
    let mut options = place.options();
    options.kind = QueueKind::Quorum;
    let rabbit = place.open_with(&options).await.unwrap();
    if !rabbit.health().is_up() {
        here!(place.open().await);
    }
    rabbit.publish(ticket(1), place.after(450)).await.unwrap();
    rabbit.publish(ticket(2), place.after(0)).await.unwrap();
    assert_eq!(take(&rabbit).await, 2);
    assert_eq!(take(&rabbit).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn exactly_the_messages_without_a_queue_are_given_back() {
    let place = Place::new();
    let rabbit = here!(place.open().await);
    // Declared once, so that the adapter takes it for there, and then deleted behind its back.
    rabbit.publish(ticket(999), place.after(600)).await.unwrap();
    let (_connection, channel) = channel().await;
    let name = place.queue("outbound_messages.delay.500ms");
    let deleting = channel.queue_delete(name.as_str().into(), QueueDeleteOptions::default());
    deleting.await.unwrap();
    let due = |number: u128| if number.is_multiple_of(3) { 600 } else { 0 };
    let all = (0..300).map(|number| rabbit.publish(ticket(number), place.after(due(number))));
    let results = join_all(all).await;
    // The first that comes back makes the adapter declare the queue again; what is confirmed did arrive.
    let failed = results.iter().filter(|result| result.is_err()).count();
    assert!(failed > 0);
    let confirmed = (0..300u128)
        .zip(&results)
        .filter(|(_, result)| result.is_ok());
    let mut missing: std::collections::BTreeSet<u128> =
        confirmed.map(|(number, _)| number).collect();
    for (number, result) in (0..300u128).zip(&results) {
        assert!(
            result.is_ok() || number.is_multiple_of(3),
            "{number} had a queue"
        );
    }
    while !missing.is_empty() {
        missing.remove(&take(&rabbit).await);
    }
    insist(&rabbit, ticket(0), place.after(600)).await;
    assert_eq!(take(&rabbit).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_work_queue_that_was_deleted_is_made_again() {
    let place = Place::new();
    let rabbit = here!(place.open().await);
    rabbit.publish(ticket(1), place.after(0)).await.unwrap();
    assert_eq!(take(&rabbit).await, 1);
    let (_connection, channel) = channel().await;
    let name = place.queue("outbound_messages");
    let deleting = channel.queue_delete(name.as_str().into(), QueueDeleteOptions::default());
    deleting.await.unwrap();
    insist(&rabbit, ticket(2), place.after(0)).await;
    assert_eq!(take(&rabbit).await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_ticket_is_dropped_and_the_next_comes() {
    let place = Place::new();
    let rabbit = here!(place.open().await);
    let (_connection, channel) = channel().await;
    let confirmed = channel.basic_publish(
        place.queue("outbound").as_str().into(),
        place.queue("outbound_messages").as_str().into(),
        BasicPublishOptions::default(),
        b"hello",
        BasicProperties::default(),
    );
    confirmed.await.unwrap().await.unwrap();
    rabbit.publish(ticket(1), place.after(0)).await.unwrap();
    assert_eq!(take(&rabbit).await, 1);
    until(|| rabbit.consuming().is_up()).await;
    let work = depth(&rabbit, &name_of_work(&place)).await.unwrap();
    assert_eq!(work.messages, 0);
}

fn name_of_work(place: &Place) -> String {
    place.queue("outbound_messages")
}

#[tokio::test(flavor = "multi_thread")]
async fn parked_replies_are_listed_for_tools_at_the_broker() {
    let place = Place::new();
    let rabbit = here!(place.open().await);
    let parked = Parked {
        reply: ReplyId(5),
        session: SessionId(6),
        channel: "shop".to_owned(),
        reason: ParkReason::LockStuck,
        generation: 2,
        at: At(77),
    };
    rabbit.tell(parked.clone()).await;
    let (_connection, channel) = channel().await;
    let name = place.queue("outbound_messages.parked");
    let found = loop {
        let get = channel.basic_get(name.as_str().into(), BasicGetOptions { no_ack: true });
        if let Some(message) = get.await.unwrap() {
            break message;
        }
        tokio::task::yield_now().await;
    };
    let read: Parked = serde_json::from_slice(&found.data).unwrap();
    assert_eq!(read, parked);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exchange_of_another_kind_is_refused() {
    let place = Place::new();
    drop(here!(place.open().await));
    let (_connection, channel) = channel().await;
    let name = place.queue("outbound");
    let deleting = channel.exchange_delete(name.as_str().into(), ExchangeDeleteOptions::default());
    deleting.await.unwrap();
    channel
        .exchange_declare(
            name.as_str().into(),
            ExchangeKind::Fanout,
            ExchangeDeclareOptions::default(),
            FieldTable::default(),
        )
        .await
        .unwrap();
    let refused = place.open_with(&place.options()).await.err().unwrap();
    assert!(
        refused.to_string().contains("inequivalent arg"),
        "{refused}"
    );
}
