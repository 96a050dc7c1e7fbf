//! What stands around every page: the masthead, and the mark that says how old the screen is.

use crate::live::{Following, Live};
use crate::view::Caller;
use crate::words::words;
use leptos::prelude::*;

/// The masthead: navigation, and who is signed in.
#[component]
pub(crate) fn Masthead(caller: Option<Caller>) -> impl IntoView {
    let words = words();
    let inside = caller.is_some();
    view! {
        <a class="skip" href="#main" rel="external">{words.shell.skip}</a>
        <header class="masthead">
            <span class="product">{words.shell.product}</span>
            {inside.then(|| view! {
                <nav aria-label=words.shell.navigation>
                    <a href="/sessions">{words.sessions.title}</a>
                </nav>
            })}
            {caller.map(|caller| view! {
                <form class="signed-in" method="post" action="/sign-out">
                    <span>{caller.name}" · "{(words.domain.role)(caller.role)}</span>
                    <button type="submit">{words.shell.sign_out}</button>
                </form>
            })}
        </header>
    }
}

/// Says whether the page follows and how old it is; without scripts it offers to load it again.
#[component]
pub(crate) fn LiveMark(live: Live) -> impl IntoView {
    let words = words();
    let text = move || {
        let as_of = live.as_of.get();
        match live.following.get() {
            Following::Still => (words.shell.still)(&as_of.long()),
            Following::Live => (words.shell.live)(live.now.get().since(as_of) / 1_000),
            Following::Broken => (words.shell.reconnecting)(&as_of.hms()),
        }
    };
    let shape = move || match live.following.get() {
        Following::Still => "■ ",
        Following::Live => "● ",
        Following::Broken => "○ ",
    };
    let state = move || match live.following.get() {
        Following::Still => "still",
        Following::Live => "live",
        Following::Broken => "broken",
    };
    view! {
        <p class="live" data-live=state>
            <span aria-hidden="true">{shape}</span>
            {text}
            " "
            <a href="" rel="external">{words.shell.refresh}</a>
        </p>
    }
}
