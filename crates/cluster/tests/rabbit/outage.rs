//! What happens to connections: nothing is lost that was confirmed, what was not is told, and all is well again soon.

use std::collections::BTreeSet;
use std::time::Duration;

use futures::future::join_all;
use replygate_cluster::{Health, Rabbit};
use replygate_ports::tickets::Tickets;
use replygate_testkit::proxy::{Flow, TcpProxy, Toward};
use replygate_testkit::wait::{PATIENCE, Stopwatch, pause, soon, until};

use crate::service::{Place, here, insist, next, take, ticket};

/// Everything that comes until `wanted` is complete; what came before may come again.
async fn collect(rabbit: &Rabbit, wanted: &BTreeSet<u128>) {
    let mut missing = wanted.clone();
    while !missing.is_empty() {
        let arrived = next(rabbit).await;
        // One whose connection broke meanwhile comes once more.
        let _ = rabbit.done(arrived.receipt).await;
        missing.remove(&arrived.ticket.reply.0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_confirms_nothing_is_called_published_and_soon_all_is_well() {
    let place = Place::new();
    let _direct = here!(place.open().await);
    let (rabbit, proxy) = place.open_through_proxy().await;
    proxy.set(Toward::Client, Flow::Swallowed);
    let begun = Stopwatch::start();
    let lost = join_all((0..20).map(|number| rabbit.publish(ticket(number), place.after(0)))).await;
    assert!(lost.iter().all(Result::is_err), "no confirm came");
    assert!(begun.elapsed() < PATIENCE);
    proxy.reset();
    proxy.set(Toward::Client, Flow::Open);
    for number in 0..20 {
        insist(&rabbit, ticket(number), place.after(0)).await;
    }
    collect(&rabbit, &(0..20).collect()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_acknowledgement_that_got_lost_brings_the_ticket_again() {
    let place = Place::new();
    let direct = here!(place.open().await);
    let (rabbit, proxy) = place.open_through_proxy().await;
    direct.publish(ticket(1), place.after(0)).await.unwrap();
    let arrived = next(&rabbit).await;
    proxy.set(Toward::Server, Flow::Swallowed);
    rabbit.done(arrived.receipt).await.unwrap();
    until(|| proxy.swallowed(Toward::Server) > 0).await;
    proxy.reset();
    proxy.set(Toward::Server, Flow::Open);
    assert_eq!(take(&rabbit).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ticket_whose_connection_broke_cannot_be_finished_and_comes_again() {
    let place = Place::new();
    let direct = here!(place.open().await);
    let (rabbit, proxy) = place.open_through_proxy().await;
    direct.publish(ticket(1), place.after(0)).await.unwrap();
    let arrived = next(&rabbit).await;
    proxy.reset();
    until(|| !rabbit.consuming().is_up()).await;
    assert!(rabbit.done(arrived.receipt).await.is_err());
    assert_eq!(take(&rabbit).await, 1);
}

#[derive(Clone, Copy, Debug)]
enum Outage {
    /// Nothing passes, for longer than a confirm may take.
    Held,
    /// Connections are refused.
    Closed,
}

async fn survives(outage: Outage) {
    let place = Place::new();
    let _direct = here!(place.open().await);
    let (rabbit, proxy) = place.open_through_proxy().await;
    for number in 0..50 {
        rabbit
            .publish(ticket(number), place.after(400))
            .await
            .unwrap();
    }
    assert!(take(&rabbit).await < 50);
    begin(outage, &proxy);
    let away = Stopwatch::start();
    let published = rabbit.publish(ticket(50), place.after(0)).await;
    assert!(published.is_err(), "{outage:?}");
    until(|| !rabbit.health().is_up()).await;
    // Whoever publishes meanwhile does not wait.
    let begun = Stopwatch::start();
    for _ in 0..2_000 {
        assert!(rabbit.publish(ticket(51), place.after(0)).await.is_err());
    }
    assert!(begun.elapsed() < Duration::from_secs(2), "{outage:?}");
    pause(Duration::from_secs(5).saturating_sub(away.elapsed())).await;
    end(outage, &proxy);
    let back = Stopwatch::start();
    insist(&rabbit, ticket(50), place.after(0)).await;
    insist(&rabbit, ticket(51), place.after(0)).await;
    until(|| rabbit.consuming().is_up()).await;
    assert!(back.elapsed() < PATIENCE, "{outage:?}");
    let all: BTreeSet<u128> = (0..52).collect();
    // One of the first fifty was finished before, and may not come again.
    let mut missing = all;
    while missing.len() > 1 {
        let arrived = next(&rabbit).await;
        let _ = rabbit.done(arrived.receipt).await;
        missing.remove(&arrived.ticket.reply.0);
    }
}

fn begin(outage: Outage, proxy: &TcpProxy) {
    match outage {
        Outage::Held => proxy.set_both(Flow::Held),
        Outage::Closed => proxy.close_door(),
    }
}

fn end(outage: Outage, proxy: &TcpProxy) {
    match outage {
        Outage::Held => proxy.set_both(Flow::Open),
        Outage::Closed => proxy.open_door(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn five_seconds_without_a_network_lose_nothing() {
    survives(Outage::Held).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn five_seconds_without_a_broker_lose_nothing() {
    survives(Outage::Closed).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_cut_in_the_middle_of_a_message_is_made_anew() {
    let place = Place::new();
    let _direct = here!(place.open().await);
    let (rabbit, proxy) = place.open_through_proxy().await;
    for bytes in [1, 40, 75, 160, 333] {
        proxy.cut_after(Toward::Server, bytes);
        for number in 0..10 {
            // Some fail, whichever the cut meets.
            let _ = rabbit.publish(ticket(number), place.after(0)).await;
        }
        for number in 0..10 {
            insist(&rabbit, ticket(number), place.after(0)).await;
        }
        collect(&rabbit, &(0..10).collect()).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_starts_without_a_broker_uses_it_later() {
    let place = Place::new();
    let direct = here!(place.open().await);
    let (first, proxy) = place.open_through_proxy().await;
    drop(first);
    proxy.close_door();
    let mut options = place.options();
    options.url = format!("amqp://guest:guest@{}/%2f", proxy.address());
    let rabbit = place.open_with(&options).await.unwrap();
    assert!(matches!(rabbit.health(), Health::Down { .. }));
    direct.publish(ticket(1), place.after(0)).await.unwrap();
    let waiting = tokio::spawn({
        let rabbit = rabbit.clone();
        async move { take(&rabbit).await }
    });
    proxy.open_door();
    assert_eq!(soon(waiting).await.unwrap(), 1);
    insist(&rabbit, ticket(2), place.after(0)).await;
    assert_eq!(take(&rabbit).await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_do_not_pile_up_however_often_they_break() {
    let place = Place::new();
    let _direct = here!(place.open().await);
    let (rabbit, proxy) = place.open_through_proxy().await;
    for number in 0..8 {
        insist(&rabbit, ticket(number), place.after(0)).await;
        collect(&rabbit, &BTreeSet::from([number])).await;
        proxy.reset();
        until(|| !rabbit.health().is_up()).await;
    }
    insist(&rabbit, ticket(9), place.after(0)).await;
    collect(&rabbit, &BTreeSet::from([9])).await;
    assert!(proxy.live() <= 2, "{} connections", proxy.live());
}
