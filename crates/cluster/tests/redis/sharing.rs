//! Several processes on one Redis.

use std::time::Duration;

use futures::StreamExt;
use futures::future::poll_immediate;
use replygate_cluster::Level;
use replygate_gate::{At, ConversationId, SessionId, TurnId};
use replygate_ports::budgets::{Rate, Room};
use replygate_ports::feed::News;
use replygate_ports::leases::Leave;
use replygate_ports::wakes::Wake;

use crate::service::Place;

const LONG: Duration = Duration::from_mins(1);

/// Skips, or fails in CI, when there is no server.
macro_rules! here {
    ($opened:expr) => {
        match replygate_testkit::contract::there($opened) {
            Some(opened) => opened,
            None => return,
        }
    };
}
pub(crate) use here;

fn settings(version: u64) -> News {
    News::Settings {
        channel: "shop".to_owned(),
        version,
    }
}

#[tokio::test]
async fn news_reach_every_process_once_and_in_order() {
    let place = Place::new();
    let (one, two) = (here!(place.open().await), here!(place.open().await));
    let (mut own, mut other) = (one.feed().subscribe(), two.feed().subscribe());
    for version in 0..500 {
        one.feed().publish(settings(version)).await;
    }
    two.feed().publish(settings(1_000)).await;
    // Its own comes at once, the others' in their order.
    let heard: Vec<News> = other.by_ref().take(501).collect().await;
    let of_one: Vec<&News> = heard
        .iter()
        .filter(|news| **news != settings(1_000))
        .collect();
    let told: Vec<News> = (0..500).map(settings).collect();
    assert_eq!(of_one, told.iter().collect::<Vec<_>>());
    let heard: Vec<News> = own.by_ref().take(501).collect().await;
    assert_eq!(heard.iter().filter(|news| **news == settings(7)).count(), 1);
    assert_eq!(poll_immediate(own.next()).await, None);
}

#[tokio::test]
async fn a_lease_of_one_process_is_taken_for_the_other() {
    let place = Place::new();
    let (one, two) = (here!(place.open().await), here!(place.open().await));
    let session = SessionId(1);
    assert_eq!(
        one.leases().acquire(session, TurnId(1), LONG).await,
        Leave::Granted
    );
    assert_eq!(
        two.leases().acquire(session, TurnId(2), LONG).await,
        Leave::Taken
    );
    one.leases().release(session, TurnId(1)).await;
    assert_eq!(
        two.leases().acquire(session, TurnId(2), LONG).await,
        Leave::Granted
    );
}

#[tokio::test]
async fn processes_share_the_budget_of_a_chat() {
    let place = Place::new();
    let (one, two) = (here!(place.open().await), here!(place.open().await));
    let rate = Rate {
        per_second: 0.01,
        burst: 2,
    };
    let chat = ConversationId(1);
    assert_eq!(one.budgets().take(chat, rate).await, Room::Now);
    assert_eq!(two.budgets().take(chat, rate).await, Room::Now);
    assert_ne!(one.budgets().take(chat, rate).await, Room::Now);
    assert_ne!(two.budgets().take(chat, rate).await, Room::Now);
}

#[tokio::test]
async fn installations_do_not_meet() {
    let (here, there) = (Place::new(), Place::new());
    let (one, two) = (here!(here.open().await), here!(there.open().await));
    let session = SessionId(1);
    one.leases().acquire(session, TurnId(1), LONG).await;
    assert_eq!(
        two.leases().acquire(session, TurnId(2), LONG).await,
        Leave::Granted
    );
    let mut heard = two.wakes().listen();
    one.wakes()
        .tell(Wake {
            session,
            version: 1,
            at: At(1),
        })
        .await;
    // A round trip of the second installation's own.
    let third = here!(there.open().await);
    let own = Wake {
        session: SessionId(2),
        version: 1,
        at: At(1),
    };
    third.wakes().tell(own).await;
    assert_eq!(heard.next().await, Some(own));
}

#[tokio::test]
async fn every_wake_up_arrives_as_it_is_told() {
    let place = Place::new();
    let (web, worker) = (here!(place.open().await), here!(place.open().await));
    let mut heard = worker.wakes().listen();
    let told: Vec<Wake> = (0..20)
        .map(|number| Wake {
            session: SessionId(number),
            version: 1,
            at: At(1),
        })
        .collect();
    for wake in &told {
        web.wakes().tell(*wake).await;
        assert_eq!(heard.next().await, Some(*wake));
    }
}

#[tokio::test]
async fn the_server_is_looked_at_in_every_respect() {
    let place = Place::new();
    let redis = here!(place.open().await);
    let found = redis.check().await;
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].words.starts_with("version ") || found[0].words.starts_with("Valkey "));
    // The tests' clock begins in 2030, years away from the server's.
    assert_eq!(found[2].level, Level::Bad, "{found:?}");
    assert!(
        found[2].words.contains("behind this machine's"),
        "{found:?}"
    );
}
