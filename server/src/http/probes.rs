//! What machines ask about the server itself: alive, ready, counters. Must never say anything personal.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

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

async fn ready(State(service): State<Arc<Service>>) -> (StatusCode, &'static str) {
    if service.stop.is_cancelled() {
        return (StatusCode::SERVICE_UNAVAILABLE, "shutting down\n");
    }
    let answer = tokio::select! {
        answer = service.stores.store.ping() => answer.is_ok(),
        () = service.stores.clock.sleep(PATIENCE) => false,
    };
    if answer {
        (StatusCode::OK, "ready\n")
    } else {
        (
            StatusCode::SERVICE_UNAVAILABLE,
            "the store does not answer\n",
        )
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
