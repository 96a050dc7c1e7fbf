//! What every store must show the console: rows that follow the events, lists that are filtered, ordered and paged.

mod lists;
mod rows;

pub use lists::*;
pub use rows::*;

/// The suite of the console's read port.
#[macro_export]
macro_rules! views_contract {
    ($name:ident, $harness:ty $(, $($runtime:tt)*)?) => {
        $crate::contract_cases!($name, $harness, ($($($runtime)*)?), views: [
            a_reply_waits_is_handed_over_and_delivered,
            a_reply_is_released_and_held_again,
            a_cancelled_reply_says_so,
            a_superseded_reply_names_its_successor,
            a_failing_channel_is_counted_and_its_word_kept,
            a_stuck_lock_is_counted_and_parks,
            an_unknown_reply_is_settled_by_a_report,
            a_reply_put_back_in_line_keeps_its_id_and_grows_a_generation,
            a_discarded_reply_says_so,
            a_reply_that_is_too_old_is_parked_or_expires,
            a_reply_cut_short_is_delivered_and_marked,
            a_failed_turn_leaves_an_empty_parked_reply,
            a_persons_reply_is_marked_as_theirs,
            a_reply_with_effects_shows_them,
            a_message_waits_until_it_is_covered,
            dropped_messages_say_why,
            sessions_are_listed_newest_activity_first,
            sessions_are_filtered,
            a_summary_shows_the_newest_message_and_reply,
            a_conversation_is_one_list_newest_first,
            a_message_stored_late_stands_where_it_was_written,
            a_timeline_is_paged_newest_first,
            messages_are_filtered_and_paged,
            a_search_tells_how_far_it_comes_and_goes_on_there,
            replies_are_filtered_and_paged_by_their_last_change,
            replies_are_found_by_the_messages_they_cover,
            steps_with_verdicts_are_listed_newest_first,
            a_channels_figures_are_its_own,
            open_replies_are_counted_by_status,
            unknown_ids_are_left_out_of_views,
        ]);
    };
}
