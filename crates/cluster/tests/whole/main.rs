//! The three services together, as a server takes them into use.
#![expect(
    clippy::unwrap_used,
    reason = "a test panics when something is not as it says"
)]

mod service;

use replygate_cluster::{ClusterError, Level};
use replygate_gate::{SessionId, TurnId};
use replygate_ports::leases::Leave;
use replygate_ports::store::Store;
use replygate_ports::tickets::{Ticket, Tickets};
use replygate_testkit::contract::there;
use replygate_testkit::wait::soon;
use service::Place;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_of_one_installation_meet_in_every_service() {
    let place = Place::new();
    let Some(one) = there(place.connect().await) else {
        return;
    };
    let two = there(place.connect().await).unwrap();
    assert_eq!(one.postgres.installation(), two.postgres.installation());
    one.postgres.ping().await.unwrap();
    let life = Duration::from_mins(1);
    let session = SessionId(9);
    let first = one.redis.leases().acquire(session, TurnId(1), life).await;
    let second = two.redis.leases().acquire(session, TurnId(2), life).await;
    assert_eq!((first, second), (Leave::Granted, Leave::Taken));
    let ticket = Ticket {
        reply: replygate_gate::ReplyId(1),
        session,
        attempt: 0,
        version: Some(3),
    };
    one.rabbit.publish(ticket, place.now()).await.unwrap();
    let arrived = soon(two.rabbit.next()).await.unwrap();
    two.rabbit.done(arrived.receipt).await.unwrap();
    assert_eq!(arrived.ticket, ticket);
    two.close().await;
    one.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_service_is_looked_at() {
    let place = Place::new();
    let Some(cluster) = there(place.connect().await) else {
        return;
    };
    assert!(cluster.health().iter().all(|(_, health)| health.is_up()));
    let found = cluster.check().await;
    for service in ["PostgreSQL", "Redis", "RabbitMQ"] {
        assert!(found.iter().any(|found| found.service == service));
    }
    // The tests' clock begins in 2030; everything else is sound.
    let bad = found.iter().filter(|found| found.level == Level::Bad);
    assert!(
        bad.clone().all(|found| found.words.contains("clock")),
        "{found:?}"
    );
    assert_eq!(bad.count(), 2, "{found:?}");
    cluster.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_redis_and_rabbitmq_it_starts_and_without_postgresql_it_does_not() {
    let place = Place::new();
    let Some(sound) = there(place.connect().await) else {
        return;
    };
    sound.close().await;
    let mut config = place.config();
    // Nobody listens there.
    config.redis_url = "redis://127.0.0.1:1/".to_owned();
    config.amqp_url = "amqp://guest:guest@127.0.0.1:1/%2f".to_owned();
    let degraded = place.connect_with(&config).await.unwrap();
    assert!(degraded.health().iter().all(|(_, health)| !health.is_up()));
    degraded.postgres.ping().await.unwrap();
    degraded.close().await;
    let mut config = place.config();
    config.postgres.url = "postgres://postgres@127.0.0.1:1/postgres".to_owned();
    let refused = place.connect_with(&config).await.err().unwrap();
    assert!(matches!(refused, ClusterError::Postgres(_)), "{refused}");
}

#[test]
fn no_password_is_ever_shown() {
    let secret = "hunter2";
    let url = |scheme: &str| format!("{scheme}://u:{secret}@h/x");
    let config =
        replygate_cluster::ClusterConfig::new(&url("postgres"), &url("redis"), &url("amqp"));
    let shown = format!(
        "{config:?} {:?} {:?}",
        replygate_cluster::RedisOptions::new(&url("redis"), "p"),
        replygate_cluster::RabbitOptions::new(&url("amqp"), "p")
    );
    assert!(!shown.contains(secret), "{shown}");
}
