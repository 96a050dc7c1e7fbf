//! A customer's text, a stand-in for it, or the word that it is gone.

use super::Erase;
use crate::view::Personal;
use crate::words::words;
use leptos::prelude::*;

/// Shows a customer's text as far as the server gave it. The browser finds its direction (`dir="auto"`).
#[component]
pub(crate) fn PersonalText(text: Personal) -> impl IntoView {
    match text {
        Personal::Shown(text) => view! { <span class="said" dir="auto">{text}</span> }.erased(),
        Personal::Masked(stand_in) => {
            let hidden = words().domain.masked;
            view! { <span class="masked">{hidden}" "{stand_in}</span> }.erased()
        }
        Personal::Pruned => view! { <span class="masked">{words().domain.pruned}</span> }.erased(),
    }
}
