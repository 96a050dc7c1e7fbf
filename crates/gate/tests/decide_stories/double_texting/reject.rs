//! `reject`: a busy session takes no message in.

use replygate_gate::debounce::Signal;
use replygate_gate::{
    Admission, Arrival, At, Command, DropReason, Event, MessageId, ReplyId, Sender, Strategy,
    TurnId,
};

use super::{answering, under};
use crate::stage::{Stage, accepted, messages, names};

fn from(message: u128, sender: Sender) -> Command {
    Command::Arrive(Arrival {
        message: MessageId(message),
        signal: Signal::Closed,
        edit_of: None,
        awaits_ms: None,
        admission: Admission::Turn,
        sender,
    })
}

/// What an arrival does that leaves everything as it was.
fn refused(stage: &mut Stage, sender: Sender) -> Vec<Event> {
    let before = stage.session.clone();
    let events = stage.does(&from(2, sender));
    assert_eq!(stage.session, before);
    events
}

#[test]
fn a_message_is_refused_while_a_turn_runs_and_the_refusal_names_it() {
    let (mut stage, _) = answering(Strategy::Reject);
    stage.at(70);
    let rejected = Event::Rejected {
        message: MessageId(2),
        at: At(70),
        turn: Some(TurnId(1)),
        replies: Vec::new(),
    };
    assert_eq!(refused(&mut stage, Sender::Reads), [rejected]);
}

#[test]
fn a_message_is_refused_until_the_reply_has_left() {
    let mut stage = under(Strategy::Reject);
    stage.answer(1, 1);
    let events = refused(&mut stage, Sender::Reads);
    assert!(
        matches!(&events[0], Event::Rejected { turn: None, replies, .. } if *replies == [ReplyId(1)])
    );
    let token = stage.claim(1);
    refused(&mut stage, Sender::Reads);
    stage.settle(token, accepted());
    assert_eq!(names(&stage.does(&from(2, Sender::Reads))), ["arrived"]);
}

#[test]
fn a_message_that_would_be_delivered_again_is_dropped_on_record() {
    let (mut stage, _) = answering(Strategy::Reject);
    let events = refused(&mut stage, Sender::Redelivers);
    assert_eq!(names(&events), ["rejected", "dropped"]);
    assert_eq!(
        events[1],
        Event::Dropped {
            messages: messages(&[2]),
            reason: DropReason::Rejected
        }
    );
}

#[test]
fn messages_of_one_burst_are_not_double_texting() {
    let mut stage = Stage::new();
    stage.rules.strategy = Strategy::Reject;
    stage.arrive(1);
    let events = stage.at(300).arrive(2);
    assert_eq!(names(&events), ["arrived"]);
}

#[test]
fn a_control_command_is_never_refused() {
    let (mut stage, _) = answering(Strategy::Reject);
    let events = stage.control(2);
    assert!(names(&events).contains(&"turn_lost"));
}

#[test]
fn a_reply_that_waits_for_a_person_refuses_nobody() {
    let (mut stage, fence) = answering(Strategy::Reject);
    stage.does(&Command::Fail {
        fence,
        reply: ReplyId(1),
        verdicts: Vec::new(),
        usage: replygate_gate::Usage::default(),
        code: "timeout".to_owned(),
    });
    assert_eq!(names(&stage.arrive(2)), ["arrived"]);
}

#[test]
fn a_persons_reply_that_is_on_its_way_is_let_go_rather_than_in_the_way() {
    let mut stage = under(Strategy::Reject);
    let by = "ana".to_owned();
    stage.does(&Command::TakeOver { by: by.clone() });
    let draft = replygate_gate::Draft {
        reply: ReplyId(1),
        parts: 1,
    };
    stage.does(&Command::Say { by, draft });
    stage.does(&Command::HandBack);
    assert_eq!(names(&stage.arrive(1)), ["arrived", "released"]);
}
