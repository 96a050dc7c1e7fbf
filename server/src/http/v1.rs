//! `/v1`: what operators' programs and outside systems ask and do, with a bearer token. Every deed is compare-and-set
//! and recorded; must never act on anything but what the caller named.

mod answer;
mod bearer;
mod body;
mod deeds;
mod endpoints;
mod forget;
mod lists;
mod lock;
mod openapi;

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use serde_json::Value;

use super::failure::Failure;
use crate::service::Service;

/// No request here carries more than a message and a reason.
const MOST_BYTES: usize = 64 * 1024;

/// The description of everything here.
static DOCUMENT: LazyLock<Value> = LazyLock::new(|| openapi::document(&endpoints::all()));

pub(super) fn routes(service: &Arc<Service>) -> Router {
    let endpoints = endpoints::all().into_iter();
    let asked = endpoints.fold(Router::new(), |router, endpoint| {
        router.route(endpoint.path(), endpoint.into_router())
    });
    asked
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(from_fn_with_state(service.clone(), bearer::check))
        .route("/v1/openapi.json", get(|| openapi::serve(&DOCUMENT)))
        .with_state(service.clone())
}

/// Reads an identifier out of the address.
fn id<T: std::str::FromStr>(what: &str, text: &str) -> Result<T, Failure> {
    text.parse().map_err(|_| Failure::not_found(what, text))
}
