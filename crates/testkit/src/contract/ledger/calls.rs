//! Reservations.

use std::collections::BTreeSet;

use futures::future::join_all;
use replygate_gate::ActionId;
use replygate_gate::tools::{CallState, ClockStep, Entry, Guarding, Moment};
use replygate_ports::ledger::{Call, NewCall, Reserved};
use serde_json::json;

use super::super::LedgerHarness;
use super::{GUARDING, at, call, call_of, done, failed, told};
use crate::clock::EPOCH;

pub async fn a_call_is_reserved_and_comes_back_as_it_was<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    let new = call(1);
    assert_eq!(
        ledger.reserve(new.clone(), &at(5)).await.unwrap(),
        Reserved::Run { key: ActionId(1) }
    );
    let expected = Call {
        entry: Entry::begun(ActionId(1), ActionId(1), GUARDING, EPOCH.plus(5)),
        fingerprint: new.fingerprint,
        tool: new.tool,
        whom: new.whom,
        turn: new.turn,
        arguments: new.arguments,
        comparison: new.comparison,
        runner: new.runner,
        result: None,
        code: None,
        settled_by: None,
        reason: None,
        request_id: None,
    };
    assert_eq!(ledger.call(ActionId(1)).await.unwrap(), Some(expected));
    assert_eq!(ledger.call(ActionId(2)).await.unwrap(), None);
}

pub async fn of_many_calls_of_one_meaning_one_runs<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    let moment = at(0);
    let calls = (1..=32).map(|id| ledger.reserve(call(id), &moment));
    let answers: Vec<_> = join_all(calls)
        .await
        .into_iter()
        .map(|answer| told(&answer.unwrap()))
        .collect();
    let ran: Vec<u128> = answers
        .iter()
        .filter(|(word, _)| *word == "run")
        .map(|(_, id)| *id)
        .collect();
    assert_eq!(ran.len(), 1, "{answers:?}");
    let told: BTreeSet<(&str, u128)> = answers.into_iter().collect();
    assert_eq!(
        told,
        BTreeSet::from([("run", ran[0]), ("in progress", ran[0])])
    );
}

pub async fn calls_of_other_meanings_do_not_meet<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    for new in [
        call(1),
        call_of(2, "rui", "Psicología"),
        call_of(3, "ana", "Dentista"),
    ] {
        let id = new.action.0;
        let answer = ledger.reserve(new, &at(0)).await.unwrap();
        assert_eq!(told(&answer), ("run", id));
    }
}

pub async fn a_done_call_is_repeated_inside_its_window_and_not_behind_it<H: LedgerHarness>(
    harness: H,
) {
    let ledger = harness.ledger();
    ledger.reserve(call(1), &at(0)).await.unwrap();
    let result = json!({ "event": "evt_1", "n": 0.5, "nothing": null });
    ledger
        .settle(ActionId(1), done(&result), &at(2_000))
        .await
        .unwrap();

    for (ms, age) in [(14_000, 12_000), (601_999, 599_999)] {
        match ledger.reserve(call(2), &at(ms)).await.unwrap() {
            Reserved::Duplicate { first, age_ms } => {
                assert_eq!((first.entry.action, age_ms), (ActionId(1), age));
                assert_eq!(first.entry.state, CallState::Done);
                assert_eq!(first.result, Some(result.clone()));
            }
            other => panic!("{other:?}"),
        }
    }
    let answer = ledger.reserve(call(2), &at(602_000)).await.unwrap();
    assert_eq!(told(&answer), ("run", 2));
    let first = ledger.call(ActionId(1)).await.unwrap().unwrap();
    assert_eq!(first.entry.replaced_by, Some(ActionId(2)));
}

pub async fn the_window_that_is_set_now_counts<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    ledger.reserve(call(1), &at(0)).await.unwrap();
    ledger
        .settle(ActionId(1), done(&json!(1)), &at(0))
        .await
        .unwrap();
    let wider = NewCall {
        guarding: Guarding {
            window_ms: 3_600_000,
            ..GUARDING
        },
        ..call(2)
    };
    let answer = ledger.reserve(wider, &at(900_000)).await.unwrap();
    assert_eq!(told(&answer), ("duplicate", 1));
    let answer = ledger.reserve(call(2), &at(900_000)).await.unwrap();
    assert_eq!(told(&answer), ("run", 2));
}

pub async fn a_failed_call_frees_its_meaning_at_once<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    ledger.reserve(call(1), &at(0)).await.unwrap();
    ledger.settle(ActionId(1), failed(), &at(10)).await.unwrap();
    let answer = ledger.reserve(call(2), &at(11)).await.unwrap();
    assert_eq!(told(&answer), ("run", 2));
    let first = ledger.call(ActionId(1)).await.unwrap().unwrap();
    assert_eq!(first.entry.state, CallState::Failed);
    assert_eq!(first.code.as_deref(), Some("http_422"));
    assert_eq!(first.entry.replaced_by, None);
}

pub async fn a_running_call_says_how_long_it_may_last<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    ledger.reserve(call(1), &at(0)).await.unwrap();
    assert_eq!(
        ledger.reserve(call(2), &at(12_000)).await.unwrap(),
        Reserved::InProgress {
            first: ActionId(1),
            left_ms: 18_000
        }
    );
}

pub async fn a_clock_that_stepped_forward_ends_no_window<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    ledger.reserve(call(1), &at(0)).await.unwrap();
    ledger
        .settle(ActionId(1), done(&json!(1)), &at(1_000))
        .await
        .unwrap();
    let hour = 3_600_000;
    let step = ClockStep {
        from: EPOCH.plus(5_000),
        to: EPOCH.plus(hour),
    };
    let stepped = |ms| Moment {
        now: EPOCH.plus(hour + ms),
        steps: vec![step],
    };
    let answer = ledger.reserve(call(2), &stepped(595_999)).await.unwrap();
    assert_eq!(told(&answer), ("duplicate", 1));
    let answer = ledger.reserve(call(2), &stepped(596_000)).await.unwrap();
    assert_eq!(told(&answer), ("run", 2));
}

pub async fn a_clock_that_stepped_back_keeps_no_window_open<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    ledger.reserve(call(1), &at(0)).await.unwrap();
    ledger
        .settle(ActionId(1), done(&json!(1)), &at(1_000))
        .await
        .unwrap();
    let hour = 3_600_000;
    let step = ClockStep {
        from: EPOCH.plus(5_000),
        to: EPOCH.minus(hour),
    };
    let stepped = |ms| Moment {
        now: EPOCH.minus(hour).plus(ms),
        steps: vec![step],
    };
    let answer = ledger.reserve(call(2), &stepped(595_999)).await.unwrap();
    assert_eq!(told(&answer), ("duplicate", 1));
    let answer = ledger.reserve(call(2), &stepped(596_000)).await.unwrap();
    assert_eq!(told(&answer), ("run", 2));
}
