//! Pages that the server makes and nobody takes over: complete as they are read, and no part of the browser half.
//!
//! A plain page is a function from what was asked to a view. It asks the console directly, so that it needs no server
//! function. It must never hold an action: what it wants to change it sends as a [form](crate::forms).

mod asked;

use crate::console::ConsoleHandle;
use crate::mount::{Half, document};
use crate::pages::plain;
use crate::parts::{Masthead, Reader};
use crate::view::ConsoleError;
use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use axum::routing::{MethodRouter, get};
use leptos::prelude::*;
use leptos_axum::render_app_async_with_context;
use leptos_meta::provide_meta_context;
use std::pin::Pin;

pub(crate) use asked::{Asked, viewer, viewer_of};

/// What a plain page is made of: what was asked, to what is shown.
pub(crate) type Page = fn(Asked) -> Pin<Box<dyn Future<Output = AnyView> + Send>>;

/// The routes of all plain pages.
pub(crate) fn routes(options: &LeptosOptions, console: &ConsoleHandle) -> Router<LeptosOptions> {
    let page = |page: Page| made(page, options, console);
    Router::new()
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
    page: Page,
    options: &LeptosOptions,
    console: &ConsoleHandle,
) -> MethodRouter<LeptosOptions> {
    let (options, console) = (options.clone(), console.clone());
    let context = move || provide_context(console.clone());
    let whole = move || document(&options, Half::Plain, body(page).into_any());
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
    let whole = move || document(&options, Half::Plain, body(page).into_any());
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
pub(crate) fn body(page: Page) -> impl IntoView {
    provide_meta_context();
    let asked = Asked::here();
    provide_context(Reader::new(asked.viewer.zone.clone()));
    let (caller, here) = (asked.caller.clone(), asked.path.clone());
    let demo = crate::app::invented();
    view! {
        <Masthead caller demo here/>
        <main id="main">
            <Suspense>{Suspend::new(page(asked))}</Suspense>
        </main>
    }
}
