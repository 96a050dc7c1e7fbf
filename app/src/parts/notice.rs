//! What came of a form: it stands on top of the page that the form leads to, and is read out.

use crate::api::Told;
use leptos::prelude::*;

/// What came of a form that led to a live page.
#[component]
pub(crate) fn Notice(told: Told) -> impl IntoView {
    view! { <p class=class(told.done) role=role(told.done)>{told.text}</p> }
}

/// The same with more than words; `done` for what was done, otherwise for what was not.
#[component]
#[cfg(feature = "ssr")]
pub(crate) fn Came(done: bool, children: Children) -> impl IntoView {
    view! { <p class=class(done) role=role(done)>{children()}</p> }
}

const fn class(done: bool) -> &'static str {
    if done { "notice done" } else { "notice" }
}

const fn role(done: bool) -> &'static str {
    if done { "status" } else { "alert" }
}
