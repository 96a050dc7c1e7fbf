//! What time, restarts and a person's wish to be forgotten do.

use replygate_gate::ActionId;
use replygate_gate::tools::{CallState, OnUnknown};
use replygate_ports::ledger::{CallQuery, DuplicateQuery, NewCall, NewPass, Runner};
use serde_json::json;

use super::super::LedgerHarness;
use super::super::harness::restarted;
use super::records::record;
use super::{at, border, by, call, call_of, done, failed, ids, told, unknown, with};

fn every() -> CallQuery {
    CallQuery {
        limit: 1_000,
        ..CallQuery::default()
    }
}

fn outside(id: u128, title: &str) -> NewCall {
    NewCall {
        runner: Runner::Outside,
        ..call_of(id, "ana", title)
    }
}

pub async fn dead_calls_are_expired_in_rounds<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    for (new, ms) in [
        (call_of(1, "ana", "a"), 0),
        (outside(2, "b"), 10),
        (call_of(3, "ana", "c"), 20),
        (call_of(4, "ana", "d"), 5_000),
    ] {
        ledger.reserve(new, &at(ms)).await.unwrap();
    }
    ledger
        .settle(ActionId(3), done(&json!(1)), &at(30))
        .await
        .unwrap();
    let moment = at(30_010);
    let mut gone = ledger.expire(&moment, 1).await.unwrap();
    assert_eq!(gone.len(), 1);
    gone.extend(ledger.expire(&moment, 10).await.unwrap());
    gone.sort();
    assert_eq!(gone, [ActionId(1), ActionId(2)]);
    assert_eq!(ledger.expire(&moment, 10).await.unwrap(), []);
    let first = ledger.call(ActionId(1)).await.unwrap().unwrap();
    assert_eq!(first.entry.state, CallState::Unknown);
    assert_eq!(first.entry.settled_at, Some(border(30_010)));
    assert_eq!(first.code.as_deref(), Some("lease_over"));
}

pub async fn a_start_makes_this_installations_running_calls_unknown<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    ledger
        .reserve(call_of(1, "ana", "a"), &at(0))
        .await
        .unwrap();
    ledger.reserve(outside(2, "b"), &at(0)).await.unwrap();
    ledger
        .reserve(call_of(3, "ana", "c"), &at(0))
        .await
        .unwrap();
    ledger
        .settle(ActionId(3), done(&json!(1)), &at(1))
        .await
        .unwrap();
    assert_eq!(ledger.recover(&at(100)).await.unwrap(), 1);
    let answer = ledger
        .reserve(call_of(4, "ana", "a"), &at(101))
        .await
        .unwrap();
    assert_eq!(told(&answer), ("unknown", 1));
    let answer = ledger.reserve(outside(5, "b"), &at(101)).await.unwrap();
    assert_eq!(told(&answer), ("in progress", 2));
    let first = ledger.call(ActionId(1)).await.unwrap().unwrap();
    assert_eq!(first.code.as_deref(), Some("process_died"));
}

pub async fn a_round_of_pruning_is_bounded_and_rounds_come_to_an_end<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    for id in 1..=5 {
        let new = call_of(id, "ana", &id.to_string());
        ledger.reserve(new, &at(0)).await.unwrap();
        ledger
            .settle(ActionId(id), failed(), &at(10))
            .await
            .unwrap();
    }
    // It names the first call: the record goes first, the call after it.
    ledger.avoid(record(9, "ana", 20)).await.unwrap();
    let border = border(1_000);
    let mut rounds = Vec::new();
    loop {
        match ledger.prune(border, 4).await.unwrap() {
            0 => break,
            removed => rounds.push(removed),
        }
    }
    assert!(rounds.iter().all(|removed| *removed <= 4), "{rounds:?}");
    assert_eq!(rounds.iter().sum::<u64>(), 6);
    assert_eq!(ledger.calls(&every()).await.unwrap(), []);
    let records = DuplicateQuery {
        limit: 10,
        ..DuplicateQuery::default()
    };
    assert_eq!(ledger.duplicates(&records).await.unwrap(), []);
}

pub async fn what_still_stands_is_not_pruned<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    for (id, title) in [
        (1, "done"),
        (2, "unknown"),
        (3, "running"),
        (4, "new"),
        (6, "named"),
    ] {
        let new = call_of(id, "ana", title);
        ledger.reserve(new, &at(0)).await.unwrap();
    }
    ledger
        .reserve(with(5, OnUnknown::Retry), &at(0))
        .await
        .unwrap();
    ledger
        .settle(ActionId(1), done(&json!(1)), &at(1_000))
        .await
        .unwrap();
    ledger
        .settle(ActionId(2), unknown(), &at(1_000))
        .await
        .unwrap();
    ledger
        .settle(ActionId(4), failed(), &at(9_000))
        .await
        .unwrap();
    ledger
        .settle(ActionId(5), unknown(), &at(10))
        .await
        .unwrap();
    ledger
        .reserve(with(7, OnUnknown::Retry), &at(20))
        .await
        .unwrap();
    ledger.settle(ActionId(6), failed(), &at(10)).await.unwrap();
    let mut naming = record(9, "ana", 9_000);
    naming.first = ActionId(6);
    ledger.avoid(naming).await.unwrap();
    ledger
        .allow_once(NewPass {
            fingerprint: call(0).fingerprint,
            at: border(0),
            until: border(8_000),
            by: by("ana", "r1"),
        })
        .await
        .unwrap();

    // Its window is open; it is unknown; it runs; it is new; it took another's place; a record names it.
    assert_eq!(ledger.prune(border(5_000), 100).await.unwrap(), 1);
    assert_eq!(
        ids(&ledger.calls(&every()).await.unwrap()),
        [7, 6, 4, 3, 2, 1]
    );
    assert_eq!(
        ledger.prune(border(8_500), 100).await.unwrap(),
        1,
        "the pass"
    );
    assert_eq!(ledger.prune(border(601_000), 100).await.unwrap(), 3);
    assert_eq!(ids(&ledger.calls(&every()).await.unwrap()), [7, 3, 2, 1]);
    assert_eq!(ledger.prune(border(601_001), 100).await.unwrap(), 1);
    let answer = ledger
        .reserve(call_of(8, "ana", "done"), &at(601_002))
        .await
        .unwrap();
    assert_eq!(told(&answer), ("run", 8));
    let answer = ledger
        .reserve(call_of(9, "ana", "unknown"), &at(601_002))
        .await
        .unwrap();
    assert_eq!(told(&answer), ("unknown", 2));
}

pub async fn a_forgotten_person_leaves_no_call<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    ledger.reserve(call(1), &at(0)).await.unwrap();
    ledger
        .reserve(call_of(2, "rui", "Psicología"), &at(0))
        .await
        .unwrap();
    ledger.avoid(record(5, "ana", 10)).await.unwrap();
    ledger.avoid(record(6, "rui", 10)).await.unwrap();
    harness.upkeep().forget(None, "ana").await.unwrap();
    assert_eq!(ids(&ledger.calls(&every()).await.unwrap()), [2]);
    let records = DuplicateQuery {
        limit: 10,
        ..DuplicateQuery::default()
    };
    let left = ledger.duplicates(&records).await.unwrap();
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].call, record(6, "rui", 10));
    let answer = ledger.reserve(call(3), &at(20)).await.unwrap();
    assert_eq!(told(&answer), ("run", 3));
}

pub async fn the_ledger_survives_a_restart<H: LedgerHarness>(harness: H) {
    let ledger = harness.ledger();
    ledger.reserve(call(1), &at(0)).await.unwrap();
    ledger
        .settle(ActionId(1), done(&json!({ "n": 1 })), &at(10))
        .await
        .unwrap();
    ledger
        .reserve(call_of(2, "rui", "b"), &at(20))
        .await
        .unwrap();
    ledger.avoid(record(5, "ana", 30)).await.unwrap();
    let before = ledger.calls(&every()).await.unwrap();
    drop(ledger);
    let Some(harness) = restarted(harness).await else {
        return;
    };
    let ledger = harness.ledger();
    assert_eq!(ledger.calls(&every()).await.unwrap(), before);
    let answer = ledger.reserve(call(3), &at(40)).await.unwrap();
    assert_eq!(told(&answer), ("duplicate", 1));
    let answer = ledger
        .reserve(call_of(4, "rui", "b"), &at(40))
        .await
        .unwrap();
    assert_eq!(told(&answer), ("in progress", 2));
}
