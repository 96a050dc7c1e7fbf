//! A person who answers instead of the agent.

use replygate_gate::{
    Command, Draft, DropReason, Event, Guarantee, Outcome, ParkReason, Refusal, ReplyId,
    ReplyStatus, TurnId,
};

use crate::stage::{Stage, accepted, failed, messages, names, unknown};

fn take_over() -> Command {
    let by = "ana".to_owned();
    Command::TakeOver { by }
}

fn say(by: &str, reply: u128) -> Command {
    Command::Say {
        by: by.to_owned(),
        draft: Draft {
            reply: ReplyId(reply),
            parts: 1,
        },
    }
}

#[test]
fn a_takeover_parks_undelivered_replies_and_covers_what_waits() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    stage.arrive(2);
    let fence = stage.take();
    let events = stage.does(&take_over());
    assert_eq!(
        names(&events),
        ["taken_over", "turn_lost", "dropped", "parked"]
    );
    assert_eq!(stage.reply(1).parked, Some(ParkReason::HumanTakeover));
    assert_eq!(
        stage.refuses(&Command::Renew { fence }),
        Refusal::Fenced { given: fence }
    );
    assert_eq!(stage.deadline(), None);
}

#[test]
fn a_session_is_taken_over_once() {
    let mut stage = Stage::new();
    stage.does(&take_over());
    let by = "ana".to_owned();
    assert_eq!(stage.refuses(&take_over()), Refusal::TakenOver { by });
}

#[test]
fn messages_during_a_takeover_are_the_persons() {
    let mut stage = Stage::prompt();
    stage.does(&take_over());
    let reason = DropReason::Person;
    assert_eq!(
        stage.arrive(1),
        [Event::Dropped {
            messages: messages(&[1]),
            reason
        }]
    );
    let turn = TurnId(1);
    assert_eq!(stage.refuses(&Command::Take { turn }), Refusal::NotRipe);
}

#[test]
fn only_the_person_who_took_over_speaks() {
    let mut stage = Stage::prompt();
    assert_eq!(stage.refuses(&say("ana", 1)), Refusal::NotTakenOver);
    stage.does(&take_over());
    let by = "ana".to_owned();
    assert_eq!(stage.refuses(&say("rui", 1)), Refusal::TakenOver { by });
    stage.does(&say("ana", 1));
    let token = stage.claim(1);
    stage.settle(token, accepted());
}

#[test]
fn after_the_hand_back_the_agent_answers_again() {
    let mut stage = Stage::prompt();
    stage.does(&take_over());
    stage.does(&Command::HandBack);
    assert_eq!(stage.refuses(&Command::HandBack), Refusal::NotTakenOver);
    stage.answer(1, 1);
    stage.claim(1);
}

#[test]
fn a_persons_message_is_never_taken_back() {
    let mut stage = Stage::prompt();
    stage.does(&take_over());
    stage.does(&say("ana", 1));
    stage.does(&Command::HandBack);
    stage.arrive(2);
    let fence = stage.take();
    let verdict = crate::stage::says(1, replygate_gate::Decision::CancelFirst);
    stage.commit(fence, 2, vec![verdict]);
    stage.claim(1);
}

#[test]
fn a_reply_on_its_way_at_the_takeover_is_parked_if_it_comes_back_unsent() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    let token = stage.claim(1);
    stage.does(&take_over());
    let events = stage.settle(token, Outcome::NotSent);
    assert_eq!(names(&events), ["not_sent", "parked"]);
    assert_eq!(stage.reply(1).parked, Some(ParkReason::HumanTakeover));
}

#[test]
fn what_an_operator_sent_again_is_parked_too_if_it_comes_back_unsent_during_a_takeover() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    stage.loses(1);
    let target = stage.target(1);
    stage.does(&Command::Reprocess(target));
    let token = stage.claim(1);
    stage.does(&take_over());
    let events = stage.settle(token, Outcome::NotSent);
    assert_eq!(names(&events), ["not_sent", "parked"]);
    assert_eq!(stage.deadline(), None);
}

#[test]
fn nothing_of_the_agents_is_repeated_during_a_takeover() {
    let mut stage = Stage::prompt();
    stage.rules.guarantee = Guarantee::AtLeastOnce;
    stage.answer(1, 1);
    stage.loses(1);
    let events = stage.does(&take_over());
    assert_eq!(names(&events), ["taken_over", "repetition_ended"]);
    assert_eq!(stage.deadline(), None);
    let claim = stage.at(1_000).claiming(1);
    assert_eq!(stage.refuses(&claim), Refusal::Parked);
    let target = stage.target(1);
    assert!(matches!(
        stage.refuses(&Command::Reprocess(target)),
        Refusal::TakenOver { .. }
    ));
}

/// The person's words and later answers left meanwhile: a repetition behind them would turn the order round.
#[test]
fn what_a_takeover_kept_from_being_repeated_waits_for_an_operator_after_the_hand_back() {
    let mut stage = Stage::prompt();
    stage.rules.guarantee = Guarantee::AtLeastOnce;
    stage.answer(1, 1);
    stage.loses(1);
    stage.does(&take_over());
    stage.does(&say("ana", 2));
    let token = stage.claim(2);
    stage.settle(token, accepted());
    stage.does(&Command::HandBack);
    assert_eq!(stage.deadline(), None);
    let claim = stage.at(60_000).claiming(1);
    assert_eq!(stage.refuses(&claim), Refusal::Parked);
    let target = stage.target(1);
    stage.does(&Command::Reprocess(target));
    assert!(stage.reply(1).seq > 2, "it comes back at the end");
    stage.claim(1);
}

#[test]
fn a_repetition_on_its_way_at_the_takeover_is_the_last_one() {
    for outcome in [Outcome::NotSent, failed(), unknown()] {
        let mut stage = Stage::prompt();
        stage.rules.guarantee = Guarantee::AtLeastOnce;
        stage.answer(1, 1);
        stage.loses(1);
        let token = stage.at(1_000).claim(1);
        stage.does(&take_over());
        stage.settle(token, outcome);
        stage.does(&Command::HandBack);
        assert_eq!(stage.status(1), Some(ReplyStatus::Unknown));
        assert_eq!(stage.deadline(), None);
    }
}
