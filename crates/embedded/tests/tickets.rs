//! What is special about the delay queue: it stays small, and it keeps the earliest due time.

use std::sync::Arc;
use std::time::Duration;

use futures::future::poll_immediate;
use replygate_embedded::DelayQueue;
use replygate_gate::{ReplyId, SessionId};
use replygate_ports::tickets::{Ticket, Tickets};
use replygate_testkit::clock::{EPOCH, ManualClock};

fn ticket(reply: u128, attempt: u32) -> Ticket {
    Ticket {
        reply: ReplyId(reply),
        session: SessionId(1),
        attempt,
        version: None,
    }
}

#[tokio::test]
async fn a_ticket_published_again_keeps_its_earliest_time_and_comes_once() {
    let clock = ManualClock::new();
    let queue = DelayQueue::new(Arc::new(clock.clone()));
    for due in [20, 10, 30, 10] {
        queue.publish(ticket(1, 0), EPOCH.plus(due)).await.unwrap();
    }
    queue.publish(ticket(1, 1), EPOCH.plus(40)).await.unwrap();
    assert_eq!(queue.len(), 2);

    clock.advance(Duration::from_millis(9));
    assert!(poll_immediate(queue.next()).await.is_none());
    clock.advance(Duration::from_millis(1));
    assert_eq!(queue.next().await.unwrap().ticket, ticket(1, 0));
    clock.advance(Duration::from_millis(29));
    assert!(poll_immediate(queue.next()).await.is_none());
    clock.advance(Duration::from_millis(1));
    assert_eq!(queue.next().await.unwrap().ticket, ticket(1, 1));
    assert!(queue.is_empty());
}

#[tokio::test]
async fn publishing_for_ever_needs_no_more_room_than_there_are_open_replies() {
    let clock = ManualClock::new();
    let queue = DelayQueue::new(Arc::new(clock));
    for round in 0..1_000 {
        for reply in 0..10 {
            queue
                .publish(ticket(reply, 0), EPOCH.plus(1_000 - round))
                .await
                .unwrap();
        }
    }
    assert_eq!(queue.len(), 10);
}
