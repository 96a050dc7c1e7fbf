//! What operators do to parked and unknown replies.

use replygate_gate::{
    AnsweredElsewhere, At, Command, DeliveredBy, Event, Guarantee, MessageId, Refusal, ReplyId,
    ReplyStatus, Target,
};

use crate::stage::{Stage, accepted, messages, names, turn_end};

/// Reply 1 is unknown.
fn lost() -> Stage {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    stage.loses(1);
    stage
}

fn rerun(target: Target) -> Command {
    Command::Rerun {
        target,
        answered: Vec::new(),
        override_reason: None,
    }
}

fn report(reply: u128) -> Command {
    Command::Report {
        reply: ReplyId(reply),
    }
}

#[test]
fn two_operators_who_press_at_once_make_one_delivery() {
    let mut stage = lost();
    let seen = stage.target(1);
    stage.does(&Command::Reprocess(seen.clone()));
    assert_eq!(
        stage.refuses(&Command::Reprocess(seen.clone())),
        Refusal::Changed {
            status: ReplyStatus::Pending,
            present: seen.generation + 1,
            given: seen.generation
        }
    );
}

#[test]
fn a_reply_put_back_takes_the_next_number_and_keeps_its_id() {
    let mut stage = lost();
    stage.answer(2, 2);
    let target = stage.target(1);
    stage.does(&Command::Reprocess(target));
    assert_eq!(stage.reply(1).seq, 3);
    let claim = stage.claiming(1);
    assert_eq!(stage.refuses(&claim), Refusal::NotHead);
    let order: Vec<_> = stage
        .session
        .replies
        .iter()
        .map(|reply| reply.seq)
        .collect();
    assert_eq!(order, [2, 3]);
}

#[test]
fn only_what_waits_for_a_person_can_be_acted_on() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    let target = stage.target(1);
    let status = ReplyStatus::Pending;
    for command in [
        Command::Reprocess(target.clone()),
        rerun(target.clone()),
        Command::Discard(target.clone()),
        Command::MarkDelivered(target),
    ] {
        assert_eq!(stage.refuses(&command), Refusal::NotParked { status });
    }
}

#[test]
fn an_old_screen_discards_nothing() {
    let mut stage = lost();
    let seen = stage.target(1);
    stage.does(&Command::Reprocess(seen.clone()));
    stage.loses(1);
    assert!(matches!(
        stage.refuses(&Command::Discard(seen.clone())),
        Refusal::Changed { .. }
    ));
    assert!(matches!(
        stage.refuses(&rerun(seen)),
        Refusal::Changed { .. }
    ));
}

#[test]
fn an_operator_who_knows_marks_an_unknown_reply_delivered() {
    let mut stage = lost();
    let target = stage.target(1);
    let how = DeliveredBy::Operator;
    assert_eq!(
        stage.does(&Command::MarkDelivered(target)),
        [Event::Delivered {
            reply: ReplyId(1),
            receipt: None,
            how
        }]
    );
}

#[test]
fn a_rerun_replaces_the_old_reply_in_the_commit_that_brings_the_new_one() {
    let mut stage = lost();
    stage.arrive(2);
    let target = stage.target(1);
    stage.does(&rerun(target));
    assert_eq!(stage.status(1), Some(ReplyStatus::Unknown));
    let fence = stage.take();
    stage.commit(fence, 2, Vec::new());
    assert_eq!(stage.status(1), None);
    assert_eq!(stage.reply(2).covers, messages(&[1, 2]));
}

#[test]
fn a_reply_that_is_being_rerun_is_left_alone() {
    let mut stage = lost();
    let target = stage.target(1);
    stage.does(&rerun(target.clone()));
    for _ in 0..2 {
        assert_eq!(
            stage.refuses(&Command::Reprocess(target.clone())),
            Refusal::BeingRerun
        );
        assert_eq!(
            stage.refuses(&Command::Discard(target.clone())),
            Refusal::BeingRerun
        );
        let turn = replygate_gate::TurnId(5);
        let _ = stage.ask(&Command::Take { turn });
    }
}

#[test]
fn a_reply_that_is_rerun_is_not_repeated_by_itself_any_more() {
    let mut stage = Stage::prompt();
    stage.rules.guarantee = Guarantee::AtLeastOnce;
    stage.answer(1, 1);
    stage.loses(1);
    let target = stage.target(1);
    stage.does(&rerun(target));
    let claim = stage.at(1_000).claiming(1);
    assert_eq!(stage.refuses(&claim), Refusal::Parked);
    assert_eq!(stage.session.next_dispatch(), None);
    let fence = stage.take();
    stage.does(&Command::Commit(turn_end(fence, None, Vec::new())));
    assert_eq!(stage.status(1), Some(ReplyStatus::Unknown));
    assert_eq!(stage.deadline(), None);
    let claim = stage.at(60_000).claiming(1);
    assert_eq!(stage.refuses(&claim), Refusal::Parked);
}

#[test]
fn a_rerun_of_messages_answered_elsewhere_needs_a_reason() {
    let mut stage = lost();
    let target = stage.target(1);
    let answered = vec![AnsweredElsewhere {
        message: MessageId(1),
        by: ReplyId(7),
        status: ReplyStatus::Delivered,
    }];
    let ask = |override_reason: Option<&str>| Command::Rerun {
        target: target.clone(),
        answered: answered.clone(),
        override_reason: override_reason.map(str::to_owned),
    };
    assert_eq!(
        stage.refuses(&ask(None)),
        Refusal::AnsweredElsewhere {
            answered: answered.clone()
        }
    );
    stage.does(&ask(Some("the customer asks for it")));
}

#[test]
fn a_rerun_whose_turn_dies_is_taken_again() {
    let mut stage = lost();
    let target = stage.target(1);
    stage.does(&rerun(target));
    stage.take();
    stage.at(15_000).does(&Command::Expire);
    stage.take();
    assert_eq!(stage.session.owner.unwrap().rerun, Some(ReplyId(1)));
}

#[test]
fn a_rerun_of_a_reply_that_turns_out_to_be_delivered_ends() {
    let mut stage = lost();
    let target = stage.target(1);
    stage.does(&rerun(target));
    stage.does(&report(1));
    assert_eq!(stage.session.rerun, None);
    assert_eq!(stage.deadline(), None);
}

#[test]
fn a_turn_that_reran_a_reply_delivered_meanwhile_answers_nothing_twice() {
    let mut stage = lost();
    let target = stage.target(1);
    stage.does(&rerun(target));
    let fence = stage.take();
    stage.does(&report(1));
    let events = stage.commit(fence, 2, Vec::new());
    assert_eq!(names(&events), ["committed"]);
    assert!(!stage.session.is_open());
}

#[test]
fn a_dead_turn_does_not_bring_back_the_rerun_of_a_delivered_reply() {
    let mut stage = lost();
    let target = stage.target(1);
    stage.does(&rerun(target));
    stage.take();
    stage.does(&report(1));
    stage.at(15_000).does(&Command::Expire);
    assert_eq!(stage.session.rerun, None);
    assert_eq!(stage.deadline(), None);
}

#[test]
fn a_silent_rerun_does_not_end_the_next_one() {
    let mut stage = lost();
    stage.answer(2, 2);
    stage.loses(2);
    let (first, second) = (stage.target(1), stage.target(2));
    stage.does(&rerun(first));
    let fence = stage.take();
    stage.does(&rerun(second));
    stage.does(&Command::Commit(turn_end(fence, None, Vec::new())));
    assert_eq!(stage.session.rerun, Some(ReplyId(2)));
    stage.take();
}

#[test]
fn a_person_lets_a_held_reply_go() {
    let mut stage = Stage::new();
    stage.arrive(1);
    let fence = stage.at(1_200).take();
    stage.commit(fence, 1, Vec::new());
    stage.at(1_300).arrive(2);
    stage.does(&Command::ReleaseHold);
    assert_eq!(stage.session.next_dispatch(), Some((ReplyId(1), At(1_800))));
    assert_eq!(stage.refuses(&Command::ReleaseHold), Refusal::Nothing);
}

#[test]
fn a_reply_put_back_can_be_delivered() {
    let mut stage = lost();
    let target = stage.target(1);
    stage.does(&Command::Reprocess(target));
    let token = stage.claim(1);
    stage.settle(token, accepted());
    assert!(!stage.session.is_open());
}
