//! Early verdicts and verdicts at the commit.

use replygate_gate::debounce::Signal;
use replygate_gate::{
    At, CancelledBy, Command, Decision, Event, MessageId, Refusal, ReplyId, ReplyStatus,
};

use crate::stage::{Stage, accepted, messages, names, says, says_with, turn_end};

/// Reply 1, due at 1.8 s, while message 2 came in at 1.3 s with an open window.
fn held(signal: Signal) -> Stage {
    let mut stage = Stage::new();
    stage.arrive(1);
    let fence = stage.at(1_200).take();
    stage.commit(fence, 1, Vec::new());
    stage.at(1_300).arrive_as(2, signal);
    stage
}

#[test]
fn a_newer_message_holds_an_undelivered_reply_from_the_instant_it_arrives() {
    let mut stage = held(Signal::Closed);
    assert_eq!(stage.reply(1).held_since, Some(At(1_300)));
    let claim = stage.at(1_800).claiming(1);
    assert_eq!(stage.refuses(&claim), Refusal::Held);
    assert_eq!(stage.session.next_dispatch(), None);
}

#[test]
fn an_early_release_lets_the_first_answer_leave_on_time() {
    let mut stage = held(Signal::Closed);
    stage.at(1_320).judge(vec![says(1, Decision::ReleaseFirst)]);
    assert_eq!(stage.status(1), Some(ReplyStatus::Released));
    assert_eq!(stage.session.next_dispatch(), Some((ReplyId(1), At(1_800))));
    stage.at(1_750).claim(1);
}

#[test]
fn a_message_after_an_early_release_holds_the_reply_again() {
    let mut stage = held(Signal::Closed);
    stage.judge(vec![says(1, Decision::ReleaseFirst)]);
    stage.at(1_400).arrive(3);
    assert_eq!(stage.status(1), Some(ReplyStatus::Pending));
    assert_eq!(stage.reply(1).held_since, Some(At(1_400)));
}

#[test]
fn a_stale_release_frees_nothing() {
    let mut stage = held(Signal::Closed);
    let read = stage.session.epoch;
    stage.at(1_400).arrive(3);
    let refusal = stage.refuses(&Command::Judge {
        epoch: read,
        verdicts: vec![says(1, Decision::ReleaseFirst)],
    });
    assert_eq!(
        refusal,
        Refusal::Stale {
            given: read,
            present: read + 1
        }
    );
}

#[test]
fn a_dangling_burst_keeps_the_reply_held_whatever_the_evaluator_says() {
    let mut stage = held(Signal::Dangling);
    let events = stage.at(1_320).judge(vec![says(1, Decision::ReleaseFirst)]);
    assert_eq!(names(&events), ["judged"]);
    assert_eq!(stage.status(1), Some(ReplyStatus::Pending));
}

#[test]
fn an_unsure_verdict_keeps_the_reply_held_until_the_window_is_over_and_then_releases_it() {
    let mut stage = held(Signal::Closed);
    let unsure = || vec![says_with(1, Decision::CancelFirst, 0.3)];
    stage.at(1_320).judge(unsure());
    assert_eq!(stage.status(1), Some(ReplyStatus::Pending));
    stage.at(2_500).judge(unsure());
    assert_eq!(stage.status(1), Some(ReplyStatus::Released));
}

#[test]
fn an_early_cancel_takes_effect_at_the_commit_only() {
    let mut stage = held(Signal::Closed);
    let events = stage.judge(vec![says(1, Decision::CancelFirst)]);
    assert_eq!(names(&events), ["judged", "verdict_noted"]);
    assert_eq!(stage.status(1), Some(ReplyStatus::Pending));
    let fence = stage.at(2_500).take();
    let events = stage.commit(fence, 2, vec![says(1, Decision::CancelFirst)]);
    assert!(events.contains(&Event::Cancelled {
        reply: ReplyId(1),
        by: CancelledBy::Verdict
    }));
}

#[test]
fn a_verdict_is_recorded_once_per_epoch() {
    let mut stage = held(Signal::Closed);
    stage.judge(vec![says(1, Decision::CancelFirst)]);
    let epoch = stage.session.epoch;
    let again = Command::Judge {
        epoch,
        verdicts: vec![says(1, Decision::ReleaseFirst)],
    };
    assert_eq!(stage.refuses(&again), Refusal::Nothing);
}

#[test]
fn a_merge_makes_one_reply_that_covers_both() {
    let mut stage = held(Signal::Closed);
    let fence = stage.at(2_500).take();
    let events = stage.commit(fence, 2, vec![says(1, Decision::Merge)]);
    assert!(events.contains(&Event::Superseded {
        reply: ReplyId(1),
        by: ReplyId(2)
    }));
    assert_eq!(stage.status(1), None);
    assert_eq!(stage.reply(2).covers, messages(&[1, 2]));
    assert!(stage.reply(2).merged);
}

#[test]
fn a_reply_whose_turn_had_an_effect_is_merged_rather_than_cancelled() {
    let mut stage = Stage::prompt();
    stage.answer_with_effect(1, 1);
    stage.arrive(2);
    let fence = stage.take();
    let events = stage.commit(fence, 2, vec![says(1, Decision::CancelFirst)]);
    assert!(names(&events).contains(&"superseded"));
    assert!(stage.reply(2).effects, "the effect goes with the reply");
}

#[test]
fn a_cancel_aimed_at_a_merged_reply_is_a_merge() {
    let mut stage = held(Signal::Closed);
    let fence = stage.at(2_500).take();
    stage.commit(fence, 2, vec![says(1, Decision::Merge)]);
    stage.at(2_600).arrive(3);
    let fence = stage.at(3_800).take();
    let events = stage.commit(fence, 3, vec![says(2, Decision::CancelFirst)]);
    assert!(names(&events).contains(&"superseded"));
    assert_eq!(stage.reply(3).covers, messages(&[1, 2, 3]));
}

#[test]
fn a_silent_turn_releases_what_it_would_have_merged() {
    let mut stage = held(Signal::Closed);
    let fence = stage.at(2_500).take();
    stage.does(&Command::Commit(turn_end(
        fence,
        None,
        vec![says(1, Decision::Merge)],
    )));
    assert_eq!(stage.status(1), Some(ReplyStatus::Released));
    stage.claim(1);
}

#[test]
fn a_silent_turn_still_cancels() {
    let mut stage = held(Signal::Closed);
    let fence = stage.at(2_500).take();
    stage.does(&Command::Commit(turn_end(
        fence,
        None,
        vec![says(1, Decision::CancelFirst)],
    )));
    assert_eq!(stage.status(1), None);
    assert_eq!(stage.deadline(), None);
}

#[test]
fn a_reply_that_nobody_judged_is_released_by_the_commit() {
    let mut stage = held(Signal::Closed);
    let fence = stage.at(2_500).take();
    stage.commit(fence, 2, Vec::new());
    assert_eq!(stage.session.next_dispatch().unwrap().0, ReplyId(1));
    let first = stage.claim(1);
    let second = stage.at(3_100).claiming(2);
    assert_eq!(stage.refuses(&second), Refusal::NotHead);
    stage.settle(first, accepted());
    stage.does(&second);
}

#[test]
fn a_commit_clears_only_what_its_turn_had_read() {
    let mut stage = held(Signal::Closed);
    let fence = stage.at(2_500).take();
    stage.at(2_600).arrive(3);
    stage.commit(fence, 2, vec![says(1, Decision::ReleaseFirst)]);
    let unread = |stage: &Stage, reply: u128| stage.session.is_held(stage.reply(reply));
    assert!(unread(&stage, 1) && unread(&stage, 2));
    assert_eq!(stage.session.uncovered[0].id, MessageId(3));
}
