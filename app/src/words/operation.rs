//! Texts of operations.

use crate::view::{Choice, ItemWord, OperationRow, OperationWord, Pace};

/// An operation's page, and the list of operations.
pub(crate) struct Operation {
    pub(crate) title: fn(&OperationRow) -> String,
    pub(crate) state: &'static str,
    pub(crate) state_of: fn(OperationWord) -> &'static str,
    pub(crate) by: &'static str,
    pub(crate) planned: &'static str,
    pub(crate) started: &'static str,
    pub(crate) ended: &'static str,
    pub(crate) reason: &'static str,
    pub(crate) pace: &'static str,
    pub(crate) pace_of: fn(Pace) -> String,
    pub(crate) progress: fn(&OperationRow) -> String,
    pub(crate) behind: &'static str,
    pub(crate) outcomes: &'static str,
    pub(crate) outcome_of: fn(ItemWord) -> &'static str,
    pub(crate) all: &'static str,
    pub(crate) replies: &'static str,
    pub(crate) columns: ItemColumns,
    /// Why a reply was skipped, came back or was noticed, by stored word.
    pub(crate) why_of: fn(&str) -> String,
    pub(crate) none: &'static str,
    /// The title of the plan.
    pub(crate) question: fn(Choice, u32) -> String,
    /// What customers will see: how many, written between how long ago.
    pub(crate) customers: fn(Choice, u32, &str, &str) -> String,
    pub(crate) skipped: fn(u32, &str) -> String,
    pub(crate) noticed: fn(u32, &str) -> String,
    pub(crate) by_channel: &'static str,
    pub(crate) not_included: &'static str,
    pub(crate) no_way_back: fn(Choice) -> &'static str,
    pub(crate) per_minute: &'static str,
    pub(crate) first: &'static str,
    pub(crate) first_hint: &'static str,
    pub(crate) halt: &'static str,
    pub(crate) typed: fn(u32) -> String,
    pub(crate) start: fn(Choice, u32) -> String,
    pub(crate) keep: &'static str,
    pub(crate) may_not: &'static str,
    pub(crate) pause: &'static str,
    pub(crate) resume: &'static str,
    pub(crate) stop: &'static str,
    pub(crate) wheel: fn(OperationWord) -> &'static str,
}

/// The columns of an operation's replies.
pub(crate) struct ItemColumns {
    pub(crate) reply: &'static str,
    pub(crate) channel: &'static str,
    pub(crate) outcome: &'static str,
    pub(crate) why: &'static str,
    pub(crate) at: &'static str,
}

/// The list of operations.
#[cfg(feature = "ssr")]
pub(crate) struct Operations {
    pub(crate) title: &'static str,
    pub(crate) caption: &'static str,
    pub(crate) columns: OperationColumns,
    pub(crate) none_yet: &'static str,
    pub(crate) none_older: &'static str,
}

/// The columns of the list.
#[cfg(feature = "ssr")]
pub(crate) struct OperationColumns {
    pub(crate) what: &'static str,
    pub(crate) state: &'static str,
    pub(crate) by: &'static str,
    pub(crate) planned: &'static str,
    pub(crate) outcomes: &'static str,
    pub(crate) reason: &'static str,
}
