//! What ends by time alone.

use replygate_gate::{At, Command, Decision, Event, ParkReason, Refusal, ReplyId, ReplyStatus};

use crate::stage::{Stage, accepted, says};
use replygate_gate::Outcome;

const DAY: i64 = 86_400_000;

#[test]
fn a_reply_that_nobody_judges_is_released_after_the_longest_hold() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    stage.rules.windows.enabled = true;
    stage.arrive(2);
    assert_eq!(stage.at(59_999).refuses(&Command::Expire), Refusal::Nothing);
    let epoch = stage.session.epoch;
    assert_eq!(
        stage.at(60_000).does(&Command::Expire),
        [Event::Released {
            reply: ReplyId(1),
            epoch
        }]
    );
    stage.claim(1);
}

#[test]
fn the_longest_hold_counts_from_the_first_message_that_holds() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    stage.at(10_000).arrive(2);
    stage.at(40_000).arrive(3);
    assert_eq!(stage.reply(1).held_since, Some(At(10_000)));
}

#[test]
fn a_reply_with_a_verdict_against_it_waits_for_the_commit_however_long() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    stage.arrive(2);
    stage.judge(vec![says(1, Decision::CancelFirst)]);
    let fence = stage.take();
    stage.at(14_000).does(&Command::Renew { fence });
    stage.session.owner.as_mut().unwrap().until = At(i64::MAX);
    assert_eq!(stage.at(90_000).refuses(&Command::Expire), Refusal::Nothing);
}

#[test]
fn a_reply_that_waits_ten_minutes_goes_to_a_person() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    stage.at(600_000).does(&Command::Expire);
    assert_eq!(stage.reply(1).parked, Some(ParkReason::TooOld));
}

#[test]
fn a_held_reply_is_never_parked_for_its_age() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    stage.at(599_999).arrive(2);
    assert_eq!(
        stage.at(600_000).refuses(&Command::Expire),
        Refusal::Nothing
    );
}

#[test]
fn a_held_reply_expires_after_a_day() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    stage.at(DAY - 1).arrive(2);
    let reply = ReplyId(1);
    assert_eq!(
        stage.at(DAY).does(&Command::Expire),
        [Event::Expired { reply }]
    );
}

#[test]
fn a_held_reply_that_left_in_part_has_no_age_that_could_end_it() {
    let mut stage = Stage::prompt();
    stage.answer_in(1, 1, 2);
    let token = stage.claim(1);
    stage.settle(token, accepted());
    stage.settle(token, Outcome::NotSent);
    stage.at(DAY).arrive(2);
    stage.judge(vec![says(1, Decision::CancelFirst)]);
    stage.take();
    assert_eq!(
        stage.deadline(),
        stage.session.owner.as_ref().map(|owner| owner.until)
    );
    assert_eq!(stage.refuses(&Command::Expire), Refusal::Nothing);
}

#[test]
fn a_parked_reply_is_left_alone_by_time() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    stage.loses(1);
    assert_eq!(
        stage.at(2 * DAY).refuses(&Command::Expire),
        Refusal::Nothing
    );
    assert_eq!(stage.status(1), Some(ReplyStatus::Unknown));
}
