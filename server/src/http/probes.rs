//! What machines ask about the server itself: alive, ready, counters. Must never say anything personal.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use replygate_cluster::Health;
use replygate_gate::At;

use crate::service::Service;

/// A store that takes longer to answer is not ready.
const PATIENCE: Duration = Duration::from_secs(2);

pub(super) fn routes(service: &Arc<Service>) -> Router {
    Router::new()
        .route("/livez", get(|| async { "alive\n" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .with_state(service.clone())
}

/// Ready as long as the store answers: without the other services everything goes on, a little slower, and the answer says
/// so.
async fn ready(State(service): State<Arc<Service>>) -> (StatusCode, String) {
    if service.stop.is_cancelled() {
        let words = "shutting down\n".to_owned();
        return (StatusCode::SERVICE_UNAVAILABLE, words);
    }
    let answers = tokio::select! {
        answer = service.stores.store.ping() => answer.is_ok(),
        () = service.stores.clock.sleep(PATIENCE) => false,
    };
    let now = service.stores.clock.now();
    let (status, first) = if answers {
        (StatusCode::OK, "ready")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "the store does not answer")
    };
    let mut lines = vec![first.to_owned()];
    for (name, health) in service.backing.health() {
        lines.push(format!("{name}: {}", words(&health, now)));
    }
    (status, format!("{}\n", lines.join("\n")))
}

/// Since when a service is how; not why, for anybody may ask, and reasons name addresses.
fn words(health: &Health, now: At) -> String {
    let seconds = |since: At| now.since(since) / 1_000;
    match health {
        Health::Up => "up".to_owned(),
        Health::Blocked { since, .. } => format!("takes nothing new for {} s", seconds(*since)),
        Health::Down { since, .. } => format!("no answer for {} s", seconds(*since)),
    }
}

async fn metrics(State(service): State<Arc<Service>>) -> Response {
    gauges(&service).await;
    let text = "text/plain; version=0.0.4; charset=utf-8";
    ([(header::CONTENT_TYPE, text)], crate::metrics::render()).into_response()
}

/// What is counted by looking, at the moment somebody asks.
async fn gauges(service: &Service) {
    if let Ok(counts) = service.stores.views.open_counts().await {
        for status in replygate_gate::ReplyStatus::ALL
            .iter()
            .filter(|status| !status.is_final())
        {
            let count = counts
                .iter()
                .find(|(found, _)| found == status)
                .map_or(0, |(_, count)| *count);
            metrics::gauge!("replygate_replies", "status" => status.as_str()).set(count as f64);
        }
    }
    for (name, health) in service.backing.health() {
        let up = if health.is_up() { 1.0 } else { 0.0 };
        metrics::gauge!("replygate_service_up", "service" => name).set(up);
    }
    let figures = service.engine.figures();
    metrics::gauge!("replygate_timers").set(figures.timers as f64);
    metrics::gauge!("replygate_tasks").set(figures.tasks as f64);
    metrics::gauge!("replygate_webchat_pages").set(service.hub.contacts() as f64);
    metrics::gauge!("replygate_channels").set(service.engine.board().channels().len() as f64);
}

/// Counts requests by route and status.
pub(super) async fn count(request: Request, next: Next) -> Response {
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or_else(|| "other".to_owned(), |path| path.as_str().to_owned());
    let response = next.run(request).await;
    let status = response.status().as_str().to_owned();
    metrics::counter!("replygate_http_requests_total", "route" => route, "status" => status)
        .increment(1);
    response
}
