//! What every store must keep while it is tidied: open work stays whole, one person is erased and nobody else.

mod erasure;
mod retention;

use replygate_gate::{MessageId, ReplyId, SessionKey};

pub use erasure::*;
pub use retention::*;

use super::stage::{Stage, accepted};

/// The suite of the upkeep port.
#[macro_export]
macro_rules! upkeep_contract {
    ($name:ident, $harness:ty $(, $($runtime:tt)*)?) => {
        $crate::contract_cases!($name, $harness, ($($($runtime)*)?), upkeep: [
            old_texts_are_emptied_and_the_rest_stays,
            old_steps_go_and_the_session_stays,
            dedupe_keys_stay_until_their_time,
            a_session_with_open_work_is_left_whole,
            a_round_is_bounded_and_rounds_come_to_an_end,
            credentials_that_ended_go_and_the_others_stay,
            one_person_is_forgotten_and_nobody_else,
            a_person_is_forgotten_in_one_channel_only,
            forgetting_a_stranger_does_nothing,
            a_forgotten_person_may_write_again,
        ]);
    };
}

/// A session at rest: one message, answered and delivered.
async fn settled(stage: &mut Stage, key: &SessionKey, asked: &str) -> (MessageId, ReplyId) {
    let (message, reply) = stage
        .exchange(key, asked, &format!("answer to {asked}"))
        .await;
    stage.hand_over(key, reply, accepted()).await;
    stage.later(1_000);
    (message, reply)
}
