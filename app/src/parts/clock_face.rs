//! Times. Every text is computed from the server's time that came with the page, never from a clock.

use crate::live::Live;
use crate::view::At;
use crate::words::words;
use leptos::prelude::*;

/// How long ago something was; moves on in a live page.
#[component]
pub(crate) fn Ago(at: At, live: Live) -> impl IntoView {
    view! {
        <time datetime=at.iso() title=at.long()>
            {move || (words().measure.ago)(live.now.get().since(at))}
        </time>
    }
}

/// A moment, exactly.
#[component]
pub(crate) fn Moment(at: At) -> impl IntoView {
    view! {
        <time datetime=at.iso() title=at.long()>
            {at.hms()}
        </time>
    }
}
