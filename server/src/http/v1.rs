//! `/v1`: what operators' programs and outside systems ask and do, with a bearer token. Every deed is compare-and-set
//! and recorded; must never act on anything but what the caller named.

mod answer;
mod bearer;
mod body;
mod deeds;
mod forget;
mod lists;
mod lock;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post, put};

use super::failure::Failure;
use crate::service::Service;

/// No request here carries more than a message and a reason.
const MOST_BYTES: usize = 64 * 1024;

pub(super) fn routes(service: &Arc<Service>) -> Router {
    Router::new()
        .route("/v1/sessions", get(lists::sessions))
        .route("/v1/sessions/{session}", get(lists::session))
        .route("/v1/sessions/{session}/timeline", get(lists::timeline))
        .route(
            "/v1/sessions/{session}/lock",
            put(lock::lock).delete(lock::unlock),
        )
        .route("/v1/sessions/{session}/{deed}", post(deeds::on_session))
        .route("/v1/forget", post(forget::forget))
        .route("/v1/replies", get(lists::replies))
        .route("/v1/replies/{reply}", get(lists::reply))
        .route("/v1/replies/{reply}/{deed}", post(deeds::on_reply))
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(from_fn_with_state(service.clone(), bearer::check))
        .with_state(service.clone())
}

/// Reads an identifier out of the address.
fn id<T: std::str::FromStr>(what: &str, text: &str) -> Result<T, Failure> {
    text.parse().map_err(|_| Failure::not_found(what, text))
}
