//! What every ledger of tool calls must keep: of many calls of one meaning one runs, a failure frees it, an unknown
//! outcome keeps it, and whatever was acknowledged is there after a crash.

mod calls;
mod outcomes;
mod people;
mod records;
mod upkeep;

use replygate_gate::tools::{Comparison, Fingerprint, Guarding, Moment, OnUnknown, Recipe};
use replygate_gate::{ActionId, At, TurnId};
use replygate_ports::ledger::{By, Call, NewCall, Reserved, Runner, Settlement};
use serde_json::{Value, json};

use super::stage::direct;
use crate::clock::EPOCH;

pub use calls::*;
pub use outcomes::*;
pub use people::*;
pub use records::*;
pub use upkeep::*;

/// The suite of the ledger port.
#[macro_export]
macro_rules! ledger_contract {
    ($name:ident, $harness:ty $(, $($runtime:tt)*)?) => {
        $crate::contract_cases!($name, $harness, ($($($runtime)*)?), ledger: [
            a_call_is_reserved_and_comes_back_as_it_was,
            of_many_calls_of_one_meaning_one_runs,
            calls_of_other_meanings_do_not_meet,
            a_done_call_is_repeated_inside_its_window_and_not_behind_it,
            the_window_that_is_set_now_counts,
            a_failed_call_frees_its_meaning_at_once,
            a_running_call_says_how_long_it_may_last,
            a_call_whose_lease_is_over_is_unknown,
            an_unknown_outcome_keeps_the_meaning_until_it_is_settled,
            an_unknown_outcome_keeps_the_meaning_inside_the_window_only,
            a_retried_call_keeps_the_first_ones_key,
            an_outcome_that_comes_late_is_taken,
            an_outcome_is_taken_once,
            an_outcome_is_refused_once_another_call_took_the_place,
            a_settled_outcome_is_not_changed,
            a_clock_that_stepped_forward_ends_no_window,
            a_clock_that_stepped_back_keeps_no_window_open,
            a_person_settles_what_is_unknown,
            of_two_people_who_settle_one_does,
            a_person_settles_nothing_that_runs,
            a_pass_lets_one_call_through,
            a_pass_is_kept_while_it_is_not_needed,
            a_pass_ends_by_time,
            a_repeated_request_gives_one_pass,
            a_record_comes_back_as_it_was,
            a_record_is_made_once,
            what_the_agent_said_is_added_to_its_turns_records,
            the_last_verdict_stands,
            a_verdict_on_one_that_was_not_seen_is_none,
            of_people_who_judge_at_once_one_does,
            records_are_filtered_and_paged_newest_first,
            what_a_query_finds_is_counted_up_to_a_bound,
            calls_are_filtered_and_paged_newest_first,
            dead_calls_are_expired_in_rounds,
            a_start_makes_this_installations_running_calls_unknown,
            a_round_of_pruning_is_bounded_and_rounds_come_to_an_end,
            what_still_stands_is_not_pruned,
            a_forgotten_person_leaves_no_call,
            the_ledger_survives_a_restart,
        ]);
    };
}

/// Ten minutes, and half a minute for a call.
pub(super) const GUARDING: Guarding = Guarding {
    window_ms: 600_000,
    lease_ms: 30_000,
    on_unknown: OnUnknown::Hold,
};

/// So many milliseconds after the story began.
pub(super) fn at(ms: u64) -> Moment {
    Moment::at(EPOCH.plus(ms))
}

pub(super) fn comparison(title: &str) -> Comparison {
    let arguments = json!({ "title": title, "start": "2030-01-08T15:00:00Z", "place": "«é🙂»" });
    Recipe::default().compare("calendar.create_event", &arguments)
}

/// A call by `contact` that means `title`.
pub(super) fn call_of(id: u128, contact: &str, title: &str) -> NewCall {
    let whom = direct(contact);
    let comparison = comparison(title);
    NewCall {
        action: ActionId(id),
        fingerprint: Fingerprint::of(
            "calendar.create_event",
            &comparison,
            replygate_gate::tools::Scope::Contact,
            &whom,
        ),
        tool: "calendar.create_event".to_owned(),
        whom,
        turn: Some(TurnId(id)),
        arguments: json!({ "title": title, "number": 1.5, "place": "«é🙂»" }),
        comparison,
        guarding: GUARDING,
        runner: Runner::Engine,
    }
}

pub(super) fn call(id: u128) -> NewCall {
    call_of(id, "ana", "Psicología")
}

pub(super) fn with(id: u128, on_unknown: OnUnknown) -> NewCall {
    NewCall {
        guarding: Guarding {
            on_unknown,
            ..GUARDING
        },
        ..call(id)
    }
}

pub(super) fn done(result: &Value) -> Settlement {
    Settlement::Done {
        result: result.clone(),
    }
}

pub(super) fn failed() -> Settlement {
    Settlement::Failed {
        code: "http_422".to_owned(),
    }
}

pub(super) fn unknown() -> Settlement {
    Settlement::Unknown {
        code: "timeout".to_owned(),
    }
}

pub(super) fn by(name: &str, request: &str) -> By {
    By {
        name: name.to_owned(),
        reason: Some("I looked".to_owned()),
        request_id: request.to_owned(),
    }
}

/// The answer in a word and a number.
pub(super) fn told(answer: &Reserved) -> (&'static str, u128) {
    match answer {
        Reserved::Run { key } => ("run", key.0),
        Reserved::Duplicate { first, .. } => ("duplicate", first.entry.action.0),
        Reserved::InProgress { first, .. } => ("in progress", first.0),
        Reserved::Unknown { first, .. } => ("unknown", first.entry.action.0),
    }
}

pub(super) fn ids(calls: &[Call]) -> Vec<u128> {
    calls.iter().map(|call| call.entry.action.0).collect()
}

pub(super) const fn border(ms: u64) -> At {
    EPOCH.plus(ms)
}
