//! The console as a part of a server.
//!
//! [`mount`] gives a router with everything of the console that needs no password store: pages, server functions under
//! `/api`, the live stream at `/events/stream`, and as fallback the files of the site folder and the not-found page
//! (so a router that this one is merged into must have no fallback of its own). The server adds two things.
//!
//! **Who is signed in.** A middleware around the router checks the session cookie and, for a person who is signed in,
//! puts a [`Caller`](crate::view::Caller) into the request's extensions. Without one, pages and server functions lead to
//! `/sign-in?next=…` and the stream answers 401. The middleware refuses nothing by itself.
//!
//! **Three forms**, which work without scripts. Each answers 303.
//!
//! | `POST` | fields | after success | after refusal |
//! |---|---|---|---|
//! | `/sign-in` | `name`, `password`, `next` | `next` if it begins with `/` and goes on with neither `/` nor `\`, else `/sessions` | `/sign-in?why=refused` or `why=throttled`, with `next` |
//! | `/first-run` | `token`, `name` (always `admin`), `password`, `repeat` | `/sessions`, signed in | `/first-run?token=…&why=used`, `why=differ` or `why=short` (under 12 characters) |
//! | `/sign-out` | none | `/sign-in` | |
//!
//! A sign-in that ended by time may lead to `/sign-in?why=over`. Everything that writes needs the server's guard against
//! forged requests (`Sec-Fetch-Site`, `Origin`), the server functions included.
//!
//! Every page carries its own content security policy with a fresh nonce; the server sets none for pages. A page that
//! is asked for with `refresh=SECONDS` (5 to 3600) tells the browser to load it again after that time, for screens on a
//! wall.

use crate::console::ConsoleHandle;
use crate::live::stream;
use crate::parts::KeysDialog;
use crate::view::{Density, Shortcuts, Theme, Viewer};
use crate::words::words;
use crate::{export, forms, pages, plain};
use any_spawner::Executor;
use axum::Router;
use axum::http::{HeaderValue, header};
use axum::routing::{get, post};
use leptos::nonce::{Nonce, use_nonce};
use leptos::prelude::*;
use leptos::server_fn::axum::server_fn_paths;
use leptos_axum::{
    ResponseOptions, file_and_error_handler_with_context, handle_server_fns_with_context,
};
use leptos_meta::MetaTags;

/// How often a page on a wall may load itself again, in seconds.
const REFRESH: std::ops::RangeInclusive<u32> = 5..=3_600;

/// The console's router. `options` say where the browser half lies: `site_root`, `site_pkg_dir` and `output_name`.
pub fn mount(options: LeptosOptions, console: ConsoleHandle) -> Router {
    // Fails where another router of this process was there first, which has done the same.
    let _ = Executor::init_tokio();
    let context = {
        let console = console.clone();
        move || provide_context(console.clone())
    };
    let stream = {
        let console = console.clone();
        get(move |caller, wanted, headers| stream::stream(console, caller, wanted, headers))
    };
    asked_from_pages(context.clone())
        .route("/events/stream", stream)
        .merge(plain::routes(&options, &console))
        .merge(export::routes(&options, &console))
        .merge(forms::routes(&options, console))
        .fallback(file_and_error_handler_with_context(context, |options| {
            document(&options, plain::body(pages::plain::not_found))
        }))
        .with_state(options)
}

/// What live pages ask.
fn asked_from_pages(context: impl Fn() + Clone + Send + Sync + 'static) -> Router<LeptosOptions> {
    let paths = server_fn_paths().map(|(path, _)| path);
    paths.fold(Router::new(), |router, path| {
        let context = context.clone();
        let answer = move |request| handle_server_fns_with_context(context.clone(), request);
        router.route(path, post(answer))
    })
}

/// The document around a page.
pub(crate) fn document(options: &LeptosOptions, body: AnyView) -> impl IntoView + use<> {
    let nonce = use_nonce();
    if let (Some(nonce), Some(response)) = (&nonce, use_context::<ResponseOptions>()) {
        secure(nonce, &response);
        again(&response);
    }
    let folder = format!("/{}", options.site_pkg_dir);
    let name = &options.output_name;
    let style = format!("{folder}/{name}.css");
    let script = start(
        &format!("{folder}/{name}.js"),
        &format!("{folder}/{name}_bg.wasm"),
    );
    let viewer = plain::viewer();
    let scheme = match viewer.theme {
        Theme::System => "light dark",
        Theme::Light => "light",
        Theme::Dark => "dark",
    };
    let Viewer {
        theme,
        density,
        shortcuts,
        ..
    } = viewer;
    let theme = (theme != Theme::System).then(|| theme.stored());
    let density = (density != Density::Normal).then(|| density.stored());
    view! {
        <!DOCTYPE html>
        <html lang=words().lang data-theme=theme data-density=density data-keys=shortcuts.stored()>
            <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1"/>
                <meta name="color-scheme" content=scheme/>
                <link rel="icon" href="data:,"/>
                <link rel="stylesheet" href=style/>
                <script type="module" nonce=nonce>{script}</script>
                <MetaTags/>
            </head>
            <body>
                {body}
                {(shortcuts == Shortcuts::On).then(|| view! { <KeysDialog/> })}
            </body>
        </html>
    }
}

/// Loads the browser half. Its `main` makes a live page live; there is nothing else to call.
fn start(script: &str, wasm: &str) -> String {
    format!("import init from {script:?}; init({{ module_or_path: {wasm:?} }});")
}

/// A page on a wall loads itself again.
fn again(response: &ResponseOptions) {
    let parts = use_context::<axum::http::request::Parts>();
    let query = parts.as_ref().and_then(|parts| parts.uri.query());
    let seconds = query
        .unwrap_or_default()
        .split('&')
        .find_map(|pair| pair.strip_prefix("refresh="))
        .and_then(|seconds| seconds.parse::<u32>().ok())
        .filter(|seconds| REFRESH.contains(seconds));
    if let Some(seconds) = seconds {
        response.insert_header(header::REFRESH, HeaderValue::from(seconds));
    }
}

fn secure(nonce: &Nonce, response: &ResponseOptions) {
    let policy = format!(
        "default-src 'self'; script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'; style-src 'self'; \
         connect-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
         frame-ancestors 'none'; form-action 'self'"
    );
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        response.insert_header(header::CONTENT_SECURITY_POLICY, policy);
    }
    let no_sniffing = HeaderValue::from_static("nosniff");
    response.insert_header(header::X_CONTENT_TYPE_OPTIONS, no_sniffing);
    // Pages hold what customers wrote: nothing between server and reader keeps them.
    response.insert_header(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response.insert_header(
        header::REFERRER_POLICY,
        HeaderValue::from_static("same-origin"),
    );
}
