//! Agents that fail for good.

use replygate_gate::{Command, Decision, Outcome, ParkReason, Refusal, ReplyId, ReplyStatus};

use crate::stage::{Stage, accepted, messages, names, says};

fn fail(fence: u64, verdicts: Vec<replygate_gate::Judgement>) -> Command {
    Command::Fail {
        fence,
        reply: ReplyId(9),
        usage: replygate_gate::Usage::default(),
        verdicts,
        code: "timeout".to_owned(),
    }
}

#[test]
fn a_failed_turn_leaves_an_empty_parked_reply_that_covers_its_burst() {
    let mut stage = Stage::prompt();
    stage.arrive(7);
    stage.arrive(3);
    let fence = stage.take();
    stage.does(&fail(fence, Vec::new()));
    let reply = stage.reply(9);
    assert_eq!(reply.parked, Some(ParkReason::AgentFailed));
    assert_eq!((reply.parts, &reply.covers), (0, &messages(&[3, 7])));
    assert_eq!(stage.deadline(), None);
}

#[test]
fn an_empty_reply_can_be_answered_anew_but_not_sent() {
    let mut stage = Stage::prompt();
    stage.arrive(1);
    let fence = stage.take();
    stage.does(&fail(fence, Vec::new()));
    let target = stage.target(9);
    assert_eq!(
        stage.refuses(&Command::Reprocess(target.clone())),
        Refusal::Empty
    );
    stage.does(&Command::Rerun {
        target,
        answered: Vec::new(),
        override_reason: None,
    });
    stage.take();
}

#[test]
fn a_failed_turn_parks_what_it_would_have_replaced_and_releases_the_rest() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    stage.answer(2, 2);
    stage.arrive(3);
    let fence = stage.take();
    let verdicts = vec![says(1, Decision::Merge), says(2, Decision::ReleaseFirst)];
    stage.does(&fail(fence, verdicts));
    assert_eq!(stage.reply(1).parked, Some(ParkReason::ReplacementFailed));
    assert_eq!(stage.status(2), Some(ReplyStatus::Released));
    stage.claim(2);
}

#[test]
fn a_failed_rerun_leaves_the_parked_reply_where_it_was() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    stage.loses(1);
    let target = stage.target(1);
    stage.does(&Command::Rerun {
        target,
        answered: Vec::new(),
        override_reason: None,
    });
    let fence = stage.take();
    stage.does(&fail(fence, Vec::new()));
    assert_eq!(stage.session.replies.len(), 1);
    assert_eq!(stage.status(1), Some(ReplyStatus::Unknown));
    let target = stage.target(1);
    stage.does(&Command::Discard(target));
    assert!(!stage.session.is_open());
}

/// Reply 1 of two parts is being sent while the turn that was to replace it fails.
fn fails_while_sending() -> (Stage, replygate_gate::ClaimToken) {
    let mut stage = Stage::prompt();
    stage.answer_in(1, 1, 2);
    let token = stage.claim(1);
    stage.arrive(2);
    let fence = stage.take();
    stage.does(&fail(fence, vec![says(1, Decision::CancelFirst)]));
    (stage, token)
}

#[test]
fn a_reply_on_its_way_whose_replacement_failed_is_parked_if_it_comes_back_unsent() {
    let (mut stage, token) = fails_while_sending();
    stage.settle(token, Outcome::NotSent);
    assert_eq!(stage.reply(1).parked, Some(ParkReason::ReplacementFailed));
}

#[test]
fn the_rest_of_a_reply_whose_replacement_failed_is_parked_and_not_cut() {
    let (mut stage, token) = fails_while_sending();
    let events = stage.settle(token, accepted());
    assert_eq!(names(&events), ["part_accepted", "parked"]);
    assert_eq!(stage.reply(1).sent, 1);
}

#[test]
fn a_failed_turn_does_not_undo_a_late_merge_whose_answer_exists() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    let token = stage.claim(1);
    stage.arrive(2);
    let fence = stage.take();
    stage.commit(fence, 2, vec![says(1, Decision::Merge)]);
    stage.arrive(3);
    let fence = stage.take();
    stage.does(&fail(fence, vec![says(1, Decision::Merge)]));
    let events = stage.settle(token, Outcome::NotSent);
    assert_eq!(names(&events), ["not_sent", "superseded"]);
}
