//! What people do: they settle what is unknown, and let a call through.

use replygate_gate::ActionId;
use replygate_gate::tools::{CallState, SettleRefusal, Settled};
use replygate_ports::ledger::{LedgerError, NewPass};
use serde_json::json;

use super::super::LedgerHarness;
use super::{at, border, by, call, done, failed, told, unknown};

fn pass(request: &str, from: u64, until: u64) -> NewPass {
    NewPass {
        fingerprint: call(0).fingerprint,
        at: border(from),
        until: border(until),
        by: by("ana", request),
    }
}

pub async fn a_person_settles_what_is_unknown<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    ledger.reserve(call(1), &at(0)).await.unwrap();
    ledger
        .settle(ActionId(1), unknown(), &at(10))
        .await
        .unwrap();
    let settled = ledger
        .settle_by(ActionId(1), done(&json!(null)), by("ana", "r1"), &at(20))
        .await
        .unwrap();
    assert!(matches!(settled, Settled::Now(_)), "{settled:?}");
    let first = ledger.call(ActionId(1)).await.unwrap().unwrap();
    assert_eq!(first.settled_by.as_deref(), Some("ana"));
    assert_eq!(first.reason.as_deref(), Some("I looked"));
    assert_eq!(first.entry.settled_at, Some(border(20)));
    let answer = ledger.reserve(call(2), &at(30)).await.unwrap();
    assert_eq!(told(&answer), ("duplicate", 1));
}

pub async fn of_two_people_who_settle_one_does<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    ledger.reserve(call(1), &at(0)).await.unwrap();
    ledger
        .settle(ActionId(1), unknown(), &at(10))
        .await
        .unwrap();
    let settle = |settlement, name, request| {
        let ledger = ledger.clone();
        async move {
            ledger
                .settle_by(ActionId(1), settlement, by(name, request), &at(20))
                .await
        }
    };
    assert!(matches!(
        settle(failed(), "ana", "r1").await,
        Ok(Settled::Now(_))
    ));
    assert!(matches!(
        settle(failed(), "ana", "r1").await,
        Ok(Settled::Before)
    ));
    let second = settle(done(&json!(1)), "rui", "r2").await;
    assert!(
        matches!(
            second,
            Err(LedgerError::Refused(SettleRefusal::Settled(
                CallState::Failed
            )))
        ),
        "{second:?}"
    );
    let kept = ledger.call(ActionId(1)).await.unwrap().unwrap();
    assert_eq!(kept.settled_by.as_deref(), Some("ana"));
}

pub async fn a_person_settles_nothing_that_runs<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    ledger.reserve(call(1), &at(0)).await.unwrap();
    let early = ledger
        .settle_by(ActionId(1), failed(), by("ana", "r1"), &at(20))
        .await;
    assert!(
        matches!(
            early,
            Err(LedgerError::Refused(SettleRefusal::Settled(
                CallState::Running
            )))
        ),
        "{early:?}"
    );
    // Its lease is over: nobody else will tell.
    let late = ledger
        .settle_by(ActionId(1), failed(), by("ana", "r2"), &at(30_000))
        .await;
    assert!(matches!(late, Ok(Settled::Now(_))), "{late:?}");
}

pub async fn a_pass_lets_one_call_through<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    ledger.reserve(call(1), &at(0)).await.unwrap();
    ledger
        .settle(ActionId(1), done(&json!(1)), &at(10))
        .await
        .unwrap();
    ledger.allow_once(pass("r1", 20, 60_000)).await.unwrap();
    let answer = ledger.reserve(call(2), &at(30)).await.unwrap();
    assert_eq!(told(&answer), ("run", 2));
    ledger
        .settle(ActionId(2), done(&json!(2)), &at(40))
        .await
        .unwrap();
    let answer = ledger.reserve(call(3), &at(50)).await.unwrap();
    assert_eq!(told(&answer), ("duplicate", 2));

    ledger.allow_once(pass("r2", 60, 60_000)).await.unwrap();
    ledger.reserve(call(3), &at(70)).await.unwrap();
    ledger
        .settle(ActionId(3), unknown(), &at(80))
        .await
        .unwrap();
    ledger.allow_once(pass("r3", 90, 60_000)).await.unwrap();
    // Somebody wants it again, whatever became of the first: for the tool's service it is a new call.
    let answer = ledger.reserve(call(4), &at(100)).await.unwrap();
    assert_eq!(told(&answer), ("run", 4));
}

pub async fn a_pass_is_kept_while_it_is_not_needed<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    ledger.allow_once(pass("r1", 0, 2_000_000)).await.unwrap();
    ledger.reserve(call(1), &at(0)).await.unwrap();
    let answer = ledger.reserve(call(2), &at(5)).await.unwrap();
    assert_eq!(told(&answer), ("in progress", 1));
    ledger
        .settle(ActionId(1), done(&json!(1)), &at(10))
        .await
        .unwrap();
    ledger.reserve(call(2), &at(600_010)).await.unwrap();
    ledger
        .settle(ActionId(2), done(&json!(2)), &at(600_020))
        .await
        .unwrap();
    let answer = ledger.reserve(call(3), &at(600_030)).await.unwrap();
    assert_eq!(told(&answer), ("run", 3));
}

pub async fn a_pass_ends_by_time<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    ledger.reserve(call(1), &at(0)).await.unwrap();
    ledger
        .settle(ActionId(1), done(&json!(1)), &at(10))
        .await
        .unwrap();
    ledger.allow_once(pass("r1", 20, 1_000)).await.unwrap();
    let answer = ledger.reserve(call(2), &at(1_000)).await.unwrap();
    assert_eq!(told(&answer), ("duplicate", 1));
    let answer = ledger.reserve(call(2), &at(999)).await.unwrap();
    assert_eq!(told(&answer), ("run", 2));
}

pub async fn a_repeated_request_gives_one_pass<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    ledger.reserve(call(1), &at(0)).await.unwrap();
    ledger
        .settle(ActionId(1), done(&json!(1)), &at(10))
        .await
        .unwrap();
    ledger.allow_once(pass("r1", 20, 60_000)).await.unwrap();
    ledger.allow_once(pass("r1", 20, 60_000)).await.unwrap();
    ledger.reserve(call(2), &at(30)).await.unwrap();
    ledger
        .settle(ActionId(2), done(&json!(2)), &at(40))
        .await
        .unwrap();
    ledger.allow_once(pass("r1", 20, 60_000)).await.unwrap();
    let answer = ledger.reserve(call(3), &at(50)).await.unwrap();
    assert_eq!(told(&answer), ("duplicate", 2));
}
