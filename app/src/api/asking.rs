//! Who asks, and whom: what a server function takes out of its context.

use crate::console::{Console, ConsoleHandle};
use crate::view::{Caller, ConsoleError};
use axum::http::{Method, request::Parts};
use leptos::prelude::use_context;
use std::sync::Arc;

/// The console of this server.
pub(crate) fn console() -> Result<Arc<dyn Console>, ConsoleError> {
    use_context::<ConsoleHandle>()
        .map(|handle| handle.0)
        .ok_or(ConsoleError::Unavailable)
}

/// The signed-in person. Where nobody is, the answer also leads to the sign-in page and, from a page, back again.
pub(crate) fn caller() -> Result<Caller, ConsoleError> {
    let parts = use_context::<Parts>();
    if let Some(caller) = parts
        .as_ref()
        .and_then(|parts| parts.extensions.get::<Caller>())
    {
        return Ok(caller.clone());
    }
    leptos_axum::redirect(&crate::pages::plain::sign_in_address(
        parts.as_ref().and_then(page),
    ));
    Err(ConsoleError::NotSignedIn)
}

/// The page that was asked for; a call from the browser has none.
fn page(parts: &Parts) -> Option<&str> {
    if parts.method != Method::GET || parts.uri.path().starts_with("/api/") {
        return None;
    }
    parts
        .uri
        .path_and_query()
        .map(axum::http::uri::PathAndQuery::as_str)
}
