//! Lists and their filters.

use crate::view::Count;
use crate::words::lists::{Filter, MessageColumns, Messages};

pub(super) const FILTER: Filter = Filter {
    name: "Filter",
    any: "Any",
    apply: "Apply",
    clear: "Clear filters",
    more: "More filters",
    channel: "Channel",
    from: "From",
    to: "To",
    range: |from, to| match from {
        Some(from) => format!("From {from} to {to}"),
        None => format!("Up to {to}"),
    },
    pages: "Pages",
    older: "Older",
    newest: "Newest",
};

/// How many of how many, and in which order.
pub(super) fn caption(
    shown: usize,
    total: Option<Count>,
    one: &str,
    many: &str,
    order: &str,
) -> String {
    let noun = if shown == 1 && total.is_none() {
        one
    } else {
        many
    };
    match total {
        Some(Count::Exactly(1)) => format!("1 {one}"),
        Some(Count::Exactly(total)) => format!("{shown} of {total} {many}, {order}"),
        Some(Count::MoreThan(total)) => format!("{shown} of more than {total} {many}, {order}"),
        None => format!("{shown} {noun}, {order}"),
    }
}

pub(super) const MESSAGES: Messages = Messages {
    title: "Messages",
    caption: |shown, total| caption(shown, total, "message", "messages", "newest first"),
    query: "Search",
    query_hint: "Words, or terms: channel: status: decision: from: to:",
    columns: MessageColumns {
        received: "Received",
        contact: "Contact",
        channel: "Channel",
        text: "Text",
        status: "Reply",
        decision: "Decision",
        reply_time: "Reply time",
        attempts: "Attempts",
    },
    none_yet: "No message yet. Messages appear here when a customer writes.",
    none_match: "No message matches these filters.",
    none_older: "There are no older messages.",
    searched_to: |time| format!("Searched back to {time}. “Older” goes on from there."),
};
