//! Random tickets, some of them left unfinished before a restart: nothing early, nothing lost, and what was finished does
//! not come again.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use futures::future::{Either, select};
use proptest::prelude::*;
use replygate_gate::{At, ReplyId, SessionId};
use replygate_ports::tickets::{Arrived, Ticket};

use super::play_all;
use crate::contract::TicketsHarness;
use crate::wait::PATIENCE;

/// One ticket's life.
#[derive(Clone, Copy, Debug)]
struct Life {
    /// Due after so many units.
    due: u32,
    /// How often it was tried before.
    attempt: u32,
    /// Whether it is finished when it comes for the first time.
    is_finished: bool,
}

fn any_life() -> impl Strategy<Value = Life> {
    (0..12u32, 0..3u32, any::<bool>()).prop_map(|(due, attempt, is_finished)| Life {
        due,
        attempt,
        is_finished,
    })
}

/// The next ticket with the instant of its arrival; `None` when nothing comes for long.
async fn next<H: TicketsHarness>(harness: &H) -> Option<(Arrived, At)> {
    let (tickets, clock) = (harness.tickets(), harness.clock());
    let arrived = match select(tickets.next(), clock.sleep(PATIENCE)).await {
        Either::Left((arrived, _)) => arrived.ok()?,
        Either::Right(_) => return None,
    };
    Some((arrived, clock.now()))
}

/// Plays `cases` random lives of some tickets on the adapter.
pub fn check_tickets<H: TicketsHarness>(cases: u32) {
    let lives = proptest::collection::vec(any_life(), 1..24);
    play_all(cases, &lives, &async |harness: &H, lives| {
        let due = publish(harness, lives).await?;
        let mut missing: BTreeSet<u128> = due.keys().copied().collect();
        while !missing.is_empty() {
            let Some((arrived, at)) = next(harness).await else {
                return Err(format!("{missing:?} did not come"));
            };
            let number = arrived.ticket.reply.0;
            let expected = due.get(&number).copied().unwrap_or(At(i64::MAX));
            if at < expected {
                return Err(format!("{number} came {} ms early", expected.since(at)));
            }
            missing.remove(&number);
            let life = lives.get(number as usize);
            if life.is_some_and(|life| life.is_finished) {
                let done = harness.tickets().done(arrived.receipt).await;
                done.map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    });
}

async fn publish<H: TicketsHarness>(
    harness: &H,
    lives: &[Life],
) -> Result<BTreeMap<u128, At>, String> {
    let now = harness.clock().now();
    let mut all = BTreeMap::new();
    for (number, life) in lives.iter().enumerate() {
        let wait: Duration = harness.unit() * life.due;
        let due = now.plus(wait.as_millis() as u64);
        let ticket = Ticket {
            reply: ReplyId(number as u128),
            session: SessionId(7),
            attempt: life.attempt,
            version: Some(1),
        };
        let published = harness.tickets().publish(ticket, due).await;
        published.map_err(|error| error.to_string())?;
        all.insert(number as u128, due);
    }
    Ok(all)
}
