//! Holds what a day left behind against what has to be.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use replygate::simulate::storm::{Record, Tally};
use replygate_cluster::Postgres;
use replygate_gate::tools::CallState;
use replygate_gate::{At, Event, ReplyId, ReplyStatus, Session, SessionId, evolve};
use replygate_ports::calendar::{Calendar, EventQuery};
use replygate_ports::clock::Clock as _;
use replygate_ports::ledger::{CallQuery, Ledger as _};
use replygate_ports::store::{Step, Store};
use replygate_ports::views::{SessionQuery, Views as _};

use super::day::{Aside, Day, Seen};
use super::{Blow, HOUR_MS};
use crate::mortal::Mortal;

/// A session that is not at rest by then does not come to rest.
const PATIENCE: Duration = Duration::from_mins(1);
/// Between two looks.
const LOOK: Duration = Duration::from_millis(200);
/// More than a day has.
const MOST: u32 = 500;

/// What differs, in words.
pub async fn differs(blow: Blow, day: &Day, seen: Seen, process: Mortal) -> Vec<String> {
    let store = day.stand.place.store().await;
    let logs = at_rest(day, &store).await;
    drop(process);
    let mut differs = seen.differs;
    if !seen.outcome.ok || seen.outcome.refused > 0 {
        differs.push(format!("the storm: {:?}", seen.outcome));
    }
    for aside in &seen.asides {
        differs.extend(of_one_apart(day, aside, &logs));
    }
    differs.extend(fates(blow, &logs, &seen.deaths));
    differs.extend(bookings(blow, &store).await);
    differs.extend(evidence(blow, day, &logs, &seen.deaths, &seen.asides));
    if matches!(blow, Blow::DiskIsFull) && !seen.outcome.refusals.contains_key(&503) {
        differs.push("no message met the full disk".to_owned());
    }
    if matches!(blow, Blow::ClockIsSet(_)) {
        differs.extend(wrong_times(day, &logs));
    }
    store.close().await;
    differs
}

type Logs = BTreeMap<SessionId, Vec<Step>>;

/// Every session's log, once nothing is under way in any.
async fn at_rest(day: &Day, store: &Postgres) -> Logs {
    let until = day.clock.elapsed() + PATIENCE;
    let every = SessionQuery {
        limit: MOST,
        ..SessionQuery::default()
    };
    loop {
        let mut logs = Logs::new();
        for row in store.sessions(&every).await.unwrap() {
            logs.insert(
                row.id,
                Store::events(store, row.id, 0, 10_000).await.unwrap(),
            );
        }
        let rest = logs.values().all(|steps| rests(&state(steps)));
        if rest || day.clock.elapsed() > until {
            return logs;
        }
        day.clock.sleep(LOOK).await;
    }
}

fn rests(session: &Session) -> bool {
    session.uncovered.is_empty() && session.undelivered().next().is_none()
}

fn state(steps: &[Step]) -> Session {
    let events = steps.iter().flat_map(|step| &step.events);
    events.fold(Session::default(), evolve)
}

/// How a session was when a process died.
fn state_at(steps: &[Step], death: At) -> Session {
    state(&steps[..steps.partition_point(|step| step.at <= death)])
}

/// The storm looks at its own customers; the others are looked at here.
fn of_one_apart(day: &Day, aside: &Aside, logs: &Logs) -> Vec<String> {
    let mut tally = Tally::default();
    let receipts = day.stand.endpoint.of(aside.contact);
    let record = Record {
        accepted: &aside.accepted,
        steps: logs.get(&aside.session).map_or(&[], Vec::as_slice),
        receipts: &receipts,
    };
    tally.take(&record, 600);
    let wrong = tally.breaches.total() + tally.open + tally.unlogged;
    (wrong > 0)
        .then(|| format!("the session of `{}`: {tally:?}", aside.contact))
        .into_iter()
        .collect()
}

/// Where only processes died, what was being sent then is unknown, and nothing else is.
fn fates(blow: Blow, logs: &Logs, deaths: &[At]) -> Option<String> {
    if matches!(blow, Blow::DiskIsFull | Blow::ClockIsSet(_)) {
        return None;
    }
    let sending = |steps: &Vec<Step>| {
        let states = deaths.iter().map(|death| state_at(steps, *death));
        states
            .flat_map(|state| of_status(&state, ReplyStatus::Dispatching))
            .collect::<Vec<_>>()
    };
    let sending: BTreeSet<ReplyId> = logs.values().flat_map(sending).collect();
    let events = logs.values().flatten().flat_map(|step| &step.events);
    let unknown: BTreeSet<ReplyId> = events
        .filter_map(|event| match event {
            Event::OutcomeUnknown { reply, .. } => Some(*reply),
            _ => None,
        })
        .collect();
    (unknown != sending).then(|| format!("being sent were {sending:?}, unknown are {unknown:?}"))
}

fn of_status(session: &Session, status: ReplyStatus) -> Vec<ReplyId> {
    let replies = session.replies.iter();
    replies
        .filter(|reply| reply.status == status)
        .map(|reply| reply.id)
        .collect()
}

/// Two hours were asked for: each is in the calendar once, unless nobody knows whether it is.
async fn bookings(blow: Blow, store: &Postgres) -> Vec<String> {
    let every = EventQuery {
        limit: MOST,
        ..EventQuery::default()
    };
    let events = Calendar::events(store, &every).await.unwrap();
    let hours: BTreeSet<At> = events.iter().map(|event| event.start).collect();
    let every = CallQuery {
        limit: MOST,
        ..CallQuery::default()
    };
    let calls = store.calls(&every).await.unwrap();
    let unknown = calls
        .iter()
        .filter(|call| call.entry.state == CallState::Unknown)
        .count();
    let mut differs = Vec::new();
    if hours.len() != events.len() {
        differs.push(format!("an hour is booked twice: {events:?}"));
    }
    if hours.len() + unknown < 2 {
        differs.push(format!("hours are missing: {events:?}, {calls:?}"));
    }
    let dies_in_a_call = matches!(blow, Blow::Dies([end]) if end.is_in("ledger.settle"));
    if dies_in_a_call && (unknown, hours.is_empty()) != (1, false) {
        differs.push(format!(
            "one call is unknown and done: {events:?}, {calls:?}"
        ));
    }
    differs
}

/// Steps were made an hour too early and an hour too late, so that the clock was set indeed.
fn wrong_times(day: &Day, logs: &Logs) -> Option<String> {
    let right = day.clock.now().0 - HOUR_MS;
    let steps = || logs.values().flatten().map(|step| step.at.0 - right);
    let has_both = steps().any(|off| off < -HOUR_MS / 2) && steps().any(|off| off > HOUR_MS / 2);
    (!has_both).then(|| "no step was made at a wrong time".to_owned())
}

/// Whether the blow struck where it says, where the process could not tell.
fn evidence(blow: Blow, day: &Day, logs: &Logs, deaths: &[At], asides: &[Aside]) -> Option<String> {
    let death = *deaths.first()?;
    match blow {
        Blow::DiesAnswered => {
            let aside = asides.iter().find(|aside| aside.contact == "answered")?;
            let state = state_at(logs.get(&aside.session)?, death);
            let waits = !state.uncovered.is_empty() && state.owner.is_none();
            (!waits).then(|| format!("its message did not wait: {state:?}"))
        }
        Blow::DiesSending => {
            let receipts = day.stand.endpoint.all();
            let got: BTreeSet<ReplyId> = receipts
                .values()
                .flatten()
                .map(|receipt| receipt.reply)
                .collect();
            let states = logs.values().map(|steps| state_at(steps, death));
            let mut sending = states.flat_map(|state| of_status(&state, ReplyStatus::Dispatching));
            (!sending.any(|reply| got.contains(&reply)))
                .then(|| "no request was read and not answered".to_owned())
        }
        _ => None,
    }
}
