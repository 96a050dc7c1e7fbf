//! Texts about hidden texts.

/// Hidden texts and contacts, and who may see them.
pub(crate) struct VeilWords {
    /// Stands above what is hidden.
    pub(crate) hidden: &'static str,
    /// The same for whoever may not see it.
    pub(crate) may_not: &'static str,
    /// The button that shows it.
    pub(crate) show: &'static str,
    #[cfg(feature = "ssr")]
    pub(crate) title: &'static str,
    /// What will be shown, and what is written down.
    #[cfg(feature = "ssr")]
    pub(crate) what: fn(&crate::view::Veiled) -> String,
    #[cfg(feature = "ssr")]
    pub(crate) reason: &'static str,
    #[cfg(feature = "ssr")]
    pub(crate) once: &'static str,
    #[cfg(feature = "ssr")]
    pub(crate) keep: &'static str,
}
