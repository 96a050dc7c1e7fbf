//! Messages coming in: windows, edits, late ones.

use replygate_gate::debounce::Signal;
use replygate_gate::{
    Admission, Arrival, At, Command, DropReason, Event, MessageId, Refusal, TurnId,
};

use crate::stage::{Stage, messages, names};

#[test]
fn each_message_arms_the_window_anew() {
    let mut stage = Stage::new();
    stage.arrive_as(1, Signal::Neutral);
    stage.at(1_000).arrive_as(2, Signal::Closed);
    assert_eq!(stage.deadline(), Some(At(2_200)));
    let turn = TurnId(1);
    assert_eq!(
        stage.at(2_199).refuses(&Command::Take { turn }),
        Refusal::NotRipe
    );
    stage.at(2_200).take();
    assert_eq!(stage.session.owner.unwrap().burst, messages(&[1, 2]));
}

#[test]
fn a_writer_who_never_pauses_is_answered_all_the_same() {
    let mut stage = Stage::new();
    for n in 0..7 {
        stage
            .at(n * 2_000)
            .arrive_as(n as u128 + 1, Signal::Neutral);
    }
    assert_eq!(stage.deadline(), Some(At(12_500)));
}

#[test]
fn messages_during_a_turn_wait_for_the_next_one() {
    let mut stage = Stage::prompt();
    stage.arrive(1);
    let fence = stage.take();
    stage.arrive(2);
    let turn = TurnId(9);
    assert_eq!(stage.refuses(&Command::Take { turn }), Refusal::NotRipe);
    stage.commit(fence, 1, Vec::new());
    assert!(stage.session.is_held(stage.reply(1)));
    stage.take();
    assert_eq!(stage.session.owner.unwrap().burst, messages(&[2]));
}

#[test]
fn an_edit_inside_the_window_changes_its_message_and_holds_anew() {
    let mut stage = Stage::new();
    stage.arrive(1);
    let events = stage.at(500).edit(2, 1, Signal::Neutral);
    assert_eq!(names(&events), ["edited"]);
    assert_eq!(stage.session.epoch, 2);
    assert_eq!(stage.session.uncovered.len(), 1);
    assert_eq!(stage.session.uncovered[0].epoch, 2);
    assert_eq!(stage.deadline(), Some(At(3_000)));
}

#[test]
fn an_edit_after_the_turn_began_is_a_new_message_that_says_what_it_corrects() {
    let mut stage = Stage::prompt();
    stage.arrive(1);
    stage.take();
    let events = stage.edit(2, 1, Signal::Closed);
    assert_eq!(names(&events), ["arrived"]);
    let fresh: Vec<_> = stage.session.fresh().collect();
    assert_eq!(fresh[0].edit_of, Some(MessageId(1)));
}

#[test]
fn a_burst_waits_for_the_transcript_of_a_note_and_no_longer() {
    let mut stage = Stage::new();
    stage.note(1, 12_000);
    stage.at(2_000).note(2, 5_000);
    stage.at(3_000).edit(3, 2, Signal::Closed);
    stage.arrive(4);
    // Not the sentence that was complete, but the first note.
    assert_eq!(stage.deadline(), Some(At(12_000)));
    assert_eq!(stage.session.uncovered.len(), 3);
    let turn = TurnId(1);
    assert_eq!(
        stage.at(4_300).refuses(&Command::Take { turn }),
        Refusal::NotRipe
    );
    stage.at(9_000).edit(5, 1, Signal::Closed);
    assert!(stage.deadline() <= Some(At(9_000 + 1_200)));
    stage.at(10_200).take();
    assert_eq!(stage.session.owner.unwrap().burst, messages(&[1, 2, 4]));
}

#[test]
fn a_transcript_that_does_not_come_is_waited_for_up_to_its_time_and_up_to_the_bound() {
    let mut stage = Stage::new();
    stage.note(1, 9_000);
    assert_eq!(stage.deadline(), Some(At(9_000)));
    stage.at(1_000).note(2, 100_000);
    // As long as for somebody in the middle of a sentence.
    assert_eq!(stage.deadline(), Some(At(15_000)));
    stage.at(15_000).take();
    assert_eq!(stage.session.owner.unwrap().burst, messages(&[1, 2]));
}

#[test]
fn a_full_burst_and_a_channel_without_windows_wait_for_no_transcript() {
    let mut full = Stage::new();
    full.rules.windows.max_messages = 2;
    full.note(1, 9_000);
    full.at(100).note(2, 9_000);
    assert_eq!(full.deadline(), Some(At(100)));
    let mut prompt = Stage::prompt();
    prompt.note(1, 9_000);
    prompt.take();
}

#[test]
fn a_transcript_that_comes_after_its_turn_began_is_a_newer_message() {
    let mut stage = Stage::new();
    stage.note(1, 3_000);
    let fence = stage.at(4_000).take();
    stage.edit(2, 1, Signal::Closed);
    let fresh: Vec<_> = stage.session.fresh().collect();
    assert_eq!(fresh[0].edit_of, Some(MessageId(1)));
    assert_eq!(fresh[0].awaited, None);
    stage.commit(fence, 1, Vec::new());
    assert!(stage.session.is_held(stage.reply(1)));
}

#[test]
fn an_edit_of_a_delivered_answer_holds_nothing_that_is_gone_and_is_answered() {
    let mut stage = Stage::prompt();
    stage.answer(1, 1);
    let token = stage.claim(1);
    stage.settle(token, crate::stage::accepted());
    stage.edit(2, 1, Signal::Closed);
    let fence = stage.take();
    stage.commit(fence, 2, Vec::new());
    stage.claim(2);
}

#[test]
fn a_message_the_channel_delivers_too_late_is_recorded_and_starts_nothing() {
    let mut stage = Stage::new();
    stage.arrive(1);
    let before = stage.session.clone();
    let events = stage.does(&Command::Arrive(Arrival {
        message: MessageId(2),
        signal: Signal::Closed,
        edit_of: None,
        awaits_ms: None,
        admission: Admission::Late,
        sender: replygate_gate::Sender::Reads,
    }));
    let reason = DropReason::Late;
    assert_eq!(
        events,
        [Event::Dropped {
            messages: messages(&[2]),
            reason
        }]
    );
    assert_eq!(stage.session, before);
}

#[test]
fn a_lost_turn_is_taken_again_with_everything_that_waits() {
    let mut stage = Stage::prompt();
    stage.arrive(1);
    let fence = stage.take();
    stage.arrive(2);
    stage.at(15_000).does(&Command::Expire);
    assert_eq!(stage.take(), fence + 1);
    assert_eq!(
        stage.session.owner.as_ref().unwrap().burst,
        messages(&[1, 2])
    );
    assert_eq!(
        stage.refuses(&Command::Renew { fence }),
        Refusal::Fenced { given: fence }
    );
    assert_eq!(
        stage.refuses(&crate::stage::effect(fence)),
        Refusal::Fenced { given: fence }
    );
}

#[test]
fn a_renewed_lease_does_not_end() {
    let mut stage = Stage::prompt();
    stage.arrive(1);
    let fence = stage.take();
    stage.at(10_000).does(&Command::Renew { fence });
    assert_eq!(stage.at(15_000).refuses(&Command::Expire), Refusal::Nothing);
    assert_eq!(stage.deadline(), Some(At(25_000)));
}

#[test]
fn a_turn_handed_back_is_ripe_at_once_and_its_effects_go_to_the_next() {
    let mut stage = Stage::new();
    stage.arrive(1);
    let fence = stage.at(1_200).take();
    stage.does(&crate::stage::effect(fence));
    stage.at(1_300).does(&Command::HandBackTurn { fence });
    let fence = stage.take();
    stage.commit(fence, 1, Vec::new());
    assert!(stage.reply(1).effects);
}

#[test]
fn the_delay_counts_from_the_close_of_the_window_and_the_length_of_the_run() {
    let mut stage = Stage::new();
    stage.arrive(1);
    let fence = stage.at(1_210).take();
    let mut end = crate::stage::turn_end(fence, Some(1), Vec::new());
    end.run_ms = 400;
    stage.at(1_630).does(&Command::Commit(end));
    assert_eq!(stage.reply(1).not_before, At(2_200));
}
