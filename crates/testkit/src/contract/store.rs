//! What every store must keep: versions, once-only messages, all or nothing, durability, order.

mod history;
mod log;
mod messages;
mod order;
mod schedule;
mod versions;

use replygate_gate::{At, MessageId};
use replygate_ports::store::{HistoryEntry, Store};

pub use history::*;
pub use log::*;
pub use messages::*;
pub use order::*;
pub use schedule::*;
pub use versions::*;

/// The suite of the store port: `store_contract!(name, Harness)`, with arguments for `tokio::test` behind them if needed.
#[macro_export]
macro_rules! store_contract {
    ($name:ident, $harness:ty $(, $($runtime:tt)*)?) => {
        $crate::contract_cases!($name, $harness, ($($($runtime)*)?), store: [
            the_first_append_makes_version_one,
            an_unknown_id_is_nothing,
            a_stale_version_is_refused_with_both_versions,
            a_new_session_is_made_once,
            of_many_concurrent_appenders_one_wins,
            concurrent_appends_to_many_sessions_all_succeed,
            a_message_received_twice_names_the_first,
            a_message_raced_by_its_twin_is_kept_once,
            the_same_id_elsewhere_is_another_message,
            a_newer_edit_is_no_duplicate,
            a_step_refused_for_its_version_leaves_no_trace,
            a_step_refused_as_duplicate_leaves_no_trace,
            everything_survives_a_restart,
            any_text_comes_back_as_it_was,
            messages_keep_their_order,
            contents_come_in_the_order_asked,
            an_edit_in_the_window_replaces_the_text,
            a_note_is_waited_for_until_its_transcript_takes_its_place,
            an_edit_of_an_answered_message_stands_beside_it,
            a_merge_covers_what_it_replaced,
            a_merge_that_comes_true_later_grows_what_is_covered,
            the_schedule_is_in_order_and_bounded,
            paging_the_schedule_is_stable_under_changes,
            a_session_at_rest_leaves_the_schedule,
            stored_steps_replay_to_the_stored_session,
            steps_are_paged_by_version,
            a_taken_number_of_the_conversation_is_a_conflict,
            a_reply_put_back_in_line_may_take_a_number_behind_its_own,
            neighbours_are_the_other_authors_of_the_group,
            answers_elsewhere_are_the_delivered_and_the_unknown,
            a_repeated_request_names_the_first_deed,
            a_request_that_raced_itself_is_carried_out_once,
            history_follows_the_channels_time,
            equal_times_keep_the_order_of_arrival,
            history_tells_what_became_of_each_reply,
            history_ends_with_the_newest_and_leaves_out_what_is_asked,
            a_reset_ends_the_history,
            a_groups_history_spans_its_authors,
            a_working_store_answers_a_ping,
        ]);
    };
}

async fn texts_of(store: &dyn Store, ids: &[MessageId]) -> Vec<String> {
    store
        .texts(ids)
        .await
        .unwrap()
        .into_iter()
        .map(|text| text.text)
        .collect()
}

async fn schedule(store: &dyn Store, until: At) -> Vec<replygate_gate::SessionId> {
    store
        .scheduled(until, None, 1_000)
        .await
        .unwrap()
        .into_iter()
        .map(|(_, id)| id)
        .collect()
}

fn lines(history: &[HistoryEntry]) -> Vec<String> {
    let line = |entry: &HistoryEntry| match entry {
        HistoryEntry::Customer { text, .. } => format!("customer: {text}"),
        HistoryEntry::Agent { parts, .. } => format!("agent: {}", parts.join("+")),
        HistoryEntry::Person { parts, .. } => format!("person: {}", parts.join("+")),
    };
    history.iter().map(line).collect()
}
