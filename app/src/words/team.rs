//! Texts of the team's page.

use crate::view::Membership;

/// The team's page.
pub(crate) struct Team {
    pub(crate) title: &'static str,
    pub(crate) caption: &'static str,
    pub(crate) columns: TeamColumns,
    pub(crate) membership_of: fn(Membership) -> &'static str,
    pub(crate) you: &'static str,
    pub(crate) save: &'static str,
    pub(crate) reset: &'static str,
    pub(crate) new_link: &'static str,
    pub(crate) remove: &'static str,
    pub(crate) invite: &'static str,
    pub(crate) invite_button: &'static str,
    pub(crate) link_for: fn(&str) -> String,
    /// Until when it is good.
    pub(crate) link_hint: fn(&str) -> String,
    pub(crate) roles: &'static str,
    pub(crate) may: &'static str,
}

/// The columns of the team's table.
pub(crate) struct TeamColumns {
    pub(crate) name: &'static str,
    pub(crate) state: &'static str,
    pub(crate) role: &'static str,
    pub(crate) act: &'static str,
}
