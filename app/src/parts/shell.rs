//! What stands around every page: the masthead, and the mark that says how old the screen is.

#[cfg(feature = "ssr")]
use super::icon::SectionIcon;
use super::reader::zone;
use crate::live::{Following, Live, Pause};
#[cfg(feature = "ssr")]
use crate::view::{At, Caller, Section};
use crate::words::words;
use leptos::prelude::*;

/// The masthead: navigation, the way to a thing by its id, and who is signed in.
#[component]
#[cfg(feature = "ssr")]
pub(crate) fn Masthead(
    caller: Option<Caller>,
    /// Whether everything here is invented.
    demo: bool,
    /// The path of the page.
    here: String,
) -> impl IntoView {
    let words = words();
    let inside = caller.is_some();
    view! {
        <a class="skip" href="#main">{words.shell.skip}</a>
        <header class="masthead">
            <a class="product" href="/">{words.shell.product}</a>
            {demo.then(|| view! { <strong class="demo" title=words.shell.demo_means>{words.shell.demo}</strong> })}
            {inside.then(|| view! { <Sections here/> })}
            {inside.then(|| view! { <GoTo/> })}
            {caller.map(|caller| view! { <Person caller/> })}
        </header>
    }
}

#[component]
#[cfg(feature = "ssr")]
fn Sections(here: String) -> impl IntoView {
    let words = words();
    let links = Section::MENU.iter().copied().map(|section| {
        let current = section.holds(&here).then_some("page");
        view! {
            <li>
                <a href=section.address() aria-current=current data-go=section.key()>
                    <SectionIcon section/>
                    {(words.shell.section)(section)}
                </a>
            </li>
        }
    });
    view! {
        <nav aria-label=words.shell.navigation>
            <ul>{links.collect_view()}</ul>
        </nav>
    }
}

#[component]
#[cfg(feature = "ssr")]
fn GoTo() -> impl IntoView {
    let words = &words().shell;
    view! {
        <form class="goto" method="get" action="/go" role="search" aria-label=words.go_to>
            <input type="search" name="id" placeholder=words.go_to aria-label=words.go_to
                autocapitalize="none" autocomplete="off" spellcheck="false" data-key="k"/>
        </form>
    }
}

#[component]
#[cfg(feature = "ssr")]
fn Person(caller: Caller) -> impl IntoView {
    let words = words();
    view! {
        <div class="person">
            <a href="/settings/me">
                {caller.name}<span class="role">{(words.domain.role)(caller.role)}</span>
            </a>
            <form method="post" action="/sign-out">
                <button type="submit" class="bare">{words.shell.sign_out}</button>
            </form>
        </div>
    }
}

/// Says whether the page follows and how old it is; without scripts it offers to load it again.
#[component]
pub(crate) fn LiveMark(live: Live) -> impl IntoView {
    let words = words();
    let zone = zone();
    let text = move || {
        let as_of = live.as_of.get();
        match (live.following.get(), live.pause.get()) {
            (Following::Still, _) => (words.shell.still)(&zone.long(as_of)),
            (Following::Broken, _) => (words.shell.reconnecting)(&zone.hms(as_of)),
            (Following::Live, Pause::No) => (words.shell.live)(live.now.get().since(as_of) / 1_000),
            (Following::Live, pause) => (words.shell.paused)(pause),
        }
    };
    let shape = move || match state(live) {
        "live" => "● ",
        "broken" => "○ ",
        _ => "■ ",
    };
    let paused = move || live.pause.get() == Pause::Asked;
    let verb = move || {
        if paused() {
            words.shell.resume
        } else {
            words.shell.pause
        }
    };
    view! {
        <p class="live" data-live=move || state(live)>
            <span class="shape" aria-hidden="true">{shape}</span>
            <span>{text}</span>
            " "
            <button type="button" class="bare" data-key="P" aria-pressed=move || paused().to_string()
                hidden=move || live.following.get() == Following::Still
                on:click=move |_| live.toggle()>
                {verb}
            </button>
            <a href="">{words.shell.refresh}</a>
        </p>
    }
}

/// Says how many new rows wait outside a list, and shows them when asked. It stands outside the table and is read out.
#[component]
pub(crate) fn WaitingRows(
    #[prop(into)] waiting: Signal<usize>,
    #[prop(into)] show: Callback<()>,
) -> impl IntoView {
    let words = &words().shell;
    view! {
        <p class="waiting" role="status" hidden=move || waiting.get() == 0>
            <span>{move || (words.waiting)(waiting.get())}</span>
            " "
            <button type="button" data-key="." on:click=move |_| show.run(())>{words.show_waiting}</button>
        </p>
    }
}

fn state(live: Live) -> &'static str {
    match (live.following.get(), live.pause.get()) {
        (Following::Still, _) => "still",
        (Following::Broken, _) => "broken",
        (Following::Live, Pause::No) => "live",
        (Following::Live, _) => "paused",
    }
}

/// The same for a page that nobody keeps up to date.
#[component]
#[cfg(feature = "ssr")]
pub(crate) fn MadeAt(at: At) -> impl IntoView {
    let words = &words().shell;
    view! {
        <p class="live" data-live="still">
            <span class="shape" aria-hidden="true">"■ "</span>
            <span>{(words.still)(&zone().long(at))}</span>
            " "
            <a href="">{words.refresh}</a>
        </p>
    }
}

/// The heading of a plain page: what it is, also in the window's title, and when it was made.
#[component]
#[cfg(feature = "ssr")]
pub(crate) fn Heading(#[prop(into)] title: String, at: At) -> impl IntoView {
    view! {
        <leptos_meta::Title text=words().titled(&title)/>
        <div class="heading">
            <h1 tabindex="-1">{title}</h1>
            <MadeAt at/>
        </div>
    }
}
