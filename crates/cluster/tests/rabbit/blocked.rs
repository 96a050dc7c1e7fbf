//! A broker that is low on memory or disk says so and takes nothing more. The test puts these words on the wire itself: a
//! real alarm would stop every other test at this broker.

use std::time::Duration;

use replygate_cluster::Health;
use replygate_ports::tickets::Tickets;
use replygate_testkit::proxy::Toward;
use replygate_testkit::wait::{Stopwatch, until};

use crate::service::{Place, here, next, take, ticket};

/// A method frame of class `connection` on channel 0.
fn frame(method: u16, arguments: &[u8]) -> Vec<u8> {
    let mut body = vec![0, 10];
    body.extend_from_slice(&method.to_be_bytes());
    body.extend_from_slice(arguments);
    let mut frame = vec![1, 0, 0];
    frame.extend_from_slice(&(body.len() as u32).to_be_bytes());
    frame.extend(body);
    frame.push(0xce);
    frame
}

fn blocked(why: &str) -> Vec<u8> {
    let mut reason = vec![why.len() as u8];
    reason.extend_from_slice(why.as_bytes());
    frame(60, &reason)
}

fn unblocked() -> Vec<u8> {
    frame(61, &[])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broker_that_takes_nothing_is_told_at_once_and_used_again_when_it_does() {
    let place = Place::new();
    let _direct = here!(place.open().await);
    let (rabbit, proxy) = place.open_through_proxy().await;
    rabbit.publish(ticket(1), place.after(0)).await.unwrap();
    proxy.inject(Toward::Client, &blocked("low on memory"));
    until(|| !rabbit.health().is_up()).await;
    let Health::Blocked { why, .. } = rabbit.health() else {
        panic!("{:?}", rabbit.health());
    };
    assert_eq!(why, "low on memory");
    let begun = Stopwatch::start();
    for number in 0..1_000 {
        assert!(
            rabbit
                .publish(ticket(number), place.after(0))
                .await
                .is_err()
        );
    }
    assert!(begun.elapsed() < Duration::from_secs(1));
    proxy.inject(Toward::Client, &unblocked());
    until(|| rabbit.health().is_up()).await;
    rabbit.publish(ticket(2), place.after(0)).await.unwrap();
    let mut came = [take(&rabbit).await, take(&rabbit).await];
    came.sort_unstable();
    assert_eq!(came, [1, 2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn while_publishing_is_blocked_tickets_come_and_are_finished() {
    let place = Place::new();
    let direct = here!(place.open().await);
    let (rabbit, proxy) = place.open_through_proxy().await;
    rabbit.publish(ticket(1), place.after(0)).await.unwrap();
    // Only the publishing connection is there yet, and only it is told.
    proxy.inject(Toward::Client, &blocked("low on disk"));
    until(|| !rabbit.health().is_up()).await;
    assert_eq!(take(&rabbit).await, 1);
    direct.publish(ticket(2), place.after(0)).await.unwrap();
    let arrived = next(&rabbit).await;
    rabbit.done(arrived.receipt).await.unwrap();
    assert_eq!(arrived.ticket.reply.0, 2);
    drop(rabbit);
    // Finished for good: nothing comes to another process but what is new.
    direct.publish(ticket(3), place.after(0)).await.unwrap();
    assert_eq!(take(&direct).await, 3);
}
