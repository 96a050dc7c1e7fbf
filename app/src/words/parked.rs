//! Texts of the inbox.

use crate::view::{Cause, InboxView, Meanwhile};

/// The inbox.
pub(crate) struct Parked {
    pub(crate) title: &'static str,
    pub(crate) caption: fn(usize) -> String,
    pub(crate) query: &'static str,
    pub(crate) query_hint: &'static str,
    pub(crate) view: &'static str,
    pub(crate) view_of: fn(InboxView) -> &'static str,
    pub(crate) age: &'static str,
    pub(crate) all: &'static str,
    pub(crate) reasons: &'static str,
    /// The cause, its reason in words, from when and to when.
    pub(crate) cause: fn(&Cause, &str, &str, &str) -> String,
    pub(crate) columns: ParkedColumns,
    pub(crate) meanwhile: fn(&Meanwhile) -> String,
    pub(crate) returns: fn(u32) -> String,
    /// The name of a row's box.
    pub(crate) pick: fn(&str) -> String,
    pub(crate) decide: &'static str,
    pub(crate) plan_selected: &'static str,
    pub(crate) discard_selected: &'static str,
    pub(crate) all_that_match: &'static str,
    pub(crate) plan_hint: &'static str,
    pub(crate) may_not_bulk: &'static str,
    pub(crate) none_yet: &'static str,
    pub(crate) none_match: &'static str,
    pub(crate) none_older: &'static str,
}

/// The columns of the inbox.
pub(crate) struct ParkedColumns {
    pub(crate) select: &'static str,
    pub(crate) select_all: &'static str,
    pub(crate) text: &'static str,
    pub(crate) contact: &'static str,
    pub(crate) channel: &'static str,
    pub(crate) why: &'static str,
    pub(crate) attempts: &'static str,
    pub(crate) since: &'static str,
    pub(crate) meanwhile: &'static str,
    pub(crate) act: &'static str,
}
