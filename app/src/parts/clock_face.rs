//! Times. Every text is computed from the server's time that came with the page, never from a clock, and told by the
//! clocks of the reader's place.

use super::reader::zone;
use crate::live::Live;
use crate::view::At;
use crate::words::words;
use leptos::prelude::*;

/// How long ago something was; moves on in a live page.
#[component]
pub(crate) fn Ago(at: At, live: Live) -> impl IntoView {
    view! {
        <time datetime=at.iso() title=zone().long(at)>
            {move || (words().measure.ago)(live.now.get().since(at))}
        </time>
    }
}

/// A moment, exactly.
#[component]
pub(crate) fn Moment(at: At) -> impl IntoView {
    let zone = zone();
    view! {
        <time datetime=at.iso() title=zone.long(at)>
            {zone.hms(at)}
        </time>
    }
}

/// A moment on a page made at `now`: with its date where that is another day.
#[component]
pub(crate) fn Stamp(at: At, now: At) -> impl IntoView {
    let zone = zone();
    view! {
        <time datetime=at.iso() title=zone.long(at)>
            {zone.stamp(at, now)}
        </time>
    }
}
