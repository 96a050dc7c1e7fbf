//! What every log of activity must keep: entries as they were, in order, found by whom, what and on what.

use replygate_ports::activity::{Activity, ActivityQuery, ActivityResult, Entry};

use super::ActivityHarness;
use super::harness::restarted;
use crate::clock::EPOCH;

/// The suite of the activity port.
#[macro_export]
macro_rules! activity_contract {
    ($name:ident, $harness:ty $(, $($runtime:tt)*)?) => {
        $crate::contract_cases!($name, $harness, ($($($runtime)*)?), activity: [
            entries_come_back_as_they_were,
            entries_are_paged_newest_first,
            entries_are_found_by_person_verb_and_object,
            places_grow_under_many_writers,
            the_log_survives_a_restart,
        ]);
    };
}

fn activity(by: &str, verb: &str, object: &str) -> Activity {
    Activity {
        at: EPOCH,
        by: by.to_owned(),
        role: "operator".to_owned(),
        verb: verb.to_owned(),
        object: object.to_owned(),
        before: None,
        after: None,
        reason: None,
        request_id: None,
        result: ActivityResult::Done,
    }
}

fn everything() -> ActivityQuery {
    ActivityQuery {
        limit: 100,
        ..ActivityQuery::default()
    }
}

fn places(entries: &[Entry]) -> Vec<u64> {
    entries.iter().map(|entry| entry.place).collect()
}

pub async fn entries_come_back_as_they_were<H: ActivityHarness>(harness: H) {
    let log = harness.activity();
    assert_eq!(log.entries(&everything()).await.unwrap(), []);
    let full = Activity {
        before: Some("PARKED, generation 1".to_owned()),
        after: Some("PENDING, generation 2".to_owned()),
        reason: Some("ela ligou 🙂".to_owned()),
        request_id: Some("req_1".to_owned()),
        result: ActivityResult::Refused,
        ..activity("ana", "reprocess", "rep_1")
    };
    let failed = Activity {
        result: ActivityResult::Failed,
        ..activity("rui", "sign_in", "")
    };
    assert_eq!(log.record(full.clone()).await.unwrap(), 1);
    assert_eq!(log.record(failed.clone()).await.unwrap(), 2);
    let entries = log.entries(&everything()).await.unwrap();
    assert_eq!(places(&entries), [2, 1]);
    assert_eq!(entries[1].activity, full);
    assert_eq!(entries[0].activity, failed);
}

pub async fn entries_are_paged_newest_first<H: ActivityHarness>(harness: H) {
    let log = harness.activity();
    for _ in 0..5 {
        log.record(activity("ana", "reveal", "ses_1"))
            .await
            .unwrap();
    }
    let page = |before| ActivityQuery {
        before,
        limit: 2,
        ..ActivityQuery::default()
    };
    assert_eq!(places(&log.entries(&page(None)).await.unwrap()), [5, 4]);
    assert_eq!(places(&log.entries(&page(Some(4))).await.unwrap()), [3, 2]);
    assert_eq!(places(&log.entries(&page(Some(2))).await.unwrap()), [1]);
    assert_eq!(log.entries(&page(Some(1))).await.unwrap(), []);
}

pub async fn entries_are_found_by_person_verb_and_object<H: ActivityHarness>(harness: H) {
    let log = harness.activity();
    for (by, verb, object) in [
        ("ana", "reprocess", "rep_1"),
        ("rui", "reprocess", "rep_2"),
        ("ana", "discard", "rep_2"),
        ("ana", "reprocess", "rep_2"),
    ] {
        log.record(activity(by, verb, object)).await.unwrap();
    }
    let own = |text: &str| Some(text.to_owned());
    let by_ana = ActivityQuery {
        by: own("ana"),
        ..everything()
    };
    assert_eq!(places(&log.entries(&by_ana).await.unwrap()), [4, 3, 1]);
    let discards = ActivityQuery {
        verb: own("discard"),
        ..everything()
    };
    assert_eq!(places(&log.entries(&discards).await.unwrap()), [3]);
    let all_three = ActivityQuery {
        by: own("ana"),
        verb: own("reprocess"),
        object: own("rep_2"),
        ..everything()
    };
    assert_eq!(places(&log.entries(&all_three).await.unwrap()), [4]);
    let nobody = ActivityQuery {
        by: own("eva"),
        ..everything()
    };
    assert_eq!(log.entries(&nobody).await.unwrap(), []);
}

pub async fn places_grow_under_many_writers<H: ActivityHarness>(harness: H) {
    let log = harness.activity();
    let writers = (0..16).map(|number| {
        let log = log.clone();
        async move {
            log.record(activity(&format!("user {number}"), "reveal", "ses_1"))
                .await
        }
    });
    let mut given: Vec<u64> = futures::future::join_all(writers)
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    given.sort_unstable();
    assert_eq!(given, (1..=16).collect::<Vec<u64>>());
}

pub async fn the_log_survives_a_restart<H: ActivityHarness>(harness: H) {
    let log = harness.activity();
    log.record(activity("ana", "reprocess", "rep_1"))
        .await
        .unwrap();
    drop(log);
    let Some(harness) = restarted(harness).await else {
        return;
    };
    let log = harness.activity();
    assert_eq!(places(&log.entries(&everything()).await.unwrap()), [1]);
    let next = log.record(activity("ana", "discard", "rep_1")).await;
    assert_eq!(next.unwrap(), 2);
}
