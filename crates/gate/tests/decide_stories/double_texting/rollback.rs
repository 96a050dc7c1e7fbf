//! `rollback`: the turn is stopped as if it never ran.

use replygate_gate::{
    Command, Draft, Event, QueueReason, Refusal, ReplyId, Strategy, TurnId, TurnLoss,
    strategy_verdicts,
};

use super::{answering, queued, under};
use crate::stage::{accepted, messages, names};

#[test]
fn a_newer_message_stops_the_turn_and_leaves_nothing_of_it() {
    let (mut stage, fence) = answering(Strategy::Rollback);
    let events = stage.arrive(2);
    assert!(events.contains(&Event::TurnLost {
        turn: TurnId(1),
        fence,
        reason: TurnLoss::RolledBack,
        effects: false,
        due: None
    }));
    let refusal = stage.refuses(&Command::KeepPartial {
        turn: TurnId(1),
        draft: Draft {
            reply: ReplyId(7),
            parts: 1,
        },
    });
    assert_eq!(refusal, Refusal::Nothing);
}

#[test]
fn the_messages_of_the_turn_are_kept_and_answered_with_the_new_ones() {
    let (mut stage, _) = answering(Strategy::Rollback);
    stage.arrive(2);
    let fence = stage.take();
    stage.commit(fence, 2, Vec::new());
    assert_eq!(stage.reply(2).covers, messages(&[1, 2]));
}

#[test]
fn an_undelivered_reply_is_replaced_by_the_answer_to_everything() {
    let mut stage = under(Strategy::Rollback);
    stage.answer(1, 1);
    stage.arrive(2);
    let verdicts = strategy_verdicts(&stage.session, &stage.rules);
    assert_eq!(verdicts[0].reason, "rollback");
    let fence = stage.take();
    let events = stage.commit(fence, 2, verdicts);
    assert!(names(&events).contains(&"superseded"));
    assert_eq!(stage.reply(2).covers, messages(&[1, 2]));
}

#[test]
fn a_turn_that_reserved_an_effect_is_not_rolled_back() {
    let (mut stage, fence) = answering(Strategy::Rollback);
    stage.does(&crate::stage::effect(fence));
    let events = stage.arrive(2);
    assert_eq!(
        queued(&events),
        Some((QueueReason::Effects, Some(TurnId(1))))
    );
}

#[test]
fn what_the_user_has_seen_is_not_rolled_back() {
    let mut stage = under(Strategy::Rollback);
    stage.answer_in(1, 1, 2);
    let token = stage.claim(1);
    stage.settle(token, accepted());
    let events = stage.arrive(2);
    assert_eq!(queued(&events), Some((QueueReason::Sent, None)));
    assert_eq!(strategy_verdicts(&stage.session, &stage.rules), []);
}
