//! One short story, and every fault at every one of its port calls. No chance is in it.

use std::collections::BTreeMap;
use std::time::Duration;

use replygate_gate::debounce::MessageKind;
use replygate_gate::{At, Sender, SessionKey, Strategy};
use replygate_ports::channel::Inbound;
use replygate_ports::settings::ChannelSettings;
use replygate_testkit::clock::EPOCH;
use replygate_testkit::faults::{Fault, Plan};

use crate::script::{Happening, Script, What, tool};
use crate::world::{Outcome, play};

/// What is tried at every call.
const FAULTS: &[Fault] = &[
    Fault::Before,
    Fault::After,
    Fault::Lost,
    Fault::Twice,
    Fault::Delay(Duration::from_millis(700)),
    Fault::Delay(Duration::from_secs(40)),
    Fault::CrashBefore,
    Fault::CrashAfter,
];

/// A burst that merges, one that cancels, an effect in several parts, an edit, a repeated delivery, a command.
fn story(processes: usize, webs: usize, strategy: Strategy) -> Script {
    let key = SessionKey {
        channel: "shop".to_owned(),
        account: String::new(),
        conversation: "ana".to_owned(),
        contact: "ana".to_owned(),
    };
    let says = |at: u64, id: &str, text: &str| Happening {
        at,
        what: What::Deliver(Inbound {
            key: key.clone(),
            provider_id: id.to_owned(),
            kind: MessageKind::Text,
            text: text.to_owned(),
            sent_at: Some(At(EPOCH.0 + at as i64)),
            edit: None,
            reaction_to: None,
            awaits_ms: None,
        }),
    };
    let mut edited = says(200, "1", "<1> a shirt, blue.");
    if let What::Deliver(inbound) = &mut edited.what {
        inbound.edit = Some(1);
    }
    let mut settings = ChannelSettings::new("shop", "webchat");
    settings.send_timeout_ms = 2_000;
    settings.strategy = strategy;
    Script {
        processes,
        webs,
        sender: Sender::Reads,
        settings,
        tool: tool(),
        turnouts: Vec::new(),
        sessions: vec![key.clone()],
        happenings: vec![
            says(0, "1", "<1> a shirt."),
            edited,
            says(2_000, "2", "<2> and a hat #merge."),
            says(2_050, "2", "<2> and a hat #merge."),
            says(9_000, "3", "<3> how much is it?"),
            says(10_500, "4", "<4> forget it #cancel."),
            says(16_000, "5", "<5> book it #effect #parts."),
            says(16_400, "6", "<6> thanks!"),
            says(22_000, "7", "<7> are you there?"),
            says(22_300, "8", "/stop"),
        ],
    }
}

/// The incident, twice at once and again: two messages that ask for the same, the second while the first one's call runs.
fn incident(processes: usize, strategy: Strategy) -> Script {
    let book = |what: &str, n: u32| format!("\n#call book {{\"what\":\"{what}\",\"n\":\"{n}\"}}");
    let script = story(processes, 0, strategy);
    let key = script.sessions[0].clone();
    let says = |at: u64, id: &str, text: String| Happening {
        at,
        what: What::Deliver(Inbound {
            key: key.clone(),
            provider_id: id.to_owned(),
            kind: MessageKind::Text,
            text,
            sent_at: Some(At(EPOCH.0 + at as i64)),
            edit: None,
            reaction_to: None,
            awaits_ms: None,
        }),
    };
    let happenings = vec![
        says(
            0,
            "1",
            format!("<1> I confirm. #calls{}{}", book("a", 1), book("a", 2)),
        ),
        says(
            12_000,
            "2",
            format!("<2> book it.{}{}", book("a", 3), book("b", 4)),
        ),
        says(12_900, "3", format!("<3> really.{}", book("b", 5))),
    ];
    Script {
        happenings,
        ..script
    }
}

fn with(script: &Script, faults: impl IntoIterator<Item = (usize, Fault)>) -> Outcome {
    let faults = faults.into_iter().collect::<BTreeMap<_, _>>();
    play(script.clone(), 2, Plan::Exactly(faults))
}

fn every_fault_at_every_call(script: &Script) {
    let happy = with(script, []);
    assert_eq!(happy.breaches, Vec::<String>::new(), "{}", happy.story);
    assert!(
        happy.calls.len() > 100,
        "{} calls make no story",
        happy.calls.len()
    );
    for (number, call) in happy.calls.iter().enumerate() {
        for fault in FAULTS {
            let outcome = with(script, [(number, *fault)]);
            let breaches = outcome.breaches.join("\n  ");
            assert!(
                breaches.is_empty(),
                "{fault:?} at call {number}, {call}:\n  {breaches}\n{}",
                outcome.story
            );
        }
    }
}

/// A step whose answer got lost, or that the store refused for a moment, costs no message, leaves nothing unknown, and loses
/// no turn, so that the agent never answers the same messages again.
fn a_moment_without_the_store_costs_nothing(processes: usize) {
    let script = story(processes, 0, Strategy::Triage);
    let happy = with(&script, []);
    let appends = happy.calls.iter().enumerate();
    for (number, call) in appends.filter(|(_, call)| **call == "store.append") {
        for fault in [Fault::Before, Fault::After, Fault::Twice] {
            let outcome = with(&script, [(number, fault)]);
            let breaches = outcome.breaches.join("\n  ");
            let told = format!(
                "{fault:?} at call {number}, {call}:\n  {breaches}\n{}",
                outcome.story
            );
            assert!(breaches.is_empty(), "{told}");
            for event in ["outcome_unknown", "turn_lost"] {
                assert!(!outcome.events.contains(event), "{event}: {told}");
            }
        }
    }
}

#[test]
fn one_process_pays_nothing_for_a_moment_without_the_store() {
    a_moment_without_the_store_costs_nothing(1);
}

#[test]
fn two_processes_pay_nothing_for_a_moment_without_the_store() {
    a_moment_without_the_store_costs_nothing(2);
}

#[test]
fn one_process_survives_every_fault_at_every_call() {
    every_fault_at_every_call(&story(1, 0, Strategy::Triage));
}

#[test]
fn two_processes_survive_every_fault_at_every_call() {
    every_fault_at_every_call(&story(2, 0, Strategy::Triage));
}

#[test]
fn a_worker_behind_a_web_process_survives_every_fault_at_every_call() {
    every_fault_at_every_call(&story(2, 1, Strategy::Triage));
}

#[test]
fn one_process_survives_every_fault_at_every_call_when_messages_interrupt_it() {
    every_fault_at_every_call(&story(1, 0, Strategy::Interrupt));
}

#[test]
fn one_process_survives_every_fault_at_every_call_when_messages_are_enqueued() {
    every_fault_at_every_call(&story(1, 0, Strategy::Enqueue));
}

#[test]
fn one_process_survives_every_fault_at_every_call_when_messages_are_rejected() {
    every_fault_at_every_call(&story(1, 0, Strategy::Reject));
}

#[test]
fn one_process_makes_no_event_twice_whatever_fails_at_whatever_call() {
    every_fault_at_every_call(&incident(1, Strategy::Triage));
}

#[test]
fn two_processes_make_no_event_twice_whatever_fails_at_whatever_call() {
    every_fault_at_every_call(&incident(2, Strategy::Triage));
}

#[test]
fn a_turn_that_is_interrupted_makes_no_event_twice_whatever_fails_at_whatever_call() {
    every_fault_at_every_call(&incident(1, Strategy::Interrupt));
}
