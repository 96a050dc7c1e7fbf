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
    stage.does(&crate::stage::effect(fence));
    stage.arrive(2);
    let events = stage.control(3);
    assert!(events.contains(&Event::Dropped {
        messages: messages(&[2]),
        reason: DropReason::Command
    }));
    assert_eq!(
        stage.refuses(&crate::stage::effect(fence)),
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
    let (reply, by) = (ReplyId(1), CancelledBy::Command);
    assert_eq!(events[1], Event::Cancelled { reply, by });
}

/// A turn with an effect is stopped and then dies; its messages are taken up by another turn.
fn stopped_and_lost(end: impl Fn(&mut Stage, u64)) -> Stage {
    let mut stage = Stage::prompt();
    stage.arrive(1);
    let fence = stage.take();
    stage.does(&crate::stage::effect(fence));
    stage.control(2);
    end(&mut stage, fence);
    stage
}

fn lease_ends(stage: &mut Stage, _: u64) {
    let lease = stage.rules.lease_ms;
    stage.at(lease as i64).does(&Command::Expire);
}

fn hands_back(stage: &mut Stage, fence: u64) {
    stage.does(&Command::HandBackTurn { fence });
}

#[test]
fn a_stop_outlives_the_turn_that_it_met() {
    for end in [lease_ends, hands_back] {
        let mut stage = stopped_and_lost(end);
        let fence = stage.take();
        assert_eq!(
            stage.refuses(&crate::stage::effect(fence)),
            Refusal::Stopping
        );
        stage.commit(fence, 1, Vec::new());
        assert!(stage.reply(1).effects, "what was done is told");
        // What is asked after that is another matter.
        stage.arrive(3);
        let fence = stage.take();
        stage.does(&crate::stage::effect(fence));
    }
}

#[test]
fn a_stop_ends_with_the_last_message_that_it_met() {
    let takes_over = Command::TakeOver {
        by: "ana".to_owned(),
    };
    let second_stop = Command::Control {
        control: replygate_gate::control::Control::Stop,
        message: replygate_gate::MessageId(9),
    };
    for end in [takes_over, second_stop] {
        let mut stage = stopped_and_lost(lease_ends);
        stage.does(&end);
        if stage.session.takeover.is_some() {
            stage.does(&Command::HandBack);
        }
        stage.arrive(3);
        let fence = stage.take();
        stage.does(&crate::stage::effect(fence));
    }
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
