//! Texts of the page on which one waiting reply is decided.

use crate::view::{Check, Choice, LastDeed, Outcome, Weight};

/// The page.
pub(crate) struct Decide {
    pub(crate) title: &'static str,
    pub(crate) title_over: &'static str,
    pub(crate) text: &'static str,
    pub(crate) status: &'static str,
    pub(crate) why: &'static str,
    pub(crate) since: &'static str,
    pub(crate) written: &'static str,
    pub(crate) contact: &'static str,
    pub(crate) channel: &'static str,
    pub(crate) attempts: &'static str,
    pub(crate) reply: &'static str,
    pub(crate) checks: &'static str,
    pub(crate) nothing_against: &'static str,
    pub(crate) check: fn(&Check) -> String,
    pub(crate) weight: fn(Weight) -> &'static str,
    pub(crate) choices: &'static str,
    pub(crate) choice: fn(Choice) -> &'static str,
    /// What is usual here, by the name of the choice.
    pub(crate) usual: fn(&str) -> String,
    pub(crate) reason: &'static str,
    pub(crate) reason_hint: &'static str,
    pub(crate) overrule: &'static str,
    pub(crate) keep: &'static str,
    pub(crate) no_way_back: &'static str,
    pub(crate) done: fn(&Outcome) -> String,
    pub(crate) now: &'static str,
    pub(crate) not_done: &'static str,
    pub(crate) over: &'static str,
    pub(crate) last_deed: fn(&LastDeed) -> String,
    pub(crate) back: &'static str,
}
