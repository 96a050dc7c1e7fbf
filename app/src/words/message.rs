//! Texts of a message's page.

/// A message's page.
pub(crate) struct Message {
    pub(crate) title: &'static str,
    pub(crate) text: &'static str,
    pub(crate) replies: &'static str,
    pub(crate) avoided: &'static str,
    pub(crate) events: &'static str,
    pub(crate) path: &'static str,
    pub(crate) received: &'static str,
    pub(crate) channel: &'static str,
    pub(crate) contact: &'static str,
    pub(crate) reply_time: &'static str,
    pub(crate) session: &'static str,
    pub(crate) id: &'static str,
}
