//! The line that says that texts and contacts are hidden, with the button that shows them.

use crate::view::Veil;
use crate::words::words;
use leptos::prelude::*;

/// Says that texts are hidden, and offers to show them; afterwards the reader is on the same page again. It must stand outside
/// every other form.
#[component]
pub(crate) fn VeilNote(veil: Veil) -> impl IntoView {
    let own = &words().veil;
    let text = if veil.may_lift {
        own.hidden
    } else {
        own.may_not
    };
    view! {
        <form class="veil" method="post" action="/reveal">
            <input type="hidden" name="of" value=veil.over/>
            <input type="hidden" name="back" value=veil.back/>
            <span class="hint">{text}</span>
            <button type="submit" disabled=!veil.may_lift>{own.show}</button>
        </form>
    }
}
