//! Being without Redis: nobody waits, nothing is sent that should not be, and it is used again once it is back.

use std::time::Duration;

use futures::StreamExt;
use replygate_cluster::Health;
use replygate_gate::{ConversationId, SessionId, TurnId};
use replygate_ports::budgets::{Rate, Room};
use replygate_ports::feed::News;
use replygate_ports::leases::Leave;
use replygate_ports::mirror::Glance;
use replygate_testkit::proxy::{Flow, Toward};
use replygate_testkit::wait::{Stopwatch, pause, soon, until};

use crate::service::Place;
use crate::sharing::here;

const LONG: Duration = Duration::from_mins(1);
const SESSION: SessionId = SessionId(5);

fn settings(version: u64) -> News {
    News::Settings {
        channel: "shop".to_owned(),
        version,
    }
}

#[tokio::test]
async fn without_an_answer_one_call_waits_and_a_thousand_do_not() {
    let place = Place::new();
    let _direct = here!(place.open().await);
    let (redis, proxy) = place.open_through_proxy().await;
    let (leases, mirror, budgets) = (redis.leases(), redis.mirror(), redis.budgets());
    proxy.set_both(Flow::Held);
    assert_eq!(
        leases.acquire(SESSION, TurnId(1), LONG).await,
        Leave::Granted
    );
    assert!(!redis.health().is_up());
    let begun = Stopwatch::start();
    for _ in 0..1_000 {
        assert_eq!(
            leases.acquire(SESSION, TurnId(2), LONG).await,
            Leave::Granted
        );
        assert_eq!(mirror.look(SESSION).await, None);
    }
    // A single wait would be 250 ms; two thousand would be eight minutes.
    assert!(begun.elapsed() < Duration::from_secs(2));
    let rate = Rate {
        per_second: 0.01,
        burst: 2,
    };
    let rooms = [(); 3].map(|()| budgets.take(ConversationId(1), rate));
    let found = futures::future::join_all(rooms).await;
    let found = found.iter().filter(|room| **room == Room::Now).count();
    assert_eq!(found, 2, "this process counts for itself meanwhile");
}

#[tokio::test]
async fn a_redis_that_is_back_is_used_again() {
    let place = Place::new();
    let direct = here!(place.open().await);
    let (redis, proxy) = place.open_through_proxy().await;
    direct.leases().acquire(SESSION, TurnId(1), LONG).await;
    for outage in [Outage::Held, Outage::Reset, Outage::Closed] {
        outage.begin(&proxy);
        let leave = redis.leases().acquire(SESSION, TurnId(2), LONG).await;
        assert_eq!(leave, Leave::Granted, "{outage:?}: nobody could be asked");
        until(|| !redis.health().is_up()).await;
        outage.end(&proxy);
        until(|| redis.health().is_up()).await;
        let leave = redis.leases().acquire(SESSION, TurnId(2), LONG).await;
        assert_eq!(leave, Leave::Taken, "{outage:?}: it is asked again");
    }
}

#[derive(Clone, Copy, Debug)]
enum Outage {
    Held,
    Reset,
    Closed,
}

impl Outage {
    fn begin(self, proxy: &replygate_testkit::proxy::TcpProxy) {
        match self {
            Self::Held => proxy.set_both(Flow::Held),
            Self::Reset => {
                proxy.set_both(Flow::Swallowed);
                proxy.reset();
            }
            Self::Closed => proxy.close_door(),
        }
    }

    fn end(self, proxy: &replygate_testkit::proxy::TcpProxy) {
        match self {
            Self::Held => proxy.set_both(Flow::Open),
            Self::Reset => {
                proxy.reset();
                proxy.set_both(Flow::Open);
            }
            Self::Closed => proxy.open_door(),
        }
    }
}

#[tokio::test]
async fn a_gap_in_the_news_is_told_and_they_go_on() {
    let place = Place::new();
    let teller = here!(place.open().await);
    let (hearer, proxy) = place.open_through_proxy().await;
    let mut heard = hearer.feed().subscribe();
    teller.feed().publish(settings(1)).await;
    assert_eq!(heard.next().await, Some(settings(1)));
    proxy.close_door();
    teller.feed().publish(settings(2)).await;
    proxy.open_door();
    let skipped = soon(heard.next()).await;
    assert_eq!(skipped, Some(News::Skipped));
    teller.feed().publish(settings(3)).await;
    assert_eq!(heard.next().await, Some(settings(3)));
}

#[tokio::test]
async fn news_that_only_one_way_of_the_network_lost_are_noticed() {
    let place = Place::new();
    let teller = here!(place.open().await);
    let (hearer, proxy) = place.open_through_proxy().await;
    let mut heard = hearer.feed().subscribe();
    proxy.set(Toward::Client, Flow::Swallowed);
    teller.feed().publish(settings(1)).await;
    // Nothing is heard, and a try on the silent connection is not answered.
    pause(Duration::from_secs(4)).await;
    proxy.set(Toward::Client, Flow::Open);
    let skipped = soon(heard.next()).await;
    assert_eq!(skipped, Some(News::Skipped));
    teller.feed().publish(settings(2)).await;
    assert_eq!(soon(heard.next()).await, Some(settings(2)));
}

#[tokio::test]
async fn own_news_reach_own_readers_without_redis() {
    let place = Place::new();
    let _direct = here!(place.open().await);
    let (redis, proxy) = place.open_through_proxy().await;
    proxy.close_door();
    let mut heard = redis.feed().subscribe();
    redis.feed().publish(settings(1)).await;
    assert_eq!(heard.next().await, Some(settings(1)));
}

#[tokio::test]
async fn a_process_that_starts_without_redis_uses_it_later() {
    let place = Place::new();
    let direct = here!(place.open().await);
    direct.leases().acquire(SESSION, TurnId(1), LONG).await;
    let (first, proxy) = place.open_through_proxy().await;
    drop(first);
    proxy.close_door();
    let mut options = place.options();
    options.url = format!("redis://{}/", proxy.address());
    let redis = place.open_with(&options).await;
    assert!(matches!(redis.health(), Health::Down { .. }));
    proxy.open_door();
    until(|| redis.health().is_up()).await;
    let leave = redis.leases().acquire(SESSION, TurnId(2), LONG).await;
    assert_eq!(leave, Leave::Taken);
}

#[tokio::test]
async fn a_redis_that_forgot_everything_goes_on_as_if_empty() {
    let place = Place::new();
    let redis = here!(place.open().await);
    let (leases, mirror) = (redis.leases(), redis.mirror());
    leases.acquire(SESSION, TurnId(1), LONG).await;
    let glance = Glance {
        version: 9,
        next: None,
        held: None,
    };
    mirror.tell(SESSION, glance).await;
    while mirror.look(SESSION).await.is_none() {}
    place.flush().await;
    assert_eq!(mirror.look(SESSION).await, None);
    let leave = leases.acquire(SESSION, TurnId(2), LONG).await;
    assert_eq!(leave, Leave::Granted);
}

#[tokio::test]
async fn scripts_that_the_server_forgot_are_loaded_again() {
    let place = Place::new();
    let redis = here!(place.open().await);
    redis.leases().acquire(SESSION, TurnId(1), LONG).await;
    let client = redis::Client::open(crate::service::url()).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    let _: String = redis::cmd("SCRIPT")
        .arg("FLUSH")
        .query_async(&mut connection)
        .await
        .unwrap();
    let leave = redis.leases().acquire(SESSION, TurnId(2), LONG).await;
    assert_eq!(leave, Leave::Taken);
}

#[tokio::test]
async fn an_acquisition_whose_answer_was_lost_may_be_repeated() {
    let place = Place::new();
    let direct = here!(place.open().await);
    let (redis, proxy) = place.open_through_proxy().await;
    proxy.set(Toward::Client, Flow::Swallowed);
    let leave = redis.leases().acquire(SESSION, TurnId(1), LONG).await;
    assert_eq!(leave, Leave::Granted);
    // It happened although nobody heard.
    let leave = direct.leases().acquire(SESSION, TurnId(2), LONG).await;
    assert_eq!(leave, Leave::Taken);
    proxy.reset();
    proxy.set(Toward::Client, Flow::Open);
    until(|| redis.health().is_up()).await;
    let leave = redis.leases().acquire(SESSION, TurnId(1), LONG).await;
    assert_eq!(leave, Leave::Granted, "asked again by the same holder");
}
