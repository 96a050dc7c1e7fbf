//! Texts of views of lists.

/// Ready-made and saved views.
pub(crate) struct Views {
    pub(crate) title: &'static str,
    /// The button that opens the form.
    pub(crate) save: &'static str,
    pub(crate) name: &'static str,
    pub(crate) shared: &'static str,
    /// The button that saves.
    pub(crate) save_it: &'static str,
    /// The link to all of them.
    pub(crate) manage: &'static str,
    /// The list without a filter.
    #[cfg(feature = "ssr")]
    pub(crate) all: &'static str,
    /// A ready-made view, by its slug.
    #[cfg(feature = "ssr")]
    pub(crate) ready_made: fn(&str) -> &str,
    #[cfg(feature = "ssr")]
    pub(crate) page: ViewsPage,
}

/// The page of all of them.
#[cfg(feature = "ssr")]
pub(crate) struct ViewsPage {
    pub(crate) title: &'static str,
    pub(crate) columns: [&'static str; 5],
    pub(crate) caption: &'static str,
    pub(crate) private: &'static str,
    pub(crate) everybody: &'static str,
    pub(crate) comes_along: &'static str,
    pub(crate) remove: &'static str,
    pub(crate) removed: &'static str,
    pub(crate) none: &'static str,
}
