//! The inbox.

use crate::view::{Cause, InboxView, Meanwhile};
use crate::words::parked::{Parked, ParkedColumns};

pub(super) const PARKED: Parked = Parked {
    title: "Parked",
    caption: |shown| match shown {
        1 => "1 reply waits for a person".into(),
        shown => format!("{shown} replies wait for a person, newest first"),
    },
    query: "Search",
    query_hint: "Words, or terms: why: channel: age: view:",
    view: "View",
    view_of: |view| match view {
        InboxView::Safe => "Safe to send",
        InboxView::Late => "Too late",
        InboxView::CameBack => "Came back",
    },
    age: "Waits at least",
    all: "All",
    reasons: "Reasons",
    cause: |cause: &Cause, why, from, to| {
        let code = cause.code.as_deref().map(|code| format!(" ({code})"));
        format!(
            "{} of {} came from {} between {from} and {to}: {why}{}.",
            cause.count,
            cause.of,
            cause.channel.name,
            code.unwrap_or_default()
        )
    },
    columns: ParkedColumns {
        select: "Select",
        select_all: "Select every row on this page",
        text: "Reply",
        contact: "Contact",
        channel: "Channel",
        why: "Why",
        attempts: "Attempts",
        since: "Waits since",
        meanwhile: "Since then",
        act: "Action",
    },
    meanwhile: |meanwhile| match meanwhile {
        Meanwhile::Nothing => "Nothing newer".into(),
        Meanwhile::NewerMessages { count: 1 } => "1 newer message".into(),
        Meanwhile::NewerMessages { count } => format!("{count} newer messages"),
        Meanwhile::NewerReply { .. } => "A newer reply was delivered".into(),
        Meanwhile::SameText { .. } => "The same text was delivered".into(),
        Meanwhile::Person { by } if by.is_empty() => "A person answered".into(),
        Meanwhile::Person { by } => format!("{by} answered"),
    },
    returns: |returns| match returns {
        1 => "Came back once".into(),
        2 => "Came back twice".into(),
        returns => format!("Came back {returns} times"),
    },
    pick: |id| format!("Select {id}"),
    decide: "Reprocess…",
    plan_selected: "Check and reprocess…",
    discard_selected: "Discard…",
    all_that_match: "All that match, not only the selected ones",
    plan_hint: "Shows a plan first. Nothing is sent from this page.",
    may_not_bulk: "Your role may not act on many replies at once. Ask an owner.",
    none_yet: "No parked replies. Replies land here only after every retry failed.",
    none_match: "No parked reply matches these filters.",
    none_older: "There are no older parked replies.",
};
