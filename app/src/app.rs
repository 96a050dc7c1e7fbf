//! The live half of the console: pages that the browser takes over and keeps up to date, and what stands around them.
//! Every other page is plain (`crate::plain`).

use crate::pages::{
    DuplicatesPage, LabPage, MessagesPage, OperationPage, ParkedPage, SessionPage, SessionsPage,
};
use crate::parts::{Masthead, Reader};
use crate::view::{Caller, Viewer};
use leptos::prelude::*;
use leptos_meta::provide_meta_context;
use leptos_router::SsrMode;
use leptos_router::components::{Route, Router, Routes};
use leptos_router::hooks::use_location;
use leptos_router::path;

/// The live pages.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    let caller = SharedValue::new(signed_in).into_inner();
    let viewer = SharedValue::new(reading).into_inner();
    let demo = SharedValue::new(invented).into_inner();
    provide_context(Reader::new(viewer.zone));
    view! {
        <Router>
            <Surroundings caller demo/>
            <main id="main">
                <Routes fallback=Elsewhere>
                    <Route path=path!("/sessions") view=SessionsPage ssr=SsrMode::Async/>
                    <Route path=path!("/messages") view=MessagesPage ssr=SsrMode::Async/>
                    <Route path=path!("/parked") view=ParkedPage ssr=SsrMode::Async/>
                    <Route path=path!("/duplicates") view=DuplicatesPage ssr=SsrMode::Async/>
                    <Route path=path!("/operations/:op") view=OperationPage ssr=SsrMode::Async/>
                    <Route path=path!("/channels/:cid/debounce") view=LabPage ssr=SsrMode::Async/>
                    <Route path=path!("/sessions/:sid") view=SessionPage ssr=SsrMode::Async/>
                </Routes>
            </main>
        </Router>
    }
}

#[component]
fn Surroundings(caller: Option<Caller>, demo: bool) -> impl IntoView {
    let here = use_location().pathname;
    view! { <Masthead caller demo here/> }
}

/// A page that the browser half does not know: the server makes it.
#[component]
fn Elsewhere() -> impl IntoView {
    #[cfg(feature = "hydrate")]
    Effect::new(|_| {
        // The router has put the address into the bar already. A refusal leaves an empty page whose address is right.
        let _ = window().location().reload();
    });
}

/// Who is signed in. Only the server knows; it sends the answer along with the page.
pub(crate) fn signed_in() -> Option<Caller> {
    #[cfg(feature = "ssr")]
    {
        let parts = use_context::<axum::http::request::Parts>()?;
        parts.extensions.get::<Caller>().cloned()
    }
    #[cfg(not(feature = "ssr"))]
    None
}

/// Whether everything here is invented. Only the server knows; it sends the answer along with the page.
pub(crate) fn invented() -> bool {
    #[cfg(feature = "ssr")]
    {
        crate::api::asking::console().is_ok_and(|console| console.is_demo())
    }
    #[cfg(not(feature = "ssr"))]
    false
}

/// How the reader wants to read. Only the server knows; it sends the answer along with the page.
pub(crate) fn reading() -> Viewer {
    #[cfg(feature = "ssr")]
    {
        crate::plain::viewer()
    }
    #[cfg(not(feature = "ssr"))]
    Viewer::default()
}
