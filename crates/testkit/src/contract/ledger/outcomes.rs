//! Outcomes: known, unknown, late.

use replygate_gate::ActionId;
use replygate_gate::tools::{CallState, OnUnknown, SettleRefusal, Settled};
use replygate_ports::ledger::{Ledger, LedgerError, Reserved};
use serde_json::json;

use super::super::LedgerHarness;
use super::{at, call, done, failed, told, unknown, with};

async fn state(ledger: &dyn Ledger, id: u128) -> CallState {
    ledger
        .call(ActionId(id))
        .await
        .unwrap()
        .unwrap()
        .entry
        .state
}

pub async fn a_call_whose_lease_is_over_is_unknown<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    ledger.reserve(call(1), &at(0)).await.unwrap();
    let answer = ledger.reserve(call(2), &at(29_999)).await.unwrap();
    assert_eq!(told(&answer), ("in progress", 1));
    match ledger.reserve(call(2), &at(30_000)).await.unwrap() {
        Reserved::Unknown { first, age_ms } => {
            assert_eq!((first.entry.action, age_ms), (ActionId(1), 30_000));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(ledger.call(ActionId(2)).await.unwrap(), None);
}

pub async fn an_unknown_outcome_keeps_the_meaning_until_it_is_settled<H: LedgerHarness>(
    harness: H,
) {
    let ledger = harness.ledger();
    ledger.reserve(call(1), &at(0)).await.unwrap();
    ledger
        .settle(ActionId(1), unknown(), &at(10))
        .await
        .unwrap();
    for ms in [11, 700_000, 90_000_000] {
        let answer = ledger.reserve(call(2), &at(ms)).await.unwrap();
        assert_eq!(told(&answer), ("unknown", 1));
    }
    ledger
        .settle(ActionId(1), failed(), &at(90_000_000))
        .await
        .unwrap();
    let answer = ledger.reserve(call(2), &at(90_000_001)).await.unwrap();
    assert_eq!(told(&answer), ("run", 2));
}

pub async fn an_unknown_outcome_keeps_the_meaning_inside_the_window_only<H: LedgerHarness>(
    harness: H,
) {
    let ledger = harness.ledger();
    ledger
        .reserve(with(1, OnUnknown::Window), &at(0))
        .await
        .unwrap();
    ledger
        .settle(ActionId(1), unknown(), &at(10))
        .await
        .unwrap();
    let answer = ledger
        .reserve(with(2, OnUnknown::Window), &at(600_009))
        .await
        .unwrap();
    assert_eq!(told(&answer), ("unknown", 1));
    let answer = ledger
        .reserve(with(2, OnUnknown::Window), &at(600_010))
        .await
        .unwrap();
    assert_eq!(told(&answer), ("run", 2));
}

pub async fn a_retried_call_keeps_the_first_ones_key<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    for id in 1..=2 {
        let new = with(id, OnUnknown::Retry);
        let answer = ledger.reserve(new, &at(100 * id as u64)).await.unwrap();
        assert_eq!(told(&answer), ("run", 1));
        let moment = at(100 * id as u64 + 50);
        ledger
            .settle(ActionId(id), unknown(), &moment)
            .await
            .unwrap();
    }
    // A process that died is no reason to wait either.
    let answer = ledger
        .reserve(with(3, OnUnknown::Retry), &at(300))
        .await
        .unwrap();
    assert_eq!(told(&answer), ("run", 1));
    let answer = ledger
        .reserve(with(4, OnUnknown::Retry), &at(30_300))
        .await
        .unwrap();
    assert_eq!(told(&answer), ("run", 1));
    assert_eq!(state(&*ledger, 3).await, CallState::Unknown);
}

pub async fn an_outcome_that_comes_late_is_taken<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    ledger.reserve(call(1), &at(0)).await.unwrap();
    ledger.expire(&at(40_000), 10).await.unwrap();
    assert_eq!(state(&*ledger, 1).await, CallState::Unknown);
    let settled = ledger
        .settle(ActionId(1), done(&json!("late")), &at(50_000))
        .await;
    assert!(matches!(settled, Ok(Settled::Now(_))), "{settled:?}");
    let first = ledger.call(ActionId(1)).await.unwrap().unwrap();
    assert_eq!((first.result, first.code), (Some(json!("late")), None));
    let answer = ledger.reserve(call(2), &at(60_000)).await.unwrap();
    assert_eq!(told(&answer), ("duplicate", 1));
}

pub async fn an_outcome_is_taken_once<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    ledger.reserve(call(1), &at(0)).await.unwrap();
    ledger
        .settle(ActionId(1), done(&json!("first")), &at(10))
        .await
        .unwrap();
    let again = ledger
        .settle(ActionId(1), done(&json!("again")), &at(20))
        .await
        .unwrap();
    assert_eq!(again, Settled::Before);
    let kept = ledger.call(ActionId(1)).await.unwrap().unwrap();
    assert_eq!(kept.result, Some(json!("first")));
    let missing = ledger.settle(ActionId(9), failed(), &at(20)).await;
    assert!(matches!(missing, Err(LedgerError::NoSuch)), "{missing:?}");
}

pub async fn an_outcome_is_refused_once_another_call_took_the_place<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    ledger
        .reserve(with(1, OnUnknown::Retry), &at(0))
        .await
        .unwrap();
    ledger
        .settle(ActionId(1), unknown(), &at(10))
        .await
        .unwrap();
    ledger
        .reserve(with(2, OnUnknown::Retry), &at(20))
        .await
        .unwrap();
    let late = ledger.settle(ActionId(1), failed(), &at(30)).await;
    assert!(
        matches!(
            late,
            Err(LedgerError::Refused(SettleRefusal::Replaced(ActionId(2))))
        ),
        "{late:?}"
    );
    let answer = ledger
        .reserve(with(3, OnUnknown::Retry), &at(40))
        .await
        .unwrap();
    assert_eq!(told(&answer), ("in progress", 2));
}

pub async fn a_settled_outcome_is_not_changed<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    ledger.reserve(call(1), &at(0)).await.unwrap();
    ledger
        .settle(ActionId(1), done(&json!(1)), &at(10))
        .await
        .unwrap();
    for settlement in [failed(), unknown()] {
        let refused = ledger.settle(ActionId(1), settlement, &at(20)).await;
        assert!(
            matches!(
                refused,
                Err(LedgerError::Refused(SettleRefusal::Settled(
                    CallState::Done
                )))
            ),
            "{refused:?}"
        );
    }
    assert_eq!(state(&*ledger, 1).await, CallState::Done);
}
