//! Texts of what stands around pages: keys, personal settings, notices after an action.

/// The list of keys.
pub(crate) struct Keys {
    pub(crate) title: &'static str,
    pub(crate) close: &'static str,
    /// Keys, separated by blanks, and what they do.
    pub(crate) others: &'static [(&'static str, &'static str)],
}

/// A person's own settings.
pub(crate) struct Me {
    pub(crate) title: &'static str,
    pub(crate) appearance: &'static str,
    pub(crate) theme: &'static str,
    pub(crate) theme_of: fn(crate::view::Theme) -> &'static str,
    pub(crate) density: &'static str,
    pub(crate) density_of: fn(crate::view::Density) -> &'static str,
    pub(crate) zone: &'static str,
    pub(crate) zone_of_browser: fn(&str) -> String,
    pub(crate) shortcuts: &'static str,
    pub(crate) shortcuts_hint: &'static str,
    pub(crate) save: &'static str,
    pub(crate) saved: &'static str,
    pub(crate) here_only: &'static str,
    pub(crate) password: &'static str,
    pub(crate) present_password: &'static str,
    pub(crate) password_wrong: &'static str,
    pub(crate) password_hint: &'static str,
    /// The heading of the own sign-ins.
    pub(crate) sign_ins: &'static str,
    /// Browser, since, seen, end.
    pub(crate) sign_in_columns: [&'static str; 4],
    pub(crate) some_browser: &'static str,
    pub(crate) this_one: &'static str,
    pub(crate) end: &'static str,
    pub(crate) end_others: fn(usize) -> String,
    pub(crate) end_hint: &'static str,
    /// So many were ended.
    pub(crate) ended: fn(u32) -> String,
    pub(crate) role: &'static str,
    pub(crate) may: &'static str,
    pub(crate) may_not: &'static str,
}
