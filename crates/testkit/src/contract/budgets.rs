//! What every adapter of the budgets port must keep: never more than the rate allows, and room again in time.

use std::time::Duration;

use futures::future::join_all;
use replygate_gate::ConversationId;
use replygate_ports::budgets::{Rate, Room};

use super::BudgetsHarness;

/// The suite of the budgets port.
#[macro_export]
macro_rules! budgets_contract {
    ($name:ident, $harness:ty $(, $($runtime:tt)*)?) => {
        $crate::contract_cases!($name, $harness, ($($($runtime)*)?), budgets: [
            a_burst_finds_room_and_the_next_waits,
            room_comes_back_when_it_was_promised,
            who_waits_takes_nothing,
            conversations_do_not_share_a_budget,
            of_many_that_ask_at_once_the_burst_gets_room,
        ]);
    };
}

const CHAT: ConversationId = ConversationId(31);

/// Room for three at once, and again after twenty units.
fn rate<H: BudgetsHarness>(harness: &H) -> Rate {
    Rate {
        per_second: 1.0 / (harness.unit() * 20).as_secs_f64(),
        burst: 3,
    }
}

fn wait(room: Room) -> Duration {
    match room {
        Room::Now => Duration::ZERO,
        Room::In(wait) => wait,
    }
}

pub async fn a_burst_finds_room_and_the_next_waits<H: BudgetsHarness>(harness: H) {
    let (budgets, rate) = (harness.budgets(), rate(&harness));
    for _ in 0..3 {
        assert_eq!(budgets.take(CHAT, rate).await, Room::Now);
    }
    let wait = wait(budgets.take(CHAT, rate).await);
    assert!(wait > Duration::ZERO && wait <= harness.unit() * 20 + Duration::from_millis(1));
}

pub async fn room_comes_back_when_it_was_promised<H: BudgetsHarness>(harness: H) {
    let (budgets, rate) = (harness.budgets(), rate(&harness));
    while budgets.take(CHAT, rate).await == Room::Now {}
    let promised = wait(budgets.take(CHAT, rate).await);
    harness.advance(promised).await;
    assert_eq!(budgets.take(CHAT, rate).await, Room::Now);
    assert_ne!(budgets.take(CHAT, rate).await, Room::Now);
}

pub async fn who_waits_takes_nothing<H: BudgetsHarness>(harness: H) {
    let (budgets, rate) = (harness.budgets(), rate(&harness));
    while budgets.take(CHAT, rate).await == Room::Now {}
    for _ in 0..50 {
        let promised = wait(budgets.take(CHAT, rate).await);
        assert!(promised <= harness.unit() * 20 + Duration::from_millis(1));
    }
}

pub async fn conversations_do_not_share_a_budget<H: BudgetsHarness>(harness: H) {
    let (budgets, rate) = (harness.budgets(), rate(&harness));
    while budgets.take(CHAT, rate).await == Room::Now {}
    let other = ConversationId(32);
    assert_eq!(budgets.take(other, rate).await, Room::Now);
}

pub async fn of_many_that_ask_at_once_the_burst_gets_room<H: BudgetsHarness>(harness: H) {
    let budgets = harness.budgets();
    let rate = Rate {
        per_second: 0.01,
        burst: 5,
    };
    let answers = join_all((0..40).map(|_| budgets.take(CHAT, rate))).await;
    let found = answers.iter().filter(|room| **room == Room::Now);
    assert_eq!(found.count(), 5);
}
