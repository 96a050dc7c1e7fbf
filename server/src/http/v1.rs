//! `/v1`: what operators' programs, outside systems and agents elsewhere ask and do, with a bearer token. Every deed is
//! compare-and-set and recorded; must never act on anything but what the caller named.

mod actions;
mod answer;
pub(super) mod bearer;
mod body;
mod deeds;
mod endpoints;
mod forget;
mod lists;
mod lock;
mod openapi;

use std::sync::{Arc, LazyLock};

use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use axum::{Json, Router};
use serde_json::Value;

use super::failure::Failure;
use crate::service::Service;
use openapi::{Endpoint, Scope};

/// No request of an operator's carries more than a message and a reason.
const MOST_BYTES: usize = 64 * 1024;
/// A body up to here is read to its end before it is refused: a sender that is cut off in the middle sees a broken
/// connection and no 413.
const READ_TO_REFUSE: usize = 8 * actions::MOST_BYTES;

/// The description of everything here.
static DOCUMENT: LazyLock<Value> = LazyLock::new(|| openapi::document(&endpoints::all()));

pub(super) fn routes(service: &Arc<Service>) -> Router {
    let operators = router(Scope::Operate)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(from_fn_with_state(service.clone(), bearer::for_operators));
    let agents = router(Scope::Actions)
        .layer(DefaultBodyLimit::max(READ_TO_REFUSE))
        .layer(from_fn_with_state(service.clone(), bearer::for_actions));
    operators
        .merge(agents)
        .route("/v1/openapi.json", get(|| async { Json(&*DOCUMENT) }))
        .with_state(service.clone())
}

fn router(scope: Scope) -> Router<Arc<Service>> {
    let own = endpoints::all()
        .into_iter()
        .filter(|one| one.scope() == scope);
    own.fold(Router::new(), |router, one: Endpoint| {
        router.route(one.path(), one.into_router())
    })
}

/// Reads an identifier out of the address.
fn id<T: std::str::FromStr>(what: &str, text: &str) -> Result<T, Failure> {
    text.parse().map_err(|_| Failure::not_found(what, text))
}
