//! Texts of avoided duplicates.

#[cfg(feature = "ssr")]
use crate::view::SettledCall;
use crate::view::{Count, DifferenceWord, GuardFigures, OpinionWord};

/// The list.
pub(crate) struct Duplicates {
    pub(crate) title: &'static str,
    pub(crate) caption: fn(usize, Option<Count>) -> String,
    /// How the guard does, and how long ago it held back a call last.
    pub(crate) figures: fn(&GuardFigures, Option<&str>) -> String,
    pub(crate) built_in: &'static str,
    pub(crate) query: &'static str,
    pub(crate) query_hint: &'static str,
    pub(crate) tool: &'static str,
    pub(crate) columns: DuplicateColumns,
    /// Why a call was held back, and how long after the first in milliseconds.
    pub(crate) avoided: fn(&str, u64) -> String,
    /// How the second call differs, before the place where it does.
    pub(crate) difference_of: fn(DifferenceWord) -> &'static str,
    pub(crate) alike: &'static str,
    pub(crate) opinion_of: fn(OpinionWord) -> &'static str,
    pub(crate) unjudged: &'static str,
    pub(crate) none_yet: &'static str,
    pub(crate) none_match: &'static str,
    pub(crate) none_older: &'static str,
    pub(crate) unknown_title: &'static str,
    pub(crate) unknown_hint: &'static str,
    pub(crate) how_known: &'static str,
    pub(crate) happened: &'static str,
    pub(crate) not_happened: &'static str,
    pub(crate) may_not_settle: &'static str,
}

/// Its columns.
pub(crate) struct DuplicateColumns {
    pub(crate) at: &'static str,
    pub(crate) what: &'static str,
    pub(crate) channel: &'static str,
    pub(crate) contact: &'static str,
    pub(crate) first: &'static str,
    pub(crate) compared: &'static str,
    pub(crate) differs: &'static str,
    pub(crate) note: &'static str,
    pub(crate) verdict: &'static str,
}

/// The page of one.
#[cfg(feature = "ssr")]
pub(crate) struct Duplicate {
    pub(crate) title: fn(&str) -> String,
    pub(crate) why: &'static str,
    pub(crate) at: &'static str,
    pub(crate) window_name: &'static str,
    /// The window and how much of it had passed, in milliseconds.
    pub(crate) window: fn(u64, u64) -> String,
    pub(crate) channel: &'static str,
    pub(crate) contact: &'static str,
    pub(crate) session: &'static str,
    pub(crate) calls: &'static str,
    pub(crate) first_call: &'static str,
    pub(crate) first_gone: &'static str,
    pub(crate) state_of: fn(&str) -> String,
    pub(crate) settled_by: fn(&str) -> String,
    pub(crate) result: &'static str,
    pub(crate) argument: &'static str,
    pub(crate) first: &'static str,
    pub(crate) second: &'static str,
    pub(crate) how: &'static str,
    pub(crate) compared: &'static str,
    pub(crate) ignored: &'static str,
    pub(crate) differs: &'static str,
    pub(crate) absent: &'static str,
    pub(crate) same_by: fn(&str) -> String,
    pub(crate) missing: fn(&str) -> String,
    pub(crate) told: &'static str,
    pub(crate) then_said: &'static str,
    pub(crate) around: &'static str,
    pub(crate) verdict: &'static str,
    pub(crate) comment: &'static str,
    pub(crate) allow_title: &'static str,
    pub(crate) allow: &'static str,
    pub(crate) allow_hint: &'static str,
    pub(crate) reason: &'static str,
    pub(crate) judged: &'static str,
    /// A call whose outcome nobody knew is settled; it stands on the list.
    pub(crate) settled: fn(&SettledCall) -> String,
    pub(crate) allowed: &'static str,
    pub(crate) deeds: &'static str,
    /// What was done, with how it was before and after.
    pub(crate) change: fn(Option<&str>, Option<&str>) -> String,
}
