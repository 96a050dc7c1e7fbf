//! What every feed must keep: who listens sees all in order, or learns that something was skipped.

use futures::StreamExt;
use futures::future::poll_immediate;
use replygate_gate::{At, SessionId};
use replygate_ports::feed::News;

use super::FeedHarness;

/// The suite of the feed port.
#[macro_export]
macro_rules! feed_contract {
    ($name:ident, $harness:ty $(, $($runtime:tt)*)?) => {
        $crate::contract_cases!($name, $harness, ($($($runtime)*)?), feed: [
            every_subscriber_sees_everything_in_order,
            a_late_subscriber_sees_nothing_of_before,
            news_without_a_reader_are_no_fault,
            a_slow_reader_learns_that_it_missed_some_and_goes_on,
        ]);
    };
}

fn settings(version: u64) -> News {
    News::Settings {
        channel: "shop".to_owned(),
        version,
    }
}

pub async fn every_subscriber_sees_everything_in_order<H: FeedHarness>(harness: H) {
    let feed = harness.feed();
    let session = News::Session {
        session: SessionId(7),
        channel: "shop".to_owned(),
        version: 3,
        at: At(5),
        events: vec!["arrived".to_owned(), "taken".to_owned()],
        next_at: Some(At(9)),
    };
    let (first, second) = (feed.subscribe(), feed.subscribe());
    let told = [settings(1), session, settings(2)];
    for news in &told {
        feed.publish(news.clone()).await;
    }
    for reader in [first, second] {
        assert_eq!(reader.take(3).collect::<Vec<_>>().await, told);
    }
}

pub async fn a_late_subscriber_sees_nothing_of_before<H: FeedHarness>(harness: H) {
    let feed = harness.feed();
    let mut early = feed.subscribe();
    feed.publish(settings(1)).await;
    assert_eq!(early.next().await, Some(settings(1)));
    let mut late = feed.subscribe();
    feed.publish(settings(2)).await;
    assert_eq!(late.next().await, Some(settings(2)));
    assert_eq!(early.next().await, Some(settings(2)));
}

pub async fn news_without_a_reader_are_no_fault<H: FeedHarness>(harness: H) {
    let feed = harness.feed();
    feed.publish(settings(1)).await;
    drop(feed.subscribe());
    feed.publish(settings(2)).await;
    let mut reader = feed.subscribe();
    assert_eq!(poll_immediate(reader.next()).await, None);
}

pub async fn a_slow_reader_learns_that_it_missed_some_and_goes_on<H: FeedHarness>(harness: H) {
    let feed = harness.feed();
    let mut slow = feed.subscribe();
    let flood = harness.flood() as u64;
    for version in 0..flood {
        // Nobody waits for the slow reader.
        feed.publish(settings(version)).await;
    }
    feed.publish(settings(flood)).await;

    let mut seen = Vec::new();
    while seen.last() != Some(&settings(flood)) {
        seen.push(slow.next().await.unwrap());
    }
    assert!(
        seen.contains(&News::Skipped),
        "{} news came, none skipped",
        seen.len()
    );
    feed.publish(settings(flood + 1)).await;
    assert_eq!(slow.next().await, Some(settings(flood + 1)));
}
