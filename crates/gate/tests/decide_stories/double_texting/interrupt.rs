//! `interrupt`: a newer message stops the turn, and the next one goes on from there.

use replygate_gate::debounce::Windows;
use replygate_gate::{
    At, CancelledBy, Command, Decision, Draft, Event, QueueReason, Refusal, ReplyId, ReplyStatus,
    Strategy, TurnId, TurnLoss, strategy_verdicts,
};

use super::{answering, queued, under};
use crate::stage::{Stage, accepted, messages, names, turn_end};

fn loss(events: &[Event]) -> Option<TurnLoss> {
    events.iter().find_map(|event| match event {
        Event::TurnLost { reason, .. } => Some(*reason),
        _ => None,
    })
}

fn draft(reply: u128) -> Draft {
    Draft {
        reply: ReplyId(reply),
        parts: 1,
    }
}

#[test]
fn a_newer_message_stops_the_turn_and_both_are_answered_together() {
    let (mut stage, fence) = answering(Strategy::Interrupt);
    let events = stage.arrive(2);
    assert_eq!(names(&events), ["turn_lost", "arrived"]);
    assert_eq!(loss(&events), Some(TurnLoss::Interrupted));
    let late = Command::Commit(turn_end(fence, Some(1), Vec::new()));
    assert_eq!(stage.refuses(&late), Refusal::Fenced { given: fence });
    let fence = stage.take();
    stage.commit(fence, 2, Vec::new());
    assert_eq!(stage.reply(2).covers, messages(&[1, 2]));
}

#[test]
fn a_stopped_turn_may_reserve_no_effect() {
    let (mut stage, fence) = answering(Strategy::Interrupt);
    stage.arrive(2);
    let refusal = stage.refuses(&crate::stage::effect(fence));
    assert_eq!(refusal, Refusal::Fenced { given: fence });
}

#[test]
fn a_turn_that_reserved_an_effect_goes_on_and_the_message_waits_for_it() {
    let (mut stage, fence) = answering(Strategy::Interrupt);
    stage.does(&crate::stage::effect(fence));
    let events = stage.arrive(2);
    assert_eq!(names(&events), ["arrived", "queued"]);
    assert_eq!(
        queued(&events),
        Some((QueueReason::Effects, Some(TurnId(1))))
    );
    stage.commit(fence, 1, Vec::new());
    assert!(!stage.session.is_held(stage.reply(1)), "nothing holds it");
    let turn = TurnId(9);
    assert_eq!(stage.refuses(&Command::Take { turn }), Refusal::NotRipe);
    let token = stage.claim(1);
    stage.settle(token, accepted());
    stage.does(&Command::Take { turn });
}

#[test]
fn an_undelivered_reply_is_taken_back_into_the_next_answer() {
    let mut stage = under(Strategy::Interrupt);
    stage.answer(1, 1);
    let events = stage.arrive(2);
    assert_eq!(names(&events), ["arrived", "judged", "verdict_noted"]);
    let claim = stage.claiming(1);
    assert_eq!(stage.refuses(&claim), Refusal::Held);
    let verdicts = strategy_verdicts(&stage.session, &stage.rules);
    assert_eq!(verdicts[0].decision, Decision::Merge);
    assert_eq!(verdicts[0].source, "policy");
    let fence = stage.take();
    let events = stage.commit(fence, 2, verdicts);
    assert!(events.contains(&Event::Superseded {
        reply: ReplyId(1),
        by: ReplyId(2)
    }));
    assert_eq!(stage.reply(2).covers, messages(&[1, 2]));
}

#[test]
fn an_undelivered_reply_with_an_effect_stands_and_goes_first() {
    let mut stage = under(Strategy::Interrupt);
    stage.answer_with_effect(1, 1);
    let events = stage.arrive(2);
    assert_eq!(names(&events), ["arrived", "queued", "released"]);
    assert_eq!(queued(&events), Some((QueueReason::Effects, None)));
    assert_eq!(strategy_verdicts(&stage.session, &stage.rules), []);
    let turn = TurnId(9);
    assert_eq!(stage.refuses(&Command::Take { turn }), Refusal::NotRipe);
}

#[test]
fn the_rest_of_a_reply_is_cut_when_a_part_of_it_has_left() {
    let mut stage = under(Strategy::Interrupt);
    stage.answer_in(1, 1, 2);
    let token = stage.claim(1);
    stage.settle(token, accepted());
    stage.arrive(2);
    stage.settle(token, replygate_gate::Outcome::NotSent);
    let verdicts = strategy_verdicts(&stage.session, &stage.rules);
    let fence = stage.take();
    let events = stage.commit(fence, 2, verdicts);
    assert!(events.contains(&Event::Cut { reply: ReplyId(1) }));
    assert_eq!(stage.reply(2).covers, messages(&[2]));
}

#[test]
fn without_a_new_answer_the_reply_that_was_taken_back_is_sent() {
    let mut stage = under(Strategy::Interrupt);
    stage.answer(1, 1);
    stage.arrive(2);
    let verdicts = strategy_verdicts(&stage.session, &stage.rules);
    let fence = stage.take();
    stage.does(&Command::Commit(turn_end(fence, None, verdicts)));
    assert_eq!(stage.status(1), Some(ReplyStatus::Released));
}

#[test]
fn the_window_counts_from_the_message_that_stopped_the_turn() {
    let mut stage = Stage::new();
    stage.rules.strategy = Strategy::Interrupt;
    stage.arrive(1);
    stage.at(1_200).take();
    stage.at(11_000).arrive(2);
    stage.at(11_900).arrive(3);
    assert_eq!(stage.session.window.map(|w| w.due), Some(At(13_100)));
}

#[test]
fn messages_of_a_stopped_turn_do_not_fill_the_new_burst() {
    let (mut stage, _) = answering(Strategy::Interrupt);
    stage.rules.windows = Windows {
        max_messages: 2,
        ..Windows::default()
    };
    stage.at(10).arrive(2);
    assert_eq!(stage.session.window.map(|w| w.due), Some(At(1_210)));
    stage.at(20).arrive(3);
    assert_eq!(stage.session.window.map(|w| w.due), Some(At(20)));
}

#[test]
fn what_the_turn_had_written_is_kept_for_the_next_one_and_never_sent() {
    let (mut stage, _) = answering(Strategy::Interrupt);
    stage.arrive(2);
    let keep = Command::KeepPartial {
        turn: TurnId(1),
        draft: draft(7),
    };
    let events = stage.does(&keep);
    assert_eq!(names(&events), ["replied", "cancelled"]);
    assert!(events.contains(&Event::Cancelled {
        reply: ReplyId(7),
        by: CancelledBy::Interrupt
    }));
    assert_eq!(stage.status(7), None);
    assert_eq!(stage.refuses(&keep), Refusal::Nothing);
    stage.take();
    let owner = stage.session.owner.as_ref().expect("a turn");
    assert_eq!(owner.partial, Some(ReplyId(7)));
    assert_eq!(stage.session.partial, None);
}

#[test]
fn a_turn_that_speaks_up_after_the_next_one_began_is_not_heard() {
    let (mut stage, _) = answering(Strategy::Interrupt);
    stage.arrive(2);
    stage.take();
    let refusal = stage.refuses(&Command::KeepPartial {
        turn: TurnId(1),
        draft: draft(7),
    });
    assert_eq!(refusal, Refusal::Nothing);
}

#[test]
fn a_reset_forgets_what_the_turn_had_written() {
    let (mut stage, _) = answering(Strategy::Interrupt);
    stage.arrive(2);
    stage.does(&Command::KeepPartial {
        turn: TurnId(1),
        draft: draft(7),
    });
    stage.control(3);
    assert_eq!(stage.session.partial, None);
}

#[test]
fn a_writer_who_never_stops_is_answered_all_the_same() {
    let (mut stage, _) = answering(Strategy::Interrupt);
    stage.at(30_000).arrive(2);
    stage.take();
    let events = stage.at(60_000).arrive(3);
    assert_eq!(
        queued(&events),
        Some((QueueReason::Waited, Some(TurnId(2))))
    );
}

#[test]
fn a_reply_that_answers_a_message_from_long_ago_is_not_taken_back_again() {
    let mut stage = under(Strategy::Interrupt);
    stage.answer(1, 1);
    stage.at(50_000).arrive(2);
    let verdicts = strategy_verdicts(&stage.session, &stage.rules);
    let fence = stage.take();
    stage.at(59_000).commit(fence, 2, verdicts);
    stage.at(60_000).arrive(3);
    assert_eq!(
        stage.status(2),
        Some(ReplyStatus::Pending),
        "message 1 waits since 0"
    );
    let events = stage.at(61_000).arrive(4);
    assert_eq!(queued(&events), Some((QueueReason::Waited, None)));
    assert_eq!(stage.status(2), Some(ReplyStatus::Released));
    assert_eq!(strategy_verdicts(&stage.session, &stage.rules), []);
}

#[test]
fn an_operators_rerun_is_not_forgotten_with_the_turn() {
    let (mut stage, fence) = answering(Strategy::Interrupt);
    stage.does(&Command::Fail {
        fence,
        reply: ReplyId(1),
        verdicts: Vec::new(),
        usage: replygate_gate::Usage::default(),
        code: "timeout".to_owned(),
    });
    let target = stage.target(1);
    stage.does(&Command::Rerun {
        target,
        answered: Vec::new(),
        override_reason: None,
    });
    stage.take();
    stage.arrive(2);
    assert_eq!(stage.session.rerun, Some(ReplyId(1)));
    let fence = stage.take();
    let events = stage.commit(fence, 2, Vec::new());
    assert!(names(&events).contains(&"superseded"));
    assert_eq!(stage.reply(2).covers, messages(&[1, 2]));
}

#[test]
fn a_reply_behind_one_that_is_held_does_not_keep_the_turn_waiting() {
    let mut stage = under(Strategy::Interrupt);
    stage.answer_with_effect(1, 1);
    let token = stage.claim(1);
    let refused = replygate_gate::Outcome::Refused {
        code: "http_403".to_owned(),
    };
    stage.settle(token, refused);
    stage.answer(2, 2);
    let target = stage.target(1);
    stage.does(&Command::Reprocess(target));
    // Reply 2 is held and goes first; reply 1, which stands, waits behind it.
    stage.arrive(3);
    assert!(stage.session.is_held(stage.reply(2)));
    stage.take();
}
