//! Claims and their outcomes.

use replygate_gate::{
    At, Command, Decision, DeliveredBy, Event, Guarantee, Outcome, ParkReason, Refusal, ReplyId,
    ReplyStatus,
};

use crate::stage::{Stage, accepted, failed, names, says, unknown};

#[test]
fn a_claim_may_be_made_a_little_ahead_and_lasts_from_the_due_time() {
    let mut stage = Stage::prompt();
    stage.rules.operational_delay_ms = 600;
    stage.answer(1, 1);
    let claim = stage.at(549).claiming(1);
    assert_eq!(stage.refuses(&claim), Refusal::NotDue { at: At(600) });
    stage.at(550).claim(1);
    let claim = stage.reply(1).claim.as_ref().unwrap();
    assert_eq!(claim.until, At(30_600));
}

#[test]
fn a_claimed_reply_is_claimed_once() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    stage.claim(1);
    let second = stage.claiming(1);
    assert_eq!(stage.refuses(&second), Refusal::Claimed);
}

#[test]
fn a_delivered_reply_is_final() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    let token = stage.claim(1);
    stage.settle(token, accepted());
    let claim = stage.claiming(1);
    assert_eq!(stage.refuses(&claim), Refusal::Final);
}

#[test]
fn an_old_claim_settles_nothing() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    let token = stage.claim(1);
    stage.settle(token, Outcome::NotSent);
    stage.claim(1);
    let outcome = accepted();
    assert_eq!(
        stage.refuses(&Command::Settle { token, outcome }),
        Refusal::StaleClaim
    );
}

#[test]
fn not_sent_counts_no_attempt() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    let token = stage.claim(1);
    stage.settle(token, Outcome::NotSent);
    let reply = stage.reply(1);
    assert_eq!((reply.attempts, reply.failures), (0, 0));
    assert_eq!(stage.session.next_dispatch(), Some((ReplyId(1), At(0))));
}

#[test]
fn definite_failures_climb_their_ladder_and_then_park() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    for due in [1_000, 6_000, 36_000, 156_000] {
        let token = stage.claim(1);
        stage.settle(token, failed());
        assert_eq!(stage.reply(1).not_before, At(due));
        stage.at(due);
    }
    let token = stage.claim(1);
    stage.settle(token, failed());
    assert_eq!(stage.reply(1).parked, Some(ParkReason::ChannelFailed));
    assert_eq!(stage.deadline(), None);
}

#[test]
fn a_retry_is_never_earlier_than_the_channel_asks() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    let token = stage.claim(1);
    stage.settle(
        token,
        Outcome::Failed {
            code: "http_429".to_owned(),
            retry_after_ms: Some(7_000),
        },
    );
    assert_eq!(stage.reply(1).not_before, At(7_000));
}

#[test]
fn a_refusal_for_good_parks_at_once() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    let token = stage.claim(1);
    let code = "http_403".to_owned();
    stage.settle(token, Outcome::Refused { code });
    assert_eq!(stage.reply(1).parked, Some(ParkReason::ChannelRefused));
}

#[test]
fn an_outcome_that_is_not_known_waits_for_a_report_or_a_person_at_most_once() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    stage.loses(1);
    assert_eq!(stage.deadline(), None);
    let claim = stage.claiming(1);
    assert_eq!(stage.refuses(&claim), Refusal::Parked);
    let how = DeliveredBy::Report;
    assert_eq!(
        stage.does(&Command::Report { reply: ReplyId(1) }),
        [Event::Delivered {
            reply: ReplyId(1),
            receipt: None,
            how
        }]
    );
}

#[test]
fn a_report_about_a_reply_that_never_left_is_nothing() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    let reply = ReplyId(1);
    assert_eq!(stage.refuses(&Command::Report { reply }), Refusal::Nothing);
}

#[test]
fn an_expired_claim_is_unknown_and_later_replies_go_on() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    stage.claim(1);
    stage.answer(2, 2);
    stage.at(30_000).does(&Command::Expire);
    assert_eq!(stage.status(1), Some(ReplyStatus::Unknown));
    stage.claim(2);
}

#[test]
fn at_least_once_repeats_an_unknown_outcome_as_often_as_the_ladder_has_rungs() {
    let mut stage = Stage::prompt();
    stage.rules.guarantee = Guarantee::AtLeastOnce;
    stage.rules.channel_ladder_ms = vec![1_000, 5_000];
    stage.answer(1, 1);
    stage.loses(1);
    assert_eq!(stage.session.next_dispatch(), Some((ReplyId(1), At(1_000))));
    stage.at(1_000).loses(1);
    assert_eq!(stage.session.next_dispatch(), Some((ReplyId(1), At(6_000))));
    stage.at(6_000).loses(1);
    assert_eq!(stage.session.next_dispatch(), None);
    assert_eq!(stage.deadline(), None);
    assert_eq!(stage.status(1), Some(ReplyStatus::Unknown));
}

#[test]
fn a_repetition_that_fails_for_now_stays_unknown_and_is_tried_again() {
    let mut stage = Stage::prompt();
    stage.rules.guarantee = Guarantee::AtLeastOnce;
    stage.answer(1, 1);
    stage.loses(1);
    let token = stage.at(1_000).claim(1);
    assert_eq!(stage.deadline(), Some(At(31_000)));
    stage.settle(token, failed());
    assert_eq!(stage.status(1), Some(ReplyStatus::Unknown));
    assert_eq!(stage.session.next_dispatch(), Some((ReplyId(1), At(6_000))));
}

#[test]
fn later_replies_wait_for_a_repetition_but_not_for_a_reply_that_stays_unknown() {
    let mut stage = Stage::prompt();
    stage.rules.guarantee = Guarantee::AtLeastOnce;
    stage.rules.channel_ladder_ms = vec![1_000];
    stage.answer(1, 1);
    stage.loses(1);
    stage.answer(2, 2);
    let claim = stage.claiming(2);
    assert_eq!(stage.refuses(&claim), Refusal::NotHead);
    assert_eq!(stage.session.next_dispatch(), Some((ReplyId(1), At(1_000))));
    stage.at(1_000).loses(1);
    stage.claim(2);
}

#[test]
fn what_an_operator_sends_again_goes_back_in_line_when_it_comes_back_unsent() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    stage.loses(1);
    let target = stage.target(1);
    stage.does(&Command::Reprocess(target));
    let token = stage.claim(1);
    stage.arrive(2);
    stage.settle(token, Outcome::NotSent);
    assert_eq!(stage.status(1), Some(ReplyStatus::Pending));
    let claim = stage.claiming(1);
    assert_eq!(stage.refuses(&claim), Refusal::Held);
}

#[test]
fn a_reply_whose_hand_over_failed_for_now_keeps_its_place() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    stage.answer(2, 2);
    let token = stage.claim(1);
    stage.settle(token, failed());
    let claim = stage.claiming(2);
    assert_eq!(stage.refuses(&claim), Refusal::NotHead);
}

#[test]
fn what_cannot_be_read_is_parked_at_once_and_counts_as_nobodys_failure() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    stage.answer(2, 2);
    let token = stage.claim(1);
    let events = stage.settle(token, Outcome::Unreadable);
    assert_eq!(names(&events), ["parked"]);
    let reply = stage.reply(1);
    assert_eq!(reply.parked, Some(ParkReason::TextUnreadable));
    assert_eq!((reply.failures, reply.attempts), (0, 0));
    stage.claim(2);
}

#[test]
fn what_cannot_be_read_is_not_parked_when_a_verdict_took_it_back() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    let token = stage.claim(1);
    stage.arrive(2);
    let fence = stage.take();
    stage.commit(fence, 2, vec![says(1, Decision::CancelFirst)]);
    let events = stage.settle(token, Outcome::Unreadable);
    assert_eq!(names(&events), ["not_sent", "cancelled"]);
}

#[test]
fn an_unknown_outcome_of_part_two_keeps_part_one() {
    let mut stage = Stage::prompt();
    stage.answer_in(1, 1, 2);
    let token = stage.claim(1);
    stage.settle(token, accepted());
    let events = stage.settle(token, unknown());
    assert_eq!(names(&events), ["outcome_unknown"]);
    let target = stage.target(1);
    stage.does(&Command::Reprocess(target));
    assert_eq!(stage.reply(1).sent, 1);
}
