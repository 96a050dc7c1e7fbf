//! `/chat/{channel}`: the page on which a person plays the customer. Must never show what was not delivered, and never
//! tells one visitor of another.

mod past;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures::StreamExt;
use replygate_channels::BODY_LIMIT;
use replygate_channels::webchat::page::{self, Language, Line, Page};
use replygate_channels::webchat::{COOKIE, Visitor, parse};
use replygate_engine::Live;
use serde_json::json;

use super::failure::Failure;
use super::hooks::{refused_for, unread};
use crate::service::Service;

/// How much of the past a page shows.
const LINES: u32 = 200;
/// Proxies close a connection on which nothing moves for a minute.
const BEAT: Duration = Duration::from_secs(15);

pub(super) fn routes(service: &Arc<Service>) -> Router {
    Router::new()
        .route("/chat/{channel}", get(show))
        .route("/chat/{channel}/messages", post(say))
        .route("/chat/{channel}/history", get(history))
        .route("/chat/{channel}/events", get(events))
        .route(
            "/chat/{channel}/chat.css",
            get(|| async { file("text/css; charset=utf-8", page::CSS) }),
        )
        .route(
            "/chat/{channel}/chat.js",
            get(|| async { file("text/javascript; charset=utf-8", page::JS) }),
        )
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .with_state(service.clone())
}

async fn show(
    State(service): State<Arc<Service>>,
    Path(channel): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let live = there_is(&service, &channel)?;
    let (visitor, cookie) = visitor_or_new(&service, &channel, &headers);
    let lines = lines(&service, &live, &visitor).await?;
    let language = headers
        .get(header::ACCEPT_LANGUAGE)
        .and_then(|value| value.to_str().ok());
    let html = page::render(&Page {
        channel: &channel,
        title: &channel,
        language: Language::accepted(language.unwrap_or_default()),
        lines: &lines,
        form_id: &format!("{:032x}", service.stores.entropy.bits()),
    });
    let policy = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (
            header::CONTENT_SECURITY_POLICY,
            page::CONTENT_SECURITY_POLICY,
        ),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((policy, cookie, html).into_response())
}

async fn say(
    State(service): State<Arc<Service>>,
    Path(channel): Path<String>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Failure> {
    there_is(&service, &channel)?;
    let body = body.map_err(|error| unread(&error))?;
    let (visitor, cookie) = visitor_or_new(&service, &channel, &headers);
    let content_type = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let inbound = parse(&channel, &visitor, content_type, &body)
        .map_err(|error| Failure::malformed(error.to_string()))?;
    let received = service.engine.receive(inbound).await?;
    refused_for(&received)?;
    if content_type.is_some_and(|kind| kind.starts_with("application/x-www-form-urlencoded")) {
        return Ok((cookie, Redirect::to(&format!("/chat/{channel}"))).into_response());
    }
    let answer = json!({ "message": received.message, "duplicate": received.duplicate });
    Ok((StatusCode::ACCEPTED, cookie, Json(answer)).into_response())
}

async fn history(
    State(service): State<Arc<Service>>,
    Path(channel): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let live = there_is(&service, &channel)?;
    let visitor = visitor(&headers)?;
    let lines = lines(&service, &live, &visitor).await?;
    Ok((
        [(header::CACHE_CONTROL, "no-store")],
        Json(json!({ "lines": lines })),
    )
        .into_response())
}

async fn events(
    State(service): State<Arc<Service>>,
    Path(channel): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    there_is(&service, &channel)?;
    let session = visitor(&headers)?.key(&channel).session();
    let stopped = service.stop.clone().cancelled_owned();
    let frames = service
        .hub
        .subscribe(session)
        .map(|event| {
            let frame = Event::default()
                .event(event.name())
                .data(event.json().to_string());
            Ok::<_, Infallible>(frame)
        })
        .take_until(Box::pin(stopped));
    let frames = Sse::new(frames).keep_alive(KeepAlive::new().interval(BEAT));
    Ok(([("x-accel-buffering", "no")], frames).into_response())
}

fn file(kind: &'static str, text: &'static str) -> Response {
    (
        [
            (header::CONTENT_TYPE, kind),
            (header::CACHE_CONTROL, "no-cache"),
        ],
        text,
    )
        .into_response()
}

fn there_is(service: &Service, channel: &str) -> Result<Arc<Live>, Failure> {
    let live = service.engine.board().live(channel);
    live.filter(|live| live.settings.kind == "webchat")
        .ok_or_else(|| Failure::not_found("channel", channel))
}

fn visitor_or_new(service: &Service, channel: &str, headers: &HeaderMap) -> (Visitor, Cookie) {
    if let Ok(visitor) = visitor(headers) {
        return (visitor, Cookie(None));
    }
    let visitor = Visitor::new(&*service.stores.entropy);
    let cookie = visitor.set_cookie(channel, service.transport);
    (visitor, Cookie(Some([(header::SET_COOKIE, cookie)])))
}

/// A cookie to set, for a visitor who has none yet.
struct Cookie(Option<[(header::HeaderName, String); 1]>);

impl axum::response::IntoResponseParts for Cookie {
    type Error = <[(header::HeaderName, String); 1] as axum::response::IntoResponseParts>::Error;

    fn into_response_parts(
        self,
        parts: axum::response::ResponseParts,
    ) -> Result<axum::response::ResponseParts, Self::Error> {
        match self.0 {
            Some(header) => header.into_response_parts(parts),
            None => Ok(parts),
        }
    }
}

fn visitor(headers: &HeaderMap) -> Result<Visitor, Failure> {
    let cookies = headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok());
    cookies
        .flat_map(|all| all.split(';'))
        .filter_map(|one| one.trim().strip_prefix(COOKIE)?.strip_prefix('='))
        .find_map(|value| value.parse().ok())
        .ok_or_else(|| {
            let message = "the visitor's cookie is missing; open the page first";
            Failure::new(StatusCode::UNAUTHORIZED, "no_visitor", message)
        })
}

async fn lines(service: &Service, live: &Live, visitor: &Visitor) -> Result<Vec<Line>, Failure> {
    let session = visitor.key(&live.settings.id).session();
    let views = &service.stores.views;
    let newest_first = views.conversation(session, None, LINES).await?;
    Ok(past::lines(newest_first.iter().rev(), live))
}
