//! `POST /v1/forget`: erases a person.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};

use super::body;
use crate::http::failure::Failure;
use crate::service::Service;

/// Whom.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Whom {
    contact: String,
    /// Only there; everywhere when it is not said.
    channel: Option<String>,
}

pub(super) async fn forget(
    State(service): State<Arc<Service>>,
    body: body::Body,
) -> Result<Json<Value>, Failure> {
    let whom: Whom = body::read(body)?;
    let gone = service
        .stores
        .upkeep
        .forget(whom.channel.as_deref(), &whom.contact)
        .await?;
    tracing::info!(sessions = gone.sessions, "a person was erased");
    let answer =
        json!({ "sessions": gone.sessions, "messages": gone.messages, "replies": gone.replies });
    Ok(Json(answer))
}
