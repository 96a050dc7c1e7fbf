//! What every built-in calendar must keep: each call's event once, and a person's events gone with the person.

use replygate_gate::{ActionId, At, SessionKey};
use replygate_ports::calendar::{CalendarEvent, EventQuery};

use super::CalendarHarness;
use super::harness::restarted;
use super::stage::direct;
use crate::clock::EPOCH;

/// The suite of the built-in calendar.
#[macro_export]
macro_rules! calendar_contract {
    ($name:ident, $harness:ty $(, $($runtime:tt)*)?) => {
        $crate::contract_cases!($name, $harness, ($($($runtime)*)?), calendar: [
            an_event_is_added_once_and_comes_back_as_it_was,
            an_event_is_cancelled_once,
            events_are_listed_by_their_beginning_and_paged,
            events_are_filtered,
            old_events_are_pruned_in_rounds,
            a_forgotten_person_leaves_no_event,
            events_survive_a_restart,
        ]);
    };
}

fn event(id: u128, whom: SessionKey, start: At) -> CalendarEvent {
    CalendarEvent {
        id: ActionId(id),
        whom,
        title: format!("Psicología {id}"),
        start,
        end: None,
        guests: Vec::new(),
        created_at: EPOCH,
        cancelled_at: None,
    }
}

fn every() -> EventQuery {
    EventQuery {
        limit: 100,
        ..EventQuery::default()
    }
}

fn ids(events: &[CalendarEvent]) -> Vec<u128> {
    events.iter().map(|event| event.id.0).collect()
}

pub async fn an_event_is_added_once_and_comes_back_as_it_was<H: CalendarHarness>(harness: H) {
    let calendar = harness.calendar();
    let first = CalendarEvent {
        end: Some(EPOCH.plus(3_600_000)),
        guests: vec!["ana@example.org".to_owned(), "«é🙂»".to_owned()],
        ..event(1, direct("ana"), EPOCH)
    };
    calendar.add_event(first.clone()).await.unwrap();
    let again = CalendarEvent {
        title: "another".to_owned(),
        ..first.clone()
    };
    calendar.add_event(again).await.unwrap();
    assert_eq!(calendar.events(&every()).await.unwrap(), [first]);
}

pub async fn an_event_is_cancelled_once<H: CalendarHarness>(harness: H) {
    let calendar = harness.calendar();
    let first = event(1, direct("ana"), EPOCH);
    calendar.add_event(first.clone()).await.unwrap();
    let cancelled = CalendarEvent {
        cancelled_at: Some(EPOCH.plus(5)),
        ..first
    };
    for at in [EPOCH.plus(5), EPOCH.plus(9)] {
        assert_eq!(
            calendar.cancel_event(ActionId(1), at).await.unwrap(),
            Some(cancelled.clone())
        );
    }
    assert_eq!(
        calendar.cancel_event(ActionId(2), EPOCH).await.unwrap(),
        None
    );
    let standing = EventQuery {
        standing_only: true,
        ..every()
    };
    assert_eq!(calendar.events(&standing).await.unwrap(), []);
    assert_eq!(calendar.events(&every()).await.unwrap(), [cancelled]);
}

pub async fn events_are_listed_by_their_beginning_and_paged<H: CalendarHarness>(harness: H) {
    let calendar = harness.calendar();
    for (id, start) in [(1, 30), (2, 10), (3, 20), (4, 10)] {
        let event = event(id, direct("ana"), EPOCH.plus(start));
        calendar.add_event(event).await.unwrap();
    }
    let page = |after, limit| EventQuery {
        after,
        limit,
        ..EventQuery::default()
    };
    let first = calendar.events(&page(None, 3)).await.unwrap();
    assert_eq!(ids(&first), [2, 4, 3]);
    let last = first.last().map(|event| (event.start, event.id));
    assert_eq!(ids(&calendar.events(&page(last, 3)).await.unwrap()), [1]);
}

pub async fn events_are_filtered<H: CalendarHarness>(harness: H) {
    let calendar = harness.calendar();
    let mut elsewhere = direct("ana");
    "other".clone_into(&mut elsewhere.channel);
    for (id, whom, start) in [
        (1, direct("ana"), 10),
        (2, direct("rui"), 20),
        (3, elsewhere, 30),
    ] {
        let event = event(id, whom, EPOCH.plus(start));
        calendar.add_event(event).await.unwrap();
    }
    let of = |change: fn(&mut EventQuery)| {
        let mut query = every();
        change(&mut query);
        query
    };
    for (query, expected) in [
        (
            of(|query| query.contact = Some("ana".to_owned())),
            vec![1, 3],
        ),
        (
            of(|query| query.channel = Some("other".to_owned())),
            vec![3],
        ),
        (of(|query| query.from = Some(EPOCH.plus(20))), vec![2, 3]),
        (of(|query| query.to = Some(EPOCH.plus(20))), vec![1]),
    ] {
        assert_eq!(
            ids(&calendar.events(&query).await.unwrap()),
            expected,
            "{query:?}"
        );
    }
}

pub async fn old_events_are_pruned_in_rounds<H: CalendarHarness>(harness: H) {
    let calendar = harness.calendar();
    for (id, start) in [(1, 10), (2, 20), (3, 30), (4, 40)] {
        let event = event(id, direct("ana"), EPOCH.plus(start));
        calendar.add_event(event).await.unwrap();
    }
    let border = EPOCH.plus(40);
    let mut rounds = Vec::new();
    for _ in 0..3 {
        rounds.push(calendar.prune_events(border, 2).await.unwrap());
    }
    assert_eq!(rounds, [2, 1, 0]);
    assert_eq!(ids(&calendar.events(&every()).await.unwrap()), [4]);
}

pub async fn a_forgotten_person_leaves_no_event<H: CalendarHarness>(harness: H) {
    let calendar = harness.calendar();
    calendar
        .add_event(event(1, direct("ana"), EPOCH))
        .await
        .unwrap();
    calendar
        .add_event(event(2, direct("rui"), EPOCH))
        .await
        .unwrap();
    harness.upkeep().forget(None, "ana").await.unwrap();
    assert_eq!(ids(&calendar.events(&every()).await.unwrap()), [2]);
}

pub async fn events_survive_a_restart<H: CalendarHarness>(harness: H) {
    let first = event(1, direct("ana"), EPOCH);
    harness.calendar().add_event(first.clone()).await.unwrap();
    let Some(harness) = restarted(harness).await else {
        return;
    };
    assert_eq!(harness.calendar().events(&every()).await.unwrap(), [first]);
}
