//! Texts of the pages about decisions.

use crate::view::{StatusWord, VerdictWord};

/// The list of decisions and the page of one.
pub(crate) struct Decisions {
    pub(crate) title: &'static str,
    pub(crate) caption: &'static str,
    pub(crate) columns: DecisionColumns,
    pub(crate) percent: fn(u8) -> String,
    /// A latency, from its milliseconds.
    pub(crate) took: fn(u32) -> String,
    /// Tokens read and written; nothing where no model was asked.
    pub(crate) tokens: fn(u64, u64) -> String,
    pub(crate) none_yet: &'static str,
    pub(crate) none_match: &'static str,
    pub(crate) none_older: &'static str,
    pub(crate) title_one: &'static str,
    /// What the newest verdict made of the reply.
    pub(crate) story: fn(Option<VerdictWord>, StatusWord) -> &'static str,
    pub(crate) verdicts: &'static str,
    pub(crate) reason: &'static str,
    /// So long after the reply was written.
    pub(crate) gap: fn(&str) -> String,
    pub(crate) said: &'static str,
    pub(crate) asked: &'static str,
    pub(crate) nothing_asked: &'static str,
    pub(crate) reply: &'static str,
    pub(crate) newer: &'static str,
    pub(crate) nothing_newer: &'static str,
    pub(crate) whole: &'static str,
}

/// The columns of the list.
pub(crate) struct DecisionColumns {
    pub(crate) at: &'static str,
    pub(crate) verdict: &'static str,
    pub(crate) reply: &'static str,
    pub(crate) contact: &'static str,
    pub(crate) by: &'static str,
    pub(crate) sure: &'static str,
    pub(crate) took: &'static str,
    pub(crate) tokens: &'static str,
    pub(crate) became: &'static str,
}
