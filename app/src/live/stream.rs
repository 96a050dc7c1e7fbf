//! The server's end of the live stream: `GET /events/stream?topics=sessions`.
//!
//! At most five frames a second, each with everything since the one before: `id:` is its place, `event: change`, `data:` an
//! array of [`Change`](crate::view::Change) as JSON. Every 15 s of silence a frame `event: beat`. A browser that comes back names the last id in `Last-Event-ID`. Frames carry
//! ids and versions, never texts.

use crate::console::{ConsoleHandle, Numbered};
use crate::view::{Caller, ConsoleError, Topic};
use axum::Extension;
use axum::extract::Query;
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::StreamExt;
use serde::Deserialize;
use std::convert::Infallible;
use std::time::Duration;

const BEAT: Duration = Duration::from_secs(15);

/// The query of the stream's address.
#[derive(Deserialize)]
pub(crate) struct Wanted {
    /// Topics, separated by commas.
    topics: String,
}

/// Answers the request for the stream.
pub(crate) async fn stream(
    console: ConsoleHandle,
    caller: Option<Extension<Caller>>,
    wanted: Query<Wanted>,
    headers: HeaderMap,
) -> Response {
    match open(&console, caller, &wanted, &headers).await {
        Ok(response) => response,
        Err(error) => (status(&error), error.to_string()).into_response(),
    }
}

async fn open(
    console: &ConsoleHandle,
    caller: Option<Extension<Caller>>,
    wanted: &Wanted,
    headers: &HeaderMap,
) -> Result<Response, ConsoleError> {
    let Extension(caller) = caller.ok_or(ConsoleError::NotSignedIn)?;
    let topics = wanted
        .topics
        .split(',')
        .map(topic)
        .collect::<Result<_, _>>()?;
    let changes = console
        .0
        .changes(&caller, topics, last_seen(headers))
        .await?;
    let beat = Event::default().event("beat").data("beat");
    let frames = Sse::new(changes.map(|change| Ok::<_, Infallible>(frame(&change))))
        .keep_alive(KeepAlive::new().interval(BEAT).event(beat));
    // A proxy that collects the answer before passing it on would hold every frame back.
    Ok(([("x-accel-buffering", "no")], frames).into_response())
}

fn topic(name: &str) -> Result<Topic, ConsoleError> {
    Topic::from_stored(name).ok_or_else(|| ConsoleError::Invalid {
        field: "topics".to_owned(),
        value: name.to_owned(),
        allowed: "sessions, session:ID, parked, operation:ID, duplicates".to_owned(),
    })
}

fn last_seen(headers: &HeaderMap) -> Option<u64> {
    headers.get("last-event-id")?.to_str().ok()?.parse().ok()
}

fn frame(numbered: &Numbered) -> Event {
    let event = Event::default()
        .event("change")
        .id(numbered.seq.to_string());
    // A change is ids and numbers; it always becomes JSON.
    event.json_data(&numbered.changes).unwrap_or_default()
}

/// The status line for an error of the seam.
pub(crate) fn status(error: &ConsoleError) -> StatusCode {
    match error {
        ConsoleError::NotSignedIn => StatusCode::UNAUTHORIZED,
        ConsoleError::Forbidden { .. } => StatusCode::FORBIDDEN,
        ConsoleError::NotFound { .. } => StatusCode::NOT_FOUND,
        ConsoleError::Invalid { .. } => StatusCode::BAD_REQUEST,
        ConsoleError::Conflict { .. } | ConsoleError::Refused { .. } => StatusCode::CONFLICT,
        ConsoleError::TookTooLong | ConsoleError::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}
