//! How the server makes pages: complete as they are read, each by an address of its own, reached by ordinary links.
//!
//! A plain page is a function from what was asked to a view. It asks the console directly, so that it needs no server
//! function, and it is no part of the browser half. It must never hold an action: what it wants to change it sends as a
//! [form](crate::forms). A live page is a function from what was asked to what it [shows](Opened), which goes along with
//! the page, so that the browser half can take it over.

mod asked;

use crate::api::asking;
use crate::console::ConsoleHandle;
use crate::mount::document;
use crate::pages::live::Open;
use crate::pages::{CARRIER, Opened, live, plain};
use crate::parts::{Masthead, Reader, Trouble};
use crate::view::ConsoleError;
use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use axum::routing::{MethodRouter, get};
use leptos::nonce::use_nonce;
use leptos::prelude::*;
use leptos_axum::render_app_async_with_context;
use leptos_meta::provide_meta_context;
use std::pin::Pin;

pub(crate) use asked::{Asked, viewer, viewer_of};

/// What a plain page is made of: what was asked, to what is shown.
pub(crate) type Page = fn(Asked) -> Made;

type Made = Pin<Box<dyn Future<Output = AnyView> + Send>>;

/// The routes of all pages.
pub(crate) fn routes(options: &LeptosOptions, console: &ConsoleHandle) -> Router<LeptosOptions> {
    let page = |page: Page| made(move || body(page), options, console);
    let live = |open: Open| made(move || live_body(open), options, console);
    Router::new()
        .route("/sessions", live(live::sessions))
        .route("/sessions/{sid}", live(live::session))
        .route("/messages", live(live::messages))
        .route("/parked", live(live::parked))
        .route("/duplicates", live(live::duplicates))
        .route("/operations/{op}", live(live::operation))
        .route("/channels/{cid}/debounce", live(live::lab))
        .route("/", page(plain::overview))
        .route("/sign-in", page(plain::sign_in))
        .route("/first-run", page(plain::first_run))
        .route("/activity", page(plain::activity))
        .route("/built-in", page(plain::built_in))
        .route("/channels", page(plain::channels))
        .route("/channels/{cid}", page(plain::channel))
        .route("/channels/{cid}/versions/{n}", page(plain::channel_version))
        .route(
            "/channels/{cid}/debounce/versions/{n}",
            page(plain::channel_version),
        )
        .route("/duplicates/{did}", page(plain::duplicate))
        .route("/go", page(plain::go))
        .route("/decisions", page(plain::decisions))
        .route("/decisions/{rid}", page(plain::decision))
        .route("/health", page(plain::health))
        .route("/messages/{mid}", page(plain::message))
        .route("/operations", page(plain::operations))
        .route("/parked/{rid}/reprocess", page(plain::decide))
        .route("/reveal", page(plain::reveal))
        .route("/settings/me", page(plain::me))
        .route("/settings/team", page(plain::team))
        .route("/views", page(plain::views))
        .route("/views/{slug}", page(plain::view))
}

fn made(
    body: impl Fn() -> AnyView + Clone + Send + Sync + 'static,
    options: &LeptosOptions,
    console: &ConsoleHandle,
) -> MethodRouter<LeptosOptions> {
    let (options, console) = (options.clone(), console.clone());
    let context = move || provide_context(console.clone());
    let whole = move || document(&options, body());
    get(render_app_async_with_context(context, whole))
}

/// A plain page as the answer to a form: it finds in its context what only this answer may show.
pub(crate) async fn answer<T: Clone + Send + Sync + 'static>(
    page: Page,
    options: &LeptosOptions,
    request: (Request, ConsoleHandle),
    once: T,
) -> Response {
    let (request, console) = request;
    let options = options.clone();
    let context = move || {
        provide_context(console.clone());
        provide_context(once.clone());
    };
    let whole = move || document(&options, body(page));
    render_app_async_with_context(context, whole)(request).await
}

/// A page that says why there is no answer, with the status line for it.
pub(crate) async fn refused(
    options: &LeptosOptions,
    request: (Request, ConsoleHandle),
    error: ConsoleError,
) -> Response {
    answer(plain::refusal, options, request, error).await
}

/// What stands in the body of a plain page.
pub(crate) fn body(page: Page) -> AnyView {
    around(page)
}

/// What stands in the body of a live page.
fn live_body(open: Open) -> AnyView {
    around(move |asked| {
        let zone = asked.viewer.zone.clone();
        Box::pin(async move {
            match open(asked).await {
                Ok(live) => carried(Opened { zone, live }),
                Err(instead) => instead,
            }
        })
    })
}

/// A live page, and behind it what it was made from.
fn carried(opened: Opened) -> AnyView {
    let Ok(data) = serde_json::to_string(&opened) else {
        return view! { <Trouble error=ConsoleError::Unavailable/> }.into_any();
    };
    // No text in it may end the element that carries it.
    let data = data.replace('<', "\\u003c");
    view! {
        {opened.sheet()}
        <script type="application/json" id=CARRIER nonce=use_nonce()>{data}</script>
    }
    .into_any()
}

fn around(made: impl FnOnce(Asked) -> Made) -> AnyView {
    provide_meta_context();
    let asked = Asked::here();
    provide_context(Reader::new(asked.viewer.zone.clone()));
    let (caller, here) = (asked.caller.clone(), asked.path.clone());
    let made = made(asked);
    let demo = asking::console().is_ok_and(|console| console.is_demo());
    view! {
        <Masthead caller demo here/>
        <main id="main">
            <Suspense>{Suspend::new(made)}</Suspense>
        </main>
    }
    .into_any()
}
