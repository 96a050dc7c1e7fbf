//! Texts of the log of what people did.

use crate::view::ActivityResult;

/// The log.
pub(crate) struct Activity {
    pub(crate) title: &'static str,
    pub(crate) caption: &'static str,
    pub(crate) columns: ActivityColumns,
    pub(crate) program: &'static str,
    /// What somebody did, by stored word.
    pub(crate) verb_of: fn(&str) -> String,
    pub(crate) result_of: fn(ActivityResult) -> &'static str,
    pub(crate) none_yet: &'static str,
    pub(crate) none_match: &'static str,
    pub(crate) none_older: &'static str,
}

/// Its columns.
pub(crate) struct ActivityColumns {
    pub(crate) at: &'static str,
    pub(crate) by: &'static str,
    pub(crate) verb: &'static str,
    pub(crate) object: &'static str,
    pub(crate) change: &'static str,
    pub(crate) reason: &'static str,
    pub(crate) result: &'static str,
}
