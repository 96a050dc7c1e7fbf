//! `POST /hooks/{channel}`: messages from the generic channel. Must never acknowledge what is not stored, and checks the
//! signature over the raw bytes before anything reads them.

use std::sync::Arc;

use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use axum::{Json, Router, body::Bytes};
use replygate_channels::{BODY_LIMIT, generic};
use replygate_engine::Received;
use replygate_gate::Sender;
use serde_json::{Value, json};

use super::failure::Failure;
use crate::service::Service;

/// A body up to here is read to its end before it is refused: a sender that is cut off in the middle sees a broken
/// connection and no 413.
const READ_TO_REFUSE: usize = 8 * BODY_LIMIT;

pub(super) fn routes(service: &Arc<Service>) -> Router {
    Router::new()
        .route("/hooks/{channel}", post(receive))
        .layer(DefaultBodyLimit::max(READ_TO_REFUSE))
        .with_state(service.clone())
}

async fn receive(
    State(service): State<Arc<Service>>,
    Path(channel): Path<String>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<(StatusCode, Json<Value>), Failure> {
    let live = service.engine.board().live(&channel);
    if live.is_none_or(|live| live.settings.kind != "generic") {
        return Err(Failure::not_found("channel", &channel));
    }
    let body = body.map_err(|error| unread(&error))?;
    if body.len() > BODY_LIMIT {
        return Err(too_large());
    }
    let now = service.stores.clock.now();
    generic::verify(&headers, &body, service.secrets.of(&channel), now)
        .map_err(|error| Failure::new(StatusCode::UNAUTHORIZED, "signature", error.to_string()))?;
    let inbound =
        generic::parse(&channel, &body).map_err(|error| Failure::malformed(error.to_string()))?;
    let received = service.engine.receive(inbound).await?;
    refused_for(&received)?;
    let answer = json!({
        "message": received.message,
        "session": received.session,
        "duplicate": received.duplicate,
    });
    Ok((StatusCode::ACCEPTED, Json(answer)))
}

/// The answer is no where the sender is to be told so; a message that was dropped on record is accepted.
pub(super) fn refused_for(received: &Received) -> Result<(), Failure> {
    match &received.rejected {
        Some(rejection) if rejection.sender == Sender::Reads => Err(Failure::rejected(rejection)),
        _ => Ok(()),
    }
}

pub(super) fn unread(error: &BytesRejection) -> Failure {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return too_large();
    }
    Failure::malformed("the body broke off")
}

pub(super) fn too_large() -> Failure {
    let message = format!("the body is too large, allowed: {BODY_LIMIT} bytes");
    Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
}
