//! `enqueue`: newer messages wait, and nothing waits for them.

use replygate_gate::{
    Command, Event, QueueReason, Refusal, ReplyStatus, Strategy, TurnId, strategy_verdicts,
};

use super::{answering, queued, under};
use crate::stage::{accepted, messages, names, says};

#[test]
fn a_newer_message_waits_for_the_turn_and_says_so() {
    let (mut stage, fence) = answering(Strategy::Enqueue);
    let events = stage.arrive(2);
    assert_eq!(names(&events), ["arrived", "queued"]);
    assert_eq!(
        queued(&events),
        Some((QueueReason::Strategy, Some(TurnId(1))))
    );
    let turn = TurnId(9);
    assert_eq!(stage.refuses(&Command::Take { turn }), Refusal::NotRipe);
    stage.commit(fence, 1, Vec::new());
    assert_eq!(stage.reply(1).covers, messages(&[1]));
}

#[test]
fn an_answer_is_not_held_by_what_came_while_it_was_written() {
    let (mut stage, fence) = answering(Strategy::Enqueue);
    stage.arrive(2);
    stage.commit(fence, 1, Vec::new());
    assert!(!stage.session.is_held(stage.reply(1)));
    stage.claim(1);
}

#[test]
fn a_message_after_the_answer_lets_it_go_at_once() {
    let mut stage = under(Strategy::Enqueue);
    stage.answer(1, 1);
    let events = stage.arrive(2);
    assert_eq!(names(&events), ["arrived", "queued", "released"]);
    assert_eq!(stage.status(1), Some(ReplyStatus::Released));
}

#[test]
fn a_reply_that_is_being_sent_and_comes_back_is_not_held_either() {
    let mut stage = under(Strategy::Enqueue);
    stage.answer(1, 1);
    let token = stage.claim(1);
    stage.arrive(2);
    stage.settle(token, replygate_gate::Outcome::NotSent);
    stage.claim(1);
}

#[test]
fn the_next_turn_begins_when_the_last_reply_is_over() {
    let mut stage = under(Strategy::Enqueue);
    stage.answer(1, 1);
    stage.arrive(2);
    let turn = TurnId(9);
    assert_eq!(stage.refuses(&Command::Take { turn }), Refusal::NotRipe);
    let token = stage.claim(1);
    assert_eq!(stage.refuses(&Command::Take { turn }), Refusal::NotRipe);
    stage.settle(token, accepted());
    assert_eq!(names(&stage.does(&Command::Take { turn })), ["taken"]);
}

#[test]
fn a_parked_reply_makes_nobody_wait() {
    let mut stage = under(Strategy::Enqueue);
    stage.answer(1, 1);
    stage.arrive(2);
    let token = stage.claim(1);
    stage.settle(
        token,
        replygate_gate::Outcome::Refused {
            code: "http_403".to_owned(),
        },
    );
    stage.take();
}

#[test]
fn messages_that_waited_together_become_one_turn() {
    let (mut stage, fence) = answering(Strategy::Enqueue);
    stage.arrive(2);
    stage.arrive(3);
    stage.commit(fence, 1, Vec::new());
    let token = stage.claim(1);
    stage.settle(token, accepted());
    let fence = stage.take();
    stage.commit(fence, 2, Vec::new());
    assert_eq!(stage.reply(2).covers, messages(&[2, 3]));
}

#[test]
fn a_verdict_has_no_say() {
    let mut stage = under(Strategy::Enqueue);
    stage.answer(1, 1);
    stage.arrive(2);
    let command = Command::Judge {
        epoch: stage.session.epoch,
        verdicts: vec![says(1, replygate_gate::Decision::CancelFirst)],
    };
    assert_eq!(stage.refuses(&command), Refusal::Nothing);
    assert_eq!(strategy_verdicts(&stage.session, &stage.rules), []);
}

#[test]
fn a_reply_held_before_the_strategy_changed_is_released_by_the_next_turn() {
    let mut stage = under(Strategy::Triage);
    stage.answer(1, 1);
    stage.arrive(2);
    stage.rules.strategy = Strategy::Enqueue;
    let fence = stage.take();
    let events = stage.commit(fence, 2, Vec::new());
    assert!(names(&events).contains(&"released"));
    assert!(matches!(
        events.last(),
        Some(Event::Committed { reply: Some(_), .. })
    ));
    stage.claim(1);
}
