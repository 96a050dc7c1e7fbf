//! What every ticket queue must keep: nothing early, nothing lost. Order and single arrival are not promised.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures::future::{join_all, poll_immediate, select};
use replygate_gate::{At, ReplyId, SessionId};
use replygate_ports::clock::Clock;
use replygate_ports::tickets::{Arrived, Ticket, Tickets};

use super::TicketsHarness;

/// The suite of the tickets port.
#[macro_export]
macro_rules! tickets_contract {
    ($name:ident, $harness:ty $(, $($runtime:tt)*)?) => {
        $crate::contract_cases!($name, $harness, ($($($runtime)*)?), tickets: [
            a_published_ticket_arrives_as_it_was,
            a_ticket_that_is_overdue_arrives_at_once,
            a_ticket_never_arrives_early_and_not_much_later,
            an_earlier_ticket_overtakes_a_waiting_one,
            a_waiting_consumer_is_woken_by_a_new_ticket,
            a_dropped_wait_loses_nothing,
            a_finished_ticket_does_not_come_again,
            a_thousand_tickets_reach_four_consumers_without_loss,
        ]);
    };
}

fn ticket(number: u128) -> Ticket {
    Ticket {
        reply: ReplyId(number),
        session: SessionId(number * 7 + 1),
        attempt: (number % 5) as u32,
        version: (!number.is_multiple_of(3)).then_some(number as u64),
    }
}

fn ms(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap()
}

/// The next ticket, finished, with the time of its arrival; `None` when none comes within `limit`.
async fn next_within<H: TicketsHarness>(harness: &H, limit: Duration) -> Option<(Ticket, At)> {
    let (tickets, clock) = (harness.tickets(), harness.clock());
    let arrived = within(&*clock, limit, &*tickets).await?;
    let at = clock.now();
    tickets.done(arrived.receipt).await.unwrap();
    Some((arrived.ticket, at))
}

async fn within(clock: &dyn Clock, limit: Duration, tickets: &dyn Tickets) -> Option<Arrived> {
    match select(tickets.next(), clock.sleep(limit)).await {
        futures::future::Either::Left((arrived, _)) => Some(arrived.unwrap()),
        futures::future::Either::Right(_) => None,
    }
}

/// Long enough for anything that is due.
fn patience<H: TicketsHarness>(harness: &H) -> Duration {
    harness.unit() * 20 + harness.lateness() * 2
}

pub async fn a_published_ticket_arrives_as_it_was<H: TicketsHarness>(harness: H) {
    let due = harness.clock().now().plus(ms(harness.unit()));
    harness.tickets().publish(ticket(3), due).await.unwrap();
    assert_eq!(
        next_within(&harness, patience(&harness)).await.unwrap().0,
        ticket(3)
    );
}

pub async fn a_ticket_that_is_overdue_arrives_at_once<H: TicketsHarness>(harness: H) {
    let published = harness.clock().now();
    harness.tickets().publish(ticket(1), At(0)).await.unwrap();
    let (_, at) = next_within(&harness, patience(&harness)).await.unwrap();
    assert!(at.since(published) <= ms(harness.lateness()));
}

pub async fn a_ticket_never_arrives_early_and_not_much_later<H: TicketsHarness>(harness: H) {
    for factor in [1, 3, 10] {
        let due = harness.clock().now().plus(ms(harness.unit() * factor));
        harness.tickets().publish(ticket(1), due).await.unwrap();
        let (_, at) = next_within(&harness, patience(&harness)).await.unwrap();
        assert!(at >= due, "{} ms early", due.since(at));
        assert!(
            at.since(due) <= ms(harness.lateness()),
            "{} ms late",
            at.since(due)
        );
    }
}

pub async fn an_earlier_ticket_overtakes_a_waiting_one<H: TicketsHarness>(harness: H) {
    let now = harness.clock().now();
    harness
        .tickets()
        .publish(ticket(1), now.plus(ms(harness.unit() * 1_000)))
        .await
        .unwrap();
    harness
        .tickets()
        .publish(ticket(2), now.plus(ms(harness.unit())))
        .await
        .unwrap();
    assert_eq!(
        next_within(&harness, patience(&harness)).await.unwrap().0,
        ticket(2)
    );
    assert_eq!(next_within(&harness, harness.unit()).await, None);
}

pub async fn a_waiting_consumer_is_woken_by_a_new_ticket<H: TicketsHarness>(harness: H) {
    let tickets = harness.tickets();
    let far = harness.clock().now().plus(ms(harness.unit() * 1_000));
    tickets.publish(ticket(1), far).await.unwrap();
    let waiting = tokio::spawn({
        let tickets = Arc::clone(&tickets);
        async move { tickets.next().await.unwrap().ticket }
    });
    harness.advance(harness.unit()).await;
    assert!(!waiting.is_finished());
    tickets
        .publish(ticket(2), harness.clock().now())
        .await
        .unwrap();
    assert_eq!(waiting.await.unwrap(), ticket(2));
}

pub async fn a_dropped_wait_loses_nothing<H: TicketsHarness>(harness: H) {
    let tickets = harness.tickets();
    let due = harness.clock().now().plus(ms(harness.unit()));
    tickets.publish(ticket(1), due).await.unwrap();
    for _ in 0..3 {
        // Polled once and dropped, before the ticket is due.
        assert!(poll_immediate(tickets.next()).await.is_none());
    }
    harness.advance(harness.unit()).await;
    assert_eq!(
        next_within(&harness, patience(&harness)).await.unwrap().0,
        ticket(1)
    );
}

pub async fn a_finished_ticket_does_not_come_again<H: TicketsHarness>(harness: H) {
    harness
        .tickets()
        .publish(ticket(1), harness.clock().now())
        .await
        .unwrap();
    next_within(&harness, patience(&harness)).await.unwrap();
    assert_eq!(next_within(&harness, patience(&harness)).await, None);
}

pub async fn a_thousand_tickets_reach_four_consumers_without_loss<H: TicketsHarness>(harness: H) {
    let (tickets, clock) = (harness.tickets(), harness.clock());
    let start = clock.now();
    let due = |number: u128| start.plus(ms(harness.unit()) * (number as u64 % 10));
    for number in 0..1_000 {
        tickets.publish(ticket(number), due(number)).await.unwrap();
    }
    let idle = patience(&harness);
    let consumers = (0..4).map(|_| {
        let (tickets, clock) = (Arc::clone(&tickets), Arc::clone(&clock));
        tokio::spawn(async move {
            let mut seen = Vec::new();
            while let Some(arrived) = within(&*clock, idle, &*tickets).await {
                seen.push((arrived.ticket, clock.now()));
                tickets.done(arrived.receipt).await.unwrap();
            }
            seen
        })
    });
    let seen: Vec<(Ticket, At)> = join_all(consumers)
        .await
        .into_iter()
        .flat_map(Result::unwrap)
        .collect();
    assert!(seen.iter().all(|(ticket, at)| *at >= due(ticket.reply.0)));
    assert_eq!(
        seen.iter()
            .map(|(ticket, _)| ticket.reply.0)
            .collect::<BTreeSet<_>>(),
        (0..1_000).collect()
    );
}
