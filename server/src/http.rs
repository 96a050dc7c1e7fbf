//! Everything that answers HTTP. A route reads a request, asks one thing and words the answer; it must never decide.

mod failure;
mod guard;
mod hooks;
mod mcp;
mod probes;
mod v1;
mod webchat;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::{from_fn, from_fn_with_state};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::TimeoutLayer;

use crate::auth::{self, Door};
use crate::service::Service;

pub(crate) use failure::{Failure, word as refusal_word};

/// No request may take longer, live streams aside: longer than any statement, shorter than a proxy's patience.
const LONGEST: Duration = Duration::from_secs(30);

/// All routes. `console` is the console's own router; its fallback becomes the whole server's.
pub(crate) fn router(service: &Arc<Service>, door: &Arc<Door>, console: Router) -> Router {
    let timeout = TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, LONGEST);
    let machines = Router::new()
        .merge(hooks::routes(service))
        .merge(v1::routes(service))
        .merge(probes::routes(service))
        .layer(timeout);
    let people = auth::guarded(door, console.merge(auth::routes(door)))
        .merge(webchat::routes(service))
        .layer(from_fn_with_state(service.clone(), guard::same_site));
    machines
        .merge(people)
        // Tools may take their time, and streams have no end: these are told by their own clocks.
        .merge(mcp::routes(service))
        .layer(header("x-content-type-options", "nosniff"))
        .layer(header("referrer-policy", "same-origin"))
        .layer(header("x-frame-options", "SAMEORIGIN"))
        .layer(header("cross-origin-opener-policy", "same-origin"))
        .layer(CatchPanicLayer::new())
        .layer(from_fn(probes::count))
}

/// What a process answers that serves nobody: how it is.
pub(crate) fn probes_only(service: &Arc<Service>) -> Router {
    probes::routes(service).layer(TimeoutLayer::with_status_code(
        StatusCode::SERVICE_UNAVAILABLE,
        LONGEST,
    ))
}

fn header(name: &'static str, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(
        HeaderName::from_static(name),
        HeaderValue::from_static(value),
    )
}
