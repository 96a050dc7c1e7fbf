//! Verdicts that meet a reply on its way, and replies that left in part.

use replygate_gate::{
    CancelledBy, Command, Commit, Decision, Event, Late, Outcome, Refusal, ReplyId, ReplyStatus,
};

use crate::stage::{Stage, accepted, failed, messages, names, says, turn_end, unknown};

/// Reply 1 is being sent; a turn runs over message 2.
fn sending() -> (Stage, u64, replygate_gate::ClaimToken) {
    sending_in(1)
}

fn sending_in(parts: u16) -> (Stage, u64, replygate_gate::ClaimToken) {
    let mut stage = Stage::prompt();
    stage.answer_in(1, 1, parts);
    let token = stage.claim(1);
    stage.arrive(2);
    let fence = stage.take();
    (stage, fence, token)
}

fn strict(fence: u64, decision: Decision) -> Command {
    Command::Commit(Commit {
        late: Late::Refuse,
        ..turn_end(fence, Some(2), vec![says(1, decision)])
    })
}

#[test]
fn a_verdict_that_met_a_reply_on_its_way_can_be_refused_so_that_the_agent_words_its_answer_again() {
    let (mut stage, fence, _) = sending();
    let replies = vec![ReplyId(1)];
    assert_eq!(
        stage.refuses(&strict(fence, Decision::CancelFirst)),
        Refusal::TooLate { replies }
    );
    stage.does(&strict(fence, Decision::ReleaseFirst));
}

#[test]
fn a_verdict_about_a_delivered_reply_is_too_late_as_well() {
    let (mut stage, fence, token) = sending();
    stage.settle(token, accepted());
    let replies = vec![ReplyId(1)];
    assert_eq!(
        stage.refuses(&strict(fence, Decision::Merge)),
        Refusal::TooLate { replies }
    );
    let events = stage.commit(fence, 2, vec![says(1, Decision::Merge)]);
    assert_eq!(names(&events), ["judged", "replied", "committed"]);
    assert_eq!(stage.reply(2).covers, messages(&[2]));
}

#[test]
fn a_late_cancel_applies_when_the_claim_comes_back_unsent() {
    let (mut stage, fence, token) = sending();
    stage.commit(fence, 2, vec![says(1, Decision::CancelFirst)]);
    let events = stage.settle(token, Outcome::NotSent);
    assert_eq!(names(&events), ["not_sent", "cancelled"]);
}

#[test]
fn a_late_merge_applies_when_the_channel_refuses_and_the_new_reply_covers_both() {
    let (mut stage, fence, token) = sending();
    stage.commit(fence, 2, vec![says(1, Decision::Merge)]);
    assert_eq!(stage.reply(2).covers, messages(&[2]));
    let events = stage.settle(token, failed());
    assert_eq!(names(&events), ["attempt_failed", "superseded"]);
    assert_eq!(stage.reply(2).covers, messages(&[1, 2]));
    assert!(stage.reply(2).merged, "it answers another's request");
}

#[test]
fn a_late_cancel_changes_nothing_once_the_reply_was_accepted() {
    let (mut stage, fence, token) = sending();
    stage.commit(fence, 2, vec![says(1, Decision::CancelFirst)]);
    assert_eq!(names(&stage.settle(token, accepted())), ["delivered"]);
}

#[test]
fn a_late_cancel_never_applies_to_what_may_have_left() {
    let (mut stage, fence, token) = sending();
    stage.commit(fence, 2, vec![says(1, Decision::CancelFirst)]);
    stage.settle(token, unknown());
    assert_eq!(stage.status(1), Some(ReplyStatus::Unknown));
}

#[test]
fn a_silent_turn_forgets_a_late_merge() {
    let (mut stage, fence, token) = sending();
    stage.does(&Command::Commit(turn_end(
        fence,
        None,
        vec![says(1, Decision::Merge)],
    )));
    stage.settle(token, Outcome::NotSent);
    assert!(stage.reply(1).status.is_waiting());
    stage.claim(1);
}

#[test]
fn an_early_verdict_does_not_undo_a_late_cancel() {
    let (mut stage, fence, token) = sending();
    stage.commit(fence, 2, vec![says(1, Decision::CancelFirst)]);
    stage.arrive(3);
    let epoch = stage.session.epoch;
    for decision in [Decision::Merge, Decision::ReleaseFirst] {
        let verdicts = vec![says(1, decision)];
        assert_eq!(
            stage.refuses(&Command::Judge { epoch, verdicts }),
            Refusal::Nothing
        );
    }
    let events = stage.settle(token, Outcome::NotSent);
    assert_eq!(names(&events), ["not_sent", "cancelled"]);
}

#[test]
fn a_later_turn_without_a_word_about_it_does_not_undo_a_late_cancel() {
    let (mut stage, fence, token) = sending();
    stage.commit(fence, 2, vec![says(1, Decision::CancelFirst)]);
    stage.arrive(3);
    let fence = stage.take();
    stage.commit(fence, 3, Vec::new());
    let by = CancelledBy::Verdict;
    assert!(
        stage
            .settle(token, Outcome::NotSent)
            .contains(&Event::Cancelled {
                reply: ReplyId(1),
                by
            })
    );
}

#[test]
fn a_late_merge_follows_its_successor_into_the_next_merge() {
    let (mut stage, fence, token) = sending();
    stage.commit(fence, 2, vec![says(1, Decision::Merge)]);
    stage.arrive(3);
    let fence = stage.take();
    stage.commit(fence, 3, vec![says(2, Decision::Merge)]);
    stage.settle(token, Outcome::NotSent);
    assert_eq!(stage.reply(3).covers, messages(&[1, 2, 3]));
}

#[test]
fn a_release_that_met_a_reply_on_its_way_counts_when_it_comes_back() {
    let (mut stage, fence, token) = sending();
    stage.judge(vec![says(1, Decision::CancelFirst)]);
    stage.commit(fence, 2, vec![says(1, Decision::ReleaseFirst)]);
    stage.settle(token, Outcome::NotSent);
    assert_eq!(stage.reply(1).noted, None);
    assert_eq!(stage.reply(1).cleared, stage.session.epoch);
}

#[test]
fn a_partly_sent_reply_is_cut_and_not_cancelled() {
    let (mut stage, fence, token) = sending_in(2);
    stage.settle(token, accepted());
    stage.settle(token, Outcome::NotSent);
    let events = stage.commit(fence, 2, vec![says(1, Decision::CancelFirst)]);
    assert!(events.contains(&Event::Cut { reply: ReplyId(1) }));
    assert_eq!(stage.reply(2).covers, messages(&[2]));
}

#[test]
fn a_late_cancel_cuts_the_parts_that_have_not_left() {
    let (mut stage, fence, token) = sending_in(3);
    stage.commit(fence, 2, vec![says(1, Decision::CancelFirst)]);
    let events = stage.settle(token, accepted());
    assert_eq!(names(&events), ["part_accepted", "cut"]);
    let outcome = accepted();
    assert_eq!(
        stage.refuses(&Command::Settle { token, outcome }),
        Refusal::StaleClaim
    );
}

#[test]
fn a_failure_in_part_two_retries_part_two() {
    let mut stage = Stage::prompt();
    stage.answer_in(1, 1, 2);
    let token = stage.claim(1);
    stage.settle(token, accepted());
    stage.settle(token, failed());
    assert_eq!(stage.reply(1).sent, 1);
    let token = stage.at(1_000).claim(1);
    assert_eq!(names(&stage.settle(token, accepted())), ["delivered"]);
}

#[test]
fn an_accepted_part_gives_the_next_one_a_whole_claim() {
    let mut stage = Stage::prompt();
    stage.answer_in(1, 1, 2);
    let token = stage.claim(1);
    stage.at(20_000).settle(token, accepted());
    let until = stage.reply(1).claim.as_ref().unwrap().until;
    assert_eq!(until, stage.now.plus(stage.rules.claim_ms));
}

#[test]
fn what_an_operator_sends_again_is_never_taken_back() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    stage.loses(1);
    let target = stage.target(1);
    stage.does(&Command::Reprocess(target));
    stage.arrive(2);
    let fence = stage.take();
    stage.commit(fence, 2, vec![says(1, Decision::CancelFirst)]);
    assert_eq!(stage.status(1), Some(ReplyStatus::Released));
}
