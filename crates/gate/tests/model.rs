//! The gate's own `decide` and `evolve`, explored exhaustively: two workers, two consumers, three messages, processes that die and
//! leases that end too early. Time stands still, so that every order of events is tried. See `model/` for state, steps and properties.

#[path = "model/choices.rs"]
mod choices;
#[path = "model/forget.rs"]
mod forget;
#[path = "model/hand_overs.rs"]
mod hand_overs;
#[path = "model/mutant.rs"]
mod mutant;
#[path = "model/properties.rs"]
mod properties;
#[path = "model/steps.rs"]
mod steps;
#[path = "model/turns.rs"]
mod turns;
#[path = "model/world.rs"]
mod world;

use mutant::Mutant;
use replygate_gate::{Guarantee, Strategy};
use stateright::{Checker, HasDiscoveries, Model};
use steps::{Gate, Locked};
use world::Budget;

const CORE: Budget = Budget {
    arrivals: 3,
    crashes: 2,
    expiries: 2,
    agent_failures: 0,
    silences: 0,
    refusals: 0,
    objections: 0,
    effects: 0,
    aborts: 0,
    switches: 0,
};

/// Everything that is rarer, with fewer faults.
const WIDE: Budget = Budget {
    arrivals: 3,
    crashes: 1,
    expiries: 1,
    agent_failures: 1,
    silences: 1,
    refusals: 1,
    objections: 1,
    ..CORE
};

const SMALL: Budget = Budget {
    crashes: 1,
    expiries: 1,
    ..CORE
};

/// No path is endless, so that `eventually` is sound: arrivals and faults use their budgets up, a turn ends by covering messages
/// or by a fault, a claim comes back by a newer message, a refusal or a fault, and verdicts only ever reach newer epochs.
fn holds(gate: Gate) {
    let checker = gate.checker().spawn_dfs().join();
    eprintln!(
        "{} states, depth {}",
        checker.unique_state_count(),
        checker.max_depth()
    );
    checker.assert_properties();
}

/// Which of the rules breaks first when the guard is missing.
fn broken(mutant: Mutant, guarantee: Guarantee, expected: &'static str) {
    breaks(Gate::new(guarantee, SMALL), mutant, expected);
}

fn breaks(gate: Gate, mutant: Mutant, expected: &'static str) {
    let gate = Gate {
        mutant: Some(mutant),
        ..gate
    };
    let checker = gate
        .checker()
        .finish_when(HasDiscoveries::AllOf([expected].into()))
        .spawn_bfs()
        .join();
    let found = checker.discovery(expected);
    assert!(
        found.is_some(),
        "{mutant:?} does not break {expected}: {:?}",
        checker.discoveries().keys()
    );
    eprintln!(
        "{mutant:?} breaks {expected} in {} states: {:?}",
        checker.unique_state_count(),
        found.map(stateright::Path::into_actions)
    );
}

#[test]
fn every_invariant_holds_at_most_once() {
    holds(Gate::new(Guarantee::AtMostOnce, CORE));
}

#[test]
fn every_invariant_holds_at_least_once() {
    holds(Gate::new(Guarantee::AtLeastOnce, CORE));
}

#[test]
fn every_invariant_holds_at_most_once_when_agents_fail_or_stay_silent_and_channels_refuse() {
    let budget = Budget {
        crashes: 2,
        expiries: 2,
        ..WIDE
    };
    holds(Gate::new(Guarantee::AtMostOnce, budget));
}

#[test]
fn every_invariant_holds_at_least_once_when_agents_fail_or_stay_silent_and_channels_refuse() {
    holds(Gate::new(Guarantee::AtLeastOnce, WIDE));
}

#[test]
fn every_invariant_holds_under_a_stuck_outside_lock() {
    holds(Gate {
        locked: Locked::Stuck,
        ..Gate::new(Guarantee::AtMostOnce, SMALL)
    });
}

/// All faults, and turns that change the outside world.
const DOUBLE: Budget = Budget {
    silences: 1,
    refusals: 1,
    effects: 1,
    ..CORE
};

/// Agents that fail come in worlds of their own: with everything else at once there would be too many.
const FAILING: Budget = Budget {
    agent_failures: 1,
    crashes: 1,
    refusals: 0,
    ..DOUBLE
};

fn under(strategy: Strategy, guarantee: Guarantee, budget: Budget) {
    holds(Gate {
        strategy,
        ..Gate::new(guarantee, budget)
    });
}

#[test]
fn every_invariant_holds_when_messages_are_enqueued() {
    under(Strategy::Enqueue, Guarantee::AtMostOnce, DOUBLE);
    under(Strategy::Enqueue, Guarantee::AtLeastOnce, FAILING);
}

#[test]
fn every_invariant_holds_when_messages_are_rejected() {
    under(Strategy::Reject, Guarantee::AtMostOnce, DOUBLE);
    under(Strategy::Reject, Guarantee::AtLeastOnce, FAILING);
}

#[test]
fn every_invariant_holds_when_messages_interrupt_turns() {
    under(Strategy::Interrupt, Guarantee::AtMostOnce, DOUBLE);
    under(Strategy::Interrupt, Guarantee::AtLeastOnce, FAILING);
}

#[test]
fn every_invariant_holds_when_messages_roll_turns_back() {
    under(Strategy::Rollback, Guarantee::AtMostOnce, DOUBLE);
    under(Strategy::Rollback, Guarantee::AtLeastOnce, FAILING);
}

#[test]
fn every_invariant_holds_when_triage_stops_turns() {
    let budget = Budget {
        aborts: 2,
        effects: 1,
        ..SMALL
    };
    under(Strategy::Triage, Guarantee::AtMostOnce, budget);
}

#[test]
fn every_invariant_holds_when_the_strategy_changes_at_any_time() {
    let budget = Budget {
        switches: 2,
        effects: 1,
        aborts: 1,
        silences: 1,
        ..SMALL
    };
    under(Strategy::Triage, Guarantee::AtMostOnce, budget);
}

#[test]
fn when_an_interrupt_overlooks_an_effect_a_turn_that_changed_the_world_is_stopped() {
    let gate = Gate {
        strategy: Strategy::Interrupt,
        budget: DOUBLE,
        ..Gate::new(Guarantee::AtMostOnce, SMALL)
    };
    breaks(gate, Mutant::BlindInterrupt, "effects stand");
}

#[test]
fn without_an_atomic_claim_a_cancelled_reply_leaves() {
    broken(Mutant::CheckThenSend, Guarantee::AtMostOnce, "I1");
}

#[test]
fn without_compare_and_set_on_verdicts_a_cancelled_reply_leaves() {
    broken(Mutant::BlindVerdicts, Guarantee::AtMostOnce, "I1");
}

#[test]
fn without_the_epoch_check_a_reply_leaves_past_a_message_nobody_judged() {
    broken(Mutant::StaleJudge, Guarantee::AtMostOnce, "hold");
}

#[test]
fn without_fencing_a_turn_that_lost_the_session_commits() {
    broken(Mutant::NoFence, Guarantee::AtMostOnce, "I7");
}

#[test]
fn without_fifo_replies_leave_out_of_order() {
    broken(Mutant::NoFifo, Guarantee::AtMostOnce, "I3");
}

#[test]
fn without_the_consumers_own_deadline_replies_leave_out_of_order() {
    broken(Mutant::NoDeadline, Guarantee::AtMostOnce, "I3");
}

#[test]
fn when_a_lost_claim_is_pending_a_reply_leaves_twice() {
    broken(Mutant::LostClaimIsPending, Guarantee::AtMostOnce, "I2");
}

#[test]
fn when_a_lost_claim_is_pending_a_reply_that_left_is_cancelled() {
    broken(Mutant::LostClaimIsPending, Guarantee::AtMostOnce, "I1");
}

#[test]
fn a_reply_superseded_before_its_replacement_exists_is_covered_by_nothing() {
    broken(Mutant::EarlySupersede, Guarantee::AtMostOnce, "I5");
}

#[test]
fn without_an_end_of_leases_a_message_is_never_answered() {
    broken(Mutant::EndlessLease, Guarantee::AtMostOnce, "L1");
}
