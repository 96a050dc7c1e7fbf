//! `/mcp/{server}`: the guard in front of an MCP server. Must never pass a call with an effect that nobody reserved, and
//! changes nothing else.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use futures::{Stream, StreamExt};
use replygate_engine::{Leave, Patience, Wish};
use replygate_gate::ActionId;
use replygate_gate::tools::Runner;
use replygate_mcp::{
    Call, Era, NotMcp, Posted, Unreached, agree, answer, passes_back, passes_on, read,
};
use serde_json::Value;

use super::failure::Failure;
use super::guard::is_own;
use super::v1::bearer;
use crate::mcp::{Ear, Exchange, Guarded, Listening, Policy, Proxy, Relayed, RelayedBody, whom};
use crate::service::Service;

/// A message may be so long: tools take documents.
const MOST_BYTES: usize = 8 * 1024 * 1024;

/// JSON-RPC's words: no JSON, no request, and MCP's for headers that say something else.
const MALFORMED: i64 = -32_700;
const INVALID: i64 = -32_600;
const HEADER_MISMATCH: i64 = -32_020;
const INTERNAL: i64 = -32_603;

pub(super) fn routes(service: &Arc<Service>) -> Router {
    Router::new()
        .route("/mcp/{server}", any(pass))
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(from_fn_with_state(service.clone(), bearer::for_actions))
        .with_state(service.clone())
}

/// A request on its way through.
struct Passing {
    service: Arc<Service>,
    proxy: Arc<Proxy>,
    method: Method,
    query: Option<String>,
    headers: HeaderMap,
}

async fn pass(
    State(service): State<Arc<Service>>,
    Path(server): Path<String>,
    request: Request,
) -> Result<Response, Failure> {
    let proxy = service.mcp.get(&server);
    let proxy = proxy.ok_or_else(|| Failure::not_found("MCP server", &server))?;
    let (head, body) = request.into_parts();
    if !is_own(&head.headers, service.public_host.as_deref()) {
        let message = "the request comes from another site's page";
        return Err(Failure::new(StatusCode::FORBIDDEN, "cross_site", message));
    }
    let Ok(body) = axum::body::to_bytes(body, MOST_BYTES).await else {
        let message = format!("the message is too large or broke off, allowed: {MOST_BYTES} bytes");
        return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message));
    };
    let passing = Passing {
        service,
        proxy,
        method: head.method,
        query: head.uri.query().map(str::to_owned),
        headers: head.headers,
    };
    Ok(match passing.method {
        Method::POST => passing.post(body).await,
        _ => passing.through(body, Listening::Answers).await,
    })
}

impl Passing {
    async fn post(self, body: Bytes) -> Response {
        let posted = match read(&body) {
            Ok(posted) => posted,
            Err(error) => {
                let code = match error {
                    NotMcp::Malformed(_) => MALFORMED,
                    NotMcp::NoId | NotMcp::CallInBatch => INVALID,
                };
                return refused(StatusCode::BAD_REQUEST, &Value::Null, code, &error.to_string());
            }
        };
        if let Err(mismatch) = agree(&self.headers, &posted) {
            let message = mismatch.to_string();
            return refused(StatusCode::BAD_REQUEST, &Value::Null, HEADER_MISMATCH, &message);
        }
        match posted {
            Posted::Call(call) => match self.proxy.policy(&call.tool) {
                Policy::Pass => self.through(body, Listening::None).await,
                Policy::Guard(guarded) => self.guarded(call, *guarded, body).await,
            },
            // Giving up a call that may not be repeated would only leave open what came of it.
            Posted::Cancel(id) if self.keeps(&id) => StatusCode::ACCEPTED.into_response(),
            Posted::List(id) if self.proxy.config.trust.any() => {
                self.through(body, Listening::Hints(id)).await
            }
            Posted::Cancel(_) | Posted::List(_) | Posted::Other(_) | Posted::Batch => {
                self.through(body, Listening::None).await
            }
        }
    }

    fn keeps(&self, id: &Value) -> bool {
        let flight = self.proxy.flights.find(&self.headers, id);
        flight.is_some_and(|flight| !flight.may_cancel)
    }

    async fn guarded(self, call: Call, guarded: Guarded, body: Bytes) -> Response {
        let era = Era::of(&self.headers);
        let channel = self.proxy.config.channel.as_deref();
        let whom = match whom(&self.headers, &call.meta, channel, guarded.scope) {
            Ok(whom) => whom,
            Err(error) => return told(&call.id, answer::refusal(era, &error.to_string())),
        };
        let wish = Wish {
            recipe: guarded.recipe.clone(),
            scope: guarded.scope,
            guarding: guarded.guarding,
            runner: Runner::Engine,
            ..Wish::undeclared(&guarded.name, call.arguments, whom)
        };
        match self.service.engine.guard().ask(&wish, Patience::ToTheEnd).await {
            Ok(Leave::Run { action, .. }) => self.exchange(call.id, era, guarded, action, body).await,
            Ok(Leave::Duplicate {
                first,
                age_ms,
                note,
                ..
            }) => {
                let action = first.entry.action.to_string();
                let result = first.result.as_ref().unwrap_or(&Value::Null);
                told(&call.id, answer::replay(era, result, &action, age_ms, &note))
            }
            Ok(Leave::Unknown { note, .. } | Leave::InProgress { note, .. }) => {
                told(&call.id, answer::refusal(era, &note))
            }
            Err(error) => {
                tracing::error!(error = &error as &dyn std::error::Error, "the ledger failed");
                let message = "the ledger cannot answer now; nothing was called, try again";
                refused(StatusCode::SERVICE_UNAVAILABLE, &call.id, INTERNAL, message)
            }
        }
    }

    async fn exchange(
        self,
        id: Value,
        era: Era,
        guarded: Guarded,
        action: ActionId,
        body: Bytes,
    ) -> Response {
        let exchange = Exchange {
            guard: self.service.engine.guard().clone(),
            clock: self.service.stores.clock.clone(),
            headers: passes_on(&self.headers),
            proxy: self.proxy,
            query: self.query,
            guarded,
            action,
            id,
            era,
            body,
        };
        match exchange.relay().await {
            Some(relayed) => relayed.into_response(),
            None => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        }
    }

    /// Passes the request on as it is, and the answer back. A client that goes away takes the server's connection with it.
    async fn through(self, body: Bytes, listening: Listening) -> Response {
        let headers = passes_on(&self.headers);
        let query = self.query.as_deref();
        let passed = self.proxy.upstream.pass(self.method.clone(), query, headers, body);
        let response = match passed.await {
            Ok(response) => response,
            Err(error) => {
                tracing::info!(error = &error as &dyn std::error::Error, "an MCP server gave no answer");
                let message = match error {
                    Unreached::Connect(_) => "the MCP server cannot be reached",
                    Unreached::Broken(_) => "the MCP server broke off",
                };
                return refused(StatusCode::BAD_GATEWAY, &Value::Null, INTERNAL, message);
            }
        };
        let (status, headers) = (response.status(), passes_back(response.headers()));
        if status.is_redirection() {
            // Followed by the client it would lead around the guard.
            let message = "the MCP server redirects; name its new address in the configuration";
            return refused(StatusCode::BAD_GATEWAY, &Value::Null, INTERNAL, message);
        }
        let ear = Ear::new(self.proxy, self.service.engine.guard().clone(), &self.headers, listening);
        let body = Body::from_stream(heard(response.bytes_stream(), ear.for_body(&headers)));
        (status, headers, body).into_response()
    }
}

/// The body as it comes; what it says is heard before it is passed on.
fn heard<S>(body: S, ear: Ear) -> impl Stream<Item = S::Item>
where
    S: Stream<Item = reqwest::Result<Bytes>> + Send + 'static,
{
    let start = (Box::pin(body), ear);
    futures::stream::unfold(start, |(mut body, mut ear)| async move {
        let piece = body.next().await;
        match &piece {
            Some(Ok(bytes)) => ear.hears(bytes).await,
            Some(Err(_)) => {}
            None => ear.ends(),
        }
        piece.map(|piece| (piece, (body, ear)))
    })
}

/// A protocol error in the server's place.
fn refused(status: StatusCode, id: &Value, code: i64, message: &str) -> Response {
    (status, axum::Json(answer::error(id, code, message))).into_response()
}

/// A result in the server's place.
fn told(id: &Value, result: Value) -> Response {
    axum::Json(answer::result(id, result)).into_response()
}

impl IntoResponse for Relayed {
    fn into_response(self) -> Response {
        let body = match self.body {
            RelayedBody::Whole(bytes) => Body::from(bytes),
            RelayedBody::Stream(pieces) => {
                let pieces = futures::stream::unfold(pieces, |mut pieces| async move {
                    let piece = pieces.recv().await?;
                    Some((Ok::<_, Infallible>(piece), pieces))
                });
                Body::from_stream(pieces)
            }
        };
        (self.status, self.headers, body).into_response()
    }
}
