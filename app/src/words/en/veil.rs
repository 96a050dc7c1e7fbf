//! Hidden texts.

#[cfg(feature = "ssr")]
use crate::view::{Veiled, VeiledList};
use crate::words::veil::VeilWords;

pub(super) const VEIL: VeilWords = VeilWords {
    hidden: "Texts and contacts are hidden. Whoever shows them stands in the activity log.",
    may_not: "Texts and contacts are hidden. Your role may not see them. That takes at least the role Support; an owner can give it.",
    show: "Show texts",
    #[cfg(feature = "ssr")]
    title: "Show texts and contacts?",
    #[cfg(feature = "ssr")]
    what: |over| {
        let what = match over {
            Veiled::Session(_) => {
                "Everything that was written in this session will be shown to you, and who the customer is."
            }
            Veiled::List(VeiledList::Sessions) => {
                "The list of sessions will show you contacts and the beginnings of texts."
            }
            Veiled::List(VeiledList::Messages) => {
                "The list of messages will show you contacts and the beginnings of texts."
            }
            Veiled::List(VeiledList::Parked) => {
                "The list of parked replies will show you contacts and the beginnings of texts."
            }
            Veiled::List(VeiledList::Duplicates) => {
                "The list of avoided duplicates will show you contacts and what the calls were about."
            }
            Veiled::List(VeiledList::Decisions) => {
                "The list of decisions will show you contacts and the beginnings of texts."
            }
            Veiled::List(VeiledList::BuiltIn) => {
                "The built-in calendar and mailbox will show you contacts, what events are about and what mails say."
            }
        };
        format!(
            "{what} That you looked is written down with your reason, the texts are not. They are hidden again when your sign-in ends."
        )
    },
    #[cfg(feature = "ssr")]
    reason: "Why do you need to see them?",
    #[cfg(feature = "ssr")]
    once: "Asked once for each sign-in; it stands beside everything that you show afterwards.",
    #[cfg(feature = "ssr")]
    keep: "Keep hidden",
};
