//! Texts of the built-in calendar and mailbox.

/// The page.
pub(crate) struct BuiltIn {
    pub(crate) title: &'static str,
    pub(crate) hint: &'static str,
    pub(crate) events: &'static str,
    pub(crate) start: &'static str,
    pub(crate) end: &'static str,
    pub(crate) what: &'static str,
    pub(crate) guests: &'static str,
    pub(crate) state: &'static str,
    pub(crate) stands: &'static str,
    pub(crate) cancelled: &'static str,
    pub(crate) mails: &'static str,
    pub(crate) sent: &'static str,
    pub(crate) to: &'static str,
    pub(crate) subject: &'static str,
    pub(crate) body: &'static str,
    pub(crate) channel: &'static str,
    pub(crate) contact: &'static str,
    pub(crate) call: &'static str,
    pub(crate) no_event: &'static str,
    pub(crate) no_mail: &'static str,
    pub(crate) none_match: &'static str,
    pub(crate) none_further: &'static str,
}
