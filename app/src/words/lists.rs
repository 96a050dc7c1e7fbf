//! Texts of lists and their filters.

use crate::view::Count;

/// What every filter has.
pub(crate) struct Filter {
    pub(crate) name: &'static str,
    pub(crate) any: &'static str,
    pub(crate) apply: &'static str,
    pub(crate) clear: &'static str,
    pub(crate) more: &'static str,
    pub(crate) channel: &'static str,
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    /// From when, if there is a beginning, and until when.
    pub(crate) range: fn(Option<&str>, &str) -> String,
    pub(crate) pages: &'static str,
    pub(crate) older: &'static str,
    pub(crate) newest: &'static str,
}

/// The messages page.
pub(crate) struct Messages {
    pub(crate) title: &'static str,
    pub(crate) caption: fn(usize, Option<Count>) -> String,
    pub(crate) query: &'static str,
    pub(crate) query_hint: &'static str,
    pub(crate) columns: MessageColumns,
    pub(crate) none_yet: &'static str,
    pub(crate) none_match: &'static str,
    pub(crate) none_older: &'static str,
    /// How far back was searched, when there is more.
    pub(crate) searched_to: fn(&str) -> String,
}

/// The columns of the messages table.
pub(crate) struct MessageColumns {
    pub(crate) received: &'static str,
    pub(crate) contact: &'static str,
    pub(crate) channel: &'static str,
    pub(crate) text: &'static str,
    pub(crate) status: &'static str,
    pub(crate) decision: &'static str,
    pub(crate) reply_time: &'static str,
    pub(crate) attempts: &'static str,
}
