//! What every store of operations must keep: a frozen set, one winner of each change, and what became of each item.

use std::collections::BTreeMap;

use futures::future::join_all;
use replygate_gate::{OperationId, ReplyId, SessionId};
use replygate_ports::operations::{
    ChangeError, Item, ItemState, Operation, OperationState, OperationVerb, Pace, PlanError,
    Settled,
};

use super::OperationsHarness;
use super::harness::restarted;
use crate::clock::EPOCH;

/// The suite of the operations port.
#[macro_export]
macro_rules! operations_contract {
    ($name:ident, $harness:ty $(, $($runtime:tt)*)?) => {
        $crate::contract_cases!($name, $harness, ($($($runtime)*)?), operations: [
            a_plan_comes_back_as_it_was,
            a_request_plans_once,
            operations_are_paged_newest_plan_first,
            items_are_paged_by_place_and_found_by_state,
            of_many_concurrent_changes_one_wins,
            settling_counts_and_moves_the_version,
            active_operations_are_listed_in_the_order_of_their_start,
            an_unknown_operation_is_nothing,
            operations_survive_a_restart,
        ]);
    };
}

fn operation(number: u64) -> Operation {
    Operation {
        id: OperationId(u128::from(number)),
        version: 1,
        request_id: format!("request {number}"),
        verb: OperationVerb::Reprocess,
        state: OperationState::Planned,
        by: "ana".to_owned(),
        reason: None,
        pace: Pace {
            per_minute: 300,
            first: 5,
            halt_percent: 20,
        },
        planned_at: EPOCH.plus(number),
        started_at: None,
        ended_at: None,
        counts: BTreeMap::new(),
    }
}

fn items(count: u32) -> Vec<Item> {
    (0..count)
        .map(|place| Item {
            place,
            reply: ReplyId(u128::from(place) + 7),
            generation: place + 1,
            session: SessionId(u128::MAX - u128::from(place)),
            channel: "shop".to_owned(),
            state: ItemState::Ready,
            code: None,
            at: EPOCH,
        })
        .collect()
}

fn ids(operations: &[Operation]) -> Vec<u128> {
    operations.iter().map(|operation| operation.id.0).collect()
}

pub async fn a_plan_comes_back_as_it_was<H: OperationsHarness>(harness: H) {
    let operations = harness.operations();
    let mut planned = items(3);
    planned[1].state = ItemState::Skipped;
    planned[1].code = Some("person".to_owned());
    let full = Operation {
        reason: Some("o canal voltou 🙂".to_owned()),
        started_at: Some(EPOCH.plus(9)),
        ended_at: Some(EPOCH.plus(10)),
        state: OperationState::Stopped,
        verb: OperationVerb::Discard,
        ..operation(1)
    };
    operations
        .plan(full.clone(), planned.clone())
        .await
        .unwrap();
    let counted = Operation {
        counts: BTreeMap::from([(ItemState::Ready, 2), (ItemState::Skipped, 1)]),
        ..full
    };
    let found = operations.operation(OperationId(1)).await.unwrap();
    assert_eq!(found, Some(counted));
    let found = operations.items(OperationId(1), None, None, 10).await;
    assert_eq!(found.unwrap(), planned);
}

pub async fn a_request_plans_once<H: OperationsHarness>(harness: H) {
    let operations = harness.operations();
    operations.plan(operation(1), items(1)).await.unwrap();
    let again = Operation {
        request_id: "request 1".to_owned(),
        ..operation(2)
    };
    let refused = operations.plan(again, items(5)).await.unwrap_err();
    assert!(
        matches!(refused, PlanError::Repeated(OperationId(1))),
        "{refused:?}"
    );
    let all = operations.operations(None, 10).await.unwrap();
    assert_eq!(ids(&all), [1]);
}

pub async fn operations_are_paged_newest_plan_first<H: OperationsHarness>(harness: H) {
    let operations = harness.operations();
    for number in 1..=5 {
        operations.plan(operation(number), items(1)).await.unwrap();
    }
    let page = operations.operations(None, 2).await.unwrap();
    assert_eq!(ids(&page), [5, 4]);
    let last = page[1].clone();
    let next = operations.operations(Some((last.planned_at, last.id)), 9);
    assert_eq!(ids(&next.await.unwrap()), [3, 2, 1]);
}

pub async fn items_are_paged_by_place_and_found_by_state<H: OperationsHarness>(harness: H) {
    let operations = harness.operations();
    let mut planned = items(6);
    for place in [1, 4] {
        planned[place].state = ItemState::Skipped;
    }
    operations.plan(operation(1), planned).await.unwrap();
    let places = async |state, after, limit| {
        let found = operations.items(OperationId(1), state, after, limit).await;
        found
            .unwrap()
            .iter()
            .map(|item| item.place)
            .collect::<Vec<_>>()
    };
    assert_eq!(places(None, None, 2).await, [0, 1]);
    assert_eq!(places(None, Some(1), 9).await, [2, 3, 4, 5]);
    assert_eq!(places(Some(ItemState::Skipped), None, 9).await, [1, 4]);
    assert_eq!(places(Some(ItemState::Ready), Some(0), 2).await, [2, 3]);
}

pub async fn of_many_concurrent_changes_one_wins<H: OperationsHarness>(harness: H) {
    let operations = harness.operations();
    operations.plan(operation(1), items(1)).await.unwrap();
    let rivals = (0..16).map(|_| {
        let next = Operation {
            state: OperationState::Running,
            started_at: Some(EPOCH.plus(5)),
            ..operation(1)
        };
        operations.change(next)
    });
    let results = join_all(rivals).await;
    let won: Vec<u64> = results
        .iter()
        .filter_map(|result| result.as_ref().ok().copied())
        .collect();
    assert_eq!(won, [2]);
    let lost = |result: &&Result<u64, ChangeError>| matches!(result, Err(ChangeError::Conflict));
    assert_eq!(results.iter().filter(lost).count(), 15);
    let found = operations.operation(OperationId(1)).await.unwrap().unwrap();
    assert_eq!(
        (found.state, found.version, found.started_at),
        (OperationState::Running, 2, Some(EPOCH.plus(5)))
    );
}

pub async fn settling_counts_and_moves_the_version<H: OperationsHarness>(harness: H) {
    let operations = harness.operations();
    operations.plan(operation(1), items(3)).await.unwrap();
    let settled = vec![
        Settled {
            place: 0,
            state: ItemState::Delivered,
            code: None,
            at: EPOCH.plus(4),
        },
        Settled {
            place: 2,
            state: ItemState::CameBack,
            code: Some("http_503".to_owned()),
            at: EPOCH.plus(5),
        },
    ];
    assert_eq!(operations.settle(OperationId(1), settled).await.unwrap(), 2);
    let found = operations.operation(OperationId(1)).await.unwrap().unwrap();
    assert_eq!(found.version, 2);
    let counts = [
        (ItemState::Ready, 1),
        (ItemState::Delivered, 1),
        (ItemState::CameBack, 1),
    ];
    assert_eq!(found.counts, BTreeMap::from(counts));
    assert_eq!(found.items(), 3);
    let back = operations
        .items(OperationId(1), Some(ItemState::CameBack), None, 9)
        .await
        .unwrap();
    assert_eq!(back[0].code.as_deref(), Some("http_503"));
    assert_eq!(back[0].at, EPOCH.plus(5));
}

pub async fn active_operations_are_listed_in_the_order_of_their_start<H: OperationsHarness>(
    harness: H,
) {
    let operations = harness.operations();
    for (number, state, started) in [
        (1, OperationState::Running, 30),
        (2, OperationState::Paused, 20),
        (3, OperationState::Waiting, 10),
        (4, OperationState::Planned, 0),
        (5, OperationState::Finished, 5),
        (6, OperationState::Halted, 6),
    ] {
        let one = Operation {
            state,
            started_at: Some(EPOCH.plus(started)),
            ..operation(number)
        };
        operations.plan(one, items(1)).await.unwrap();
    }
    assert_eq!(ids(&operations.active().await.unwrap()), [3, 1]);
}

pub async fn an_unknown_operation_is_nothing<H: OperationsHarness>(harness: H) {
    let operations = harness.operations();
    assert_eq!(operations.operation(OperationId(9)).await.unwrap(), None);
    assert_eq!(
        operations
            .items(OperationId(9), None, None, 9)
            .await
            .unwrap(),
        []
    );
    let refused = operations.change(operation(9)).await.unwrap_err();
    assert!(matches!(refused, ChangeError::Conflict), "{refused:?}");
}

pub async fn operations_survive_a_restart<H: OperationsHarness>(harness: H) {
    let operations = harness.operations();
    let running = Operation {
        state: OperationState::Running,
        started_at: Some(EPOCH),
        ..operation(1)
    };
    operations.plan(running, items(2)).await.unwrap();
    drop(operations);
    let Some(harness) = restarted(harness).await else {
        return;
    };
    let operations = harness.operations();
    assert_eq!(ids(&operations.active().await.unwrap()), [1]);
    let found = operations.items(OperationId(1), None, None, 9).await;
    assert_eq!(found.unwrap(), items(2));
}
