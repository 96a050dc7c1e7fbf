//! Triage that stops a running turn whose answer newer messages have made wrong.

use replygate_gate::{
    Command, Decision, Event, Refusal, Strategy, TurnId, TurnJudgement, TurnLoss,
};

use super::answering;
use crate::stage::{Stage, messages, names};

fn says(decision: Decision, confidence: f32) -> TurnJudgement {
    TurnJudgement {
        turn: TurnId(1),
        decision,
        confidence,
        reason: "test".to_owned(),
        source: "test".to_owned(),
        took_ms: 1,
        usage: replygate_gate::Usage::default(),
    }
}

fn abort(stage: &Stage, decision: Decision, confidence: f32) -> Command {
    Command::Abort {
        epoch: stage.session.epoch,
        judgement: says(decision, confidence),
    }
}

#[test]
fn a_sure_cancel_or_merge_stops_the_turn_and_the_next_answers_everything() {
    for decision in [Decision::CancelFirst, Decision::Merge] {
        let (mut stage, fence) = answering(Strategy::Triage);
        stage.arrive(2);
        let events = stage.does(&abort(&stage, decision, 0.9));
        assert_eq!(names(&events), ["turn_judged", "turn_lost"]);
        assert!(events.contains(&Event::TurnLost {
            turn: TurnId(1),
            fence,
            reason: TurnLoss::Judged,
            effects: false,
            due: None
        }));
        let fence = stage.take();
        stage.commit(fence, 2, Vec::new());
        assert_eq!(stage.reply(2).covers, messages(&[1, 2]));
    }
}

#[test]
fn an_unsure_verdict_or_a_release_lets_the_turn_go_on() {
    let (mut stage, _) = answering(Strategy::Triage);
    stage.arrive(2);
    for (decision, confidence) in [(Decision::Merge, 0.3), (Decision::ReleaseFirst, 1.0)] {
        let command = abort(&stage, decision, confidence);
        assert_eq!(stage.refuses(&command), Refusal::Nothing);
    }
}

#[test]
fn a_turn_that_reserved_an_effect_is_not_stopped() {
    let (mut stage, fence) = answering(Strategy::Triage);
    stage.does(&crate::stage::effect(fence));
    stage.arrive(2);
    let command = abort(&stage, Decision::CancelFirst, 1.0);
    assert_eq!(stage.refuses(&command), Refusal::Nothing);
}

#[test]
fn a_verdict_for_a_past_epoch_stops_nothing() {
    let (mut stage, _) = answering(Strategy::Triage);
    stage.arrive(2);
    let command = abort(&stage, Decision::CancelFirst, 1.0);
    stage.arrive(3);
    assert!(matches!(stage.refuses(&command), Refusal::Stale { .. }));
}

#[test]
fn a_verdict_on_another_turn_stops_nothing() {
    let (mut stage, _) = answering(Strategy::Triage);
    stage.arrive(2);
    let command = Command::Abort {
        epoch: stage.session.epoch,
        judgement: TurnJudgement {
            turn: TurnId(8),
            ..says(Decision::CancelFirst, 1.0)
        },
    };
    assert_eq!(stage.refuses(&command), Refusal::Nothing);
}

#[test]
fn without_a_newer_message_nothing_stops_the_turn() {
    let (mut stage, _) = answering(Strategy::Triage);
    let command = abort(&stage, Decision::CancelFirst, 1.0);
    assert_eq!(stage.refuses(&command), Refusal::Nothing);
}
