//! Several authors in one conversation.

use replygate_gate::{Neighbours, Refusal};

use crate::stage::Stage;

#[test]
fn a_reply_takes_the_next_number_of_the_whole_conversation() {
    let mut stage = Stage::prompt();
    stage.neighbours.last_seq = 41;
    stage.answer(1, 1);
    assert_eq!(stage.reply(1).seq, 42);
}

#[test]
fn a_reply_waits_for_an_earlier_one_to_another_author() {
    let mut stage = Stage::prompt();
    stage.neighbours = Neighbours {
        last_seq: 4,
        first_open: Some(3),
    };
    stage.answer(1, 1);
    let claim = stage.claiming(1);
    assert_eq!(stage.refuses(&claim), Refusal::NotHead);
    stage.neighbours.first_open = Some(6);
    stage.does(&claim);
}
