//! Control commands.

use replygate_gate::{CancelledBy, Command, DropReason, Event, Outcome, Refusal, ReplyId};

use crate::stage::{Stage, accepted, messages, names};

#[test]
fn a_command_drops_the_burst_and_leaves_no_timer() {
    let mut stage = Stage::new();
    stage.arrive(1);
    let events = stage.at(900).control(2);
    let dropped = |ids: &[u128], reason| Event::Dropped {
        messages: messages(ids),
        reason,
    };
    assert!(events.contains(&dropped(&[2], DropReason::IsCommand)));
    assert!(events.contains(&dropped(&[1], DropReason::Command)));
    assert_eq!(stage.deadline(), None);
    assert_eq!(stage.session.epoch, 2);
}

#[test]
fn a_command_cancels_undelivered_replies_without_effects() {
    let mut stage = Stage::new();
    stage.arrive(1);
    let fence = stage.at(1_200).take();
    stage.commit(fence, 1, Vec::new());
    let by = CancelledBy::Command;
    assert!(stage.control(2).contains(&Event::Cancelled {
        reply: ReplyId(1),
        by
    }));
}

#[test]
fn a_command_lets_a_reply_go_whose_turn_had_an_effect() {
    let mut stage = Stage::prompt();
    stage.answer_with_effect(1, 1);
    stage.arrive(2);
    stage.control(3);
    stage.claim(1);
}

#[test]
fn a_command_fences_a_turn_without_effects() {
    let mut stage = Stage::prompt();
    stage.arrive(1);
    let fence = stage.take();
    stage.control(2);
    let given = fence;
    let commit = Command::Commit(crate::stage::turn_end(fence, Some(1), Vec::new()));
    assert_eq!(stage.refuses(&commit), Refusal::Fenced { given });
    assert_eq!(stage.deadline(), None);
}

#[test]
fn a_command_lets_a_turn_with_effects_finish_without_starting_another() {
    let mut stage = Stage::prompt();
    stage.arrive(1);
    let fence = stage.take();
    stage.does(&Command::ReserveEffect {
        fence,
        tool: None,
        action: None,
    });
    stage.arrive(2);
    let events = stage.control(3);
    assert!(events.contains(&Event::Dropped {
        messages: messages(&[2]),
        reason: DropReason::Command
    }));
    assert_eq!(
        stage.refuses(&Command::ReserveEffect {
            fence,
            tool: None,
            action: None,
        }),
        Refusal::Stopping
    );
    stage.commit(fence, 1, Vec::new());
    let token = stage.claim(1);
    stage.settle(token, accepted());
    assert_eq!(stage.deadline(), None);
}

#[test]
fn a_command_takes_back_a_reply_on_its_way_if_it_comes_back_unsent() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    let token = stage.claim(1);
    stage.control(2);
    let events = stage.settle(token, Outcome::NotSent);
    assert_eq!(names(&events), ["not_sent", "cancelled"]);
}

#[test]
fn a_command_cuts_a_partly_sent_reply() {
    let mut stage = Stage::prompt();
    stage.answer_in(1, 1, 2);
    let token = stage.claim(1);
    stage.settle(token, accepted());
    stage.settle(token, Outcome::NotSent);
    assert!(stage.control(2).contains(&Event::Cut { reply: ReplyId(1) }));
}

#[test]
fn a_command_ends_a_rerun_that_has_not_begun() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    stage.loses(1);
    let target = stage.target(1);
    stage.does(&Command::Rerun {
        target,
        answered: Vec::new(),
        override_reason: None,
    });
    assert!(names(&stage.control(2)).contains(&"rerun_ended"));
    assert_eq!(stage.deadline(), None);
}
