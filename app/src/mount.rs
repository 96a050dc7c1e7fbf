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

use crate::app::{App, reading};
use crate::console::ConsoleHandle;
use crate::live::stream;
use crate::parts::KeysDialog;
use crate::view::{Density, Shortcuts, Theme, Viewer};
use crate::words::words;
use crate::{export, forms, pages, plain};
use axum::Router;
use axum::http::{HeaderValue, header};
use axum::routing::get;
use leptos::nonce::{Nonce, use_nonce};
use leptos::prelude::*;
use leptos_axum::{
    LeptosRoutes, ResponseOptions, file_and_error_handler_with_context, generate_route_list,
};
use leptos_meta::MetaTags;

/// How often a page on a wall may load itself again, in seconds.
const REFRESH: std::ops::RangeInclusive<u32> = 5..=3_600;

/// The console's router. `options` say where the browser half lies: `site_root`, `site_pkg_dir` and `output_name`.
pub fn mount(options: LeptosOptions, console: ConsoleHandle) -> Router {
    let routes = generate_route_list(App);
    let page = {
        let options = options.clone();
        move || document(&options, Half::Live, App().into_any())
    };
    let context = {
        let console = console.clone();
        move || provide_context(console.clone())
    };
    let stream = {
        let console = console.clone();
        get(move |caller, wanted, headers| stream::stream(console, caller, wanted, headers))
    };
    Router::new()
        .route("/events/stream", stream)
        .leptos_routes_with_context(&options, routes, context.clone(), page)
        .merge(plain::routes(&options, &console))
        .merge(export::routes(&options, &console))
        .merge(forms::routes(&options, console))
        .fallback(file_and_error_handler_with_context(context, |options| {
            let lost = plain::body(pages::plain::not_found).into_any();
            document(&options, Half::Plain, lost)
        }))
        .with_state(options)
}

/// Who answers for a page once it is in the browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    /// The browser half takes it over.
    Live,
    /// Nobody: it stays as it is.
    Plain,
}

/// The document around a page.
pub(crate) fn document(
    options: &LeptosOptions,
    half: Half,
    body: AnyView,
) -> impl IntoView + use<> {
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
    let viewer = reading();
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
    let half = match half {
        Half::Live => "live",
        Half::Plain => "plain",
    };
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
            <body data-half=half>
                {body}
                {(shortcuts == Shortcuts::On).then(|| view! { <KeysDialog/> })}
            </body>
        </html>
    }
}

/// Loads the browser half. Its `main` makes the page live; there is nothing else to call.
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
