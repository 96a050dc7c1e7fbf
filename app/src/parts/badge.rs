//! Badges: a word, and a shape and a colour that agree with it.

use super::icon::StatusIcon;
use crate::view::{SessionStateWord, StatusWord};
use crate::words::words;
use leptos::prelude::*;

/// A reply's status; with a count, how many replies have it.
#[component]
pub(crate) fn StatusBadge(
    status: StatusWord,
    #[prop(optional)] count: Option<u32>,
) -> impl IntoView {
    let word = (words().domain.status)(status);
    view! {
        <span class="badge" data-status=status.stored()>
            <StatusIcon status/>
            {count.map(|count| format!("{count} "))}
            {word}
        </span>
    }
}

/// What a session is doing.
#[component]
pub(crate) fn StateBadge(state: SessionStateWord) -> impl IntoView {
    view! {
        <span class="state" data-state=state.stored()>
            {(words().domain.state)(state)}
        </span>
    }
}
