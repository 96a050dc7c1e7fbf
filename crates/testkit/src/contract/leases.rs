//! What every adapter of the leases port must keep: one holder at a time, an end by time, and no release of another's.

use std::time::Duration;

use replygate_gate::{SessionId, TurnId};
use replygate_ports::leases::Leave;

use super::LeasesHarness;

/// The suite of the leases port.
#[macro_export]
macro_rules! leases_contract {
    ($name:ident, $harness:ty $(, $($runtime:tt)*)?) => {
        $crate::contract_cases!($name, $harness, ($($($runtime)*)?), leases: [
            a_free_session_is_leased_and_then_taken_for_others,
            a_holder_may_ask_again_without_knowing_what_became_of_the_first_time,
            asking_again_extends_the_lease,
            a_lease_ends_by_time,
            a_release_frees_the_session_at_once,
            a_release_by_another_frees_nothing,
            a_stale_release_frees_nothing,
            sessions_do_not_know_each_other,
            of_many_that_ask_at_once_one_gets_it,
        ]);
    };
}

const SESSION: SessionId = SessionId(11);
const FIRST: TurnId = TurnId(1);
const SECOND: TurnId = TurnId(2);
const LONG: Duration = Duration::from_mins(1);

pub async fn a_free_session_is_leased_and_then_taken_for_others<H: LeasesHarness>(harness: H) {
    let leases = harness.leases();
    assert_eq!(leases.acquire(SESSION, FIRST, LONG).await, Leave::Granted);
    assert_eq!(leases.acquire(SESSION, SECOND, LONG).await, Leave::Taken);
}

pub async fn a_holder_may_ask_again_without_knowing_what_became_of_the_first_time<
    H: LeasesHarness,
>(
    harness: H,
) {
    let leases = harness.leases();
    for _ in 0..3 {
        assert_eq!(leases.acquire(SESSION, FIRST, LONG).await, Leave::Granted);
    }
}

pub async fn asking_again_extends_the_lease<H: LeasesHarness>(harness: H) {
    let leases = harness.leases();
    let life = harness.unit() * 10;
    leases.acquire(SESSION, FIRST, life).await;
    harness.advance(harness.unit() * 6).await;
    leases.acquire(SESSION, FIRST, life).await;
    harness.advance(harness.unit() * 6).await;
    assert_eq!(leases.acquire(SESSION, SECOND, LONG).await, Leave::Taken);
}

pub async fn a_lease_ends_by_time<H: LeasesHarness>(harness: H) {
    let leases = harness.leases();
    leases.acquire(SESSION, FIRST, harness.unit() * 2).await;
    harness.advance(harness.unit() * 3).await;
    assert_eq!(leases.acquire(SESSION, SECOND, LONG).await, Leave::Granted);
    assert_eq!(leases.acquire(SESSION, FIRST, LONG).await, Leave::Taken);
}

pub async fn a_release_frees_the_session_at_once<H: LeasesHarness>(harness: H) {
    let leases = harness.leases();
    leases.acquire(SESSION, FIRST, LONG).await;
    leases.release(SESSION, FIRST).await;
    assert_eq!(leases.acquire(SESSION, SECOND, LONG).await, Leave::Granted);
}

pub async fn a_release_by_another_frees_nothing<H: LeasesHarness>(harness: H) {
    let leases = harness.leases();
    leases.acquire(SESSION, FIRST, LONG).await;
    leases.release(SESSION, SECOND).await;
    assert_eq!(leases.acquire(SESSION, SECOND, LONG).await, Leave::Taken);
}

pub async fn a_stale_release_frees_nothing<H: LeasesHarness>(harness: H) {
    let leases = harness.leases();
    leases.acquire(SESSION, FIRST, harness.unit() * 2).await;
    harness.advance(harness.unit() * 3).await;
    leases.acquire(SESSION, SECOND, LONG).await;
    leases.release(SESSION, FIRST).await;
    assert_eq!(leases.acquire(SESSION, FIRST, LONG).await, Leave::Taken);
}

pub async fn sessions_do_not_know_each_other<H: LeasesHarness>(harness: H) {
    let leases = harness.leases();
    leases.acquire(SESSION, FIRST, LONG).await;
    let other = SessionId(12);
    assert_eq!(leases.acquire(other, SECOND, LONG).await, Leave::Granted);
    leases.release(SESSION, FIRST).await;
    assert_eq!(leases.acquire(other, FIRST, LONG).await, Leave::Taken);
}

pub async fn of_many_that_ask_at_once_one_gets_it<H: LeasesHarness>(harness: H) {
    let leases = harness.leases();
    let askers = (0..32).map(|turn| leases.acquire(SESSION, TurnId(turn), LONG));
    let answers = futures::future::join_all(askers).await;
    let granted = answers.iter().filter(|leave| **leave == Leave::Granted);
    assert_eq!(granted.count(), 1);
}
