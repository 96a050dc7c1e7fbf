//! `/mcp/{server}`: the guard in front of an MCP server. Must never pass a call with an effect that nobody reserved, and
//! changes nothing else.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use futures::{Stream, StreamExt};
use replygate_agents::mcp::{
    Call, Era, NotMcp, Posted, Unreached, agree, answer, passes_back, passes_on, read,
};
use replygate_engine::Wish;
use replygate_gate::tools::Runner;
use replygate_ports::tools::Tool;
use serde_json::Value;

use super::failure::Failure;
use super::guard::is_own;
use super::v1::bearer;
use crate::mcp::{Ear, Exchange, Listening, Policy, Proxy, Relayed, RelayedBody, Whom, whom};
use crate::service::Service;

/// A message may be so long: tools take documents. Bytes.
const MOST_BYTES: usize = 4 * 1024 * 1024;
/// What the protocol knows.
const METHODS: [Method; 3] = [Method::POST, Method::GET, Method::DELETE];

/// JSON-RPC's words: no JSON, no request, a fault of the server, and MCP's for headers that say something else.
const MALFORMED: i64 = -32_700;
const INVALID: i64 = -32_600;
const INTERNAL: i64 = -32_603;
const HEADER_MISMATCH: i64 = -32_020;

pub(super) fn routes(service: &Arc<Service>) -> Router {
    Router::new()
        .route("/mcp/{server}", any(pass))
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
    if !METHODS.contains(&head.method) {
        return Ok(no_method());
    }
    let Ok(body) = axum::body::to_bytes(body, MOST_BYTES).await else {
        let message = format!("the message is too large or broke off, allowed: {MOST_BYTES} bytes");
        let status = StatusCode::PAYLOAD_TOO_LARGE;
        return Err(Failure::new(status, "too_large", message));
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

fn no_method() -> Response {
    let message = "MCP is spoken by POST, GET and DELETE";
    let failure = Failure::new(StatusCode::METHOD_NOT_ALLOWED, "method", message);
    ([(header::ALLOW, "POST, GET, DELETE")], failure).into_response()
}

impl Passing {
    async fn post(self, body: Bytes) -> Response {
        let posted = match read(&body) {
            Ok(posted) => posted,
            Err(error) => {
                let code = match error {
                    NotMcp::Malformed(_) => MALFORMED,
                    _ => INVALID,
                };
                return refused(StatusCode::BAD_REQUEST, code, &error.to_string());
            }
        };
        if let Err(mismatch) = agree(&self.headers, &posted) {
            let message = mismatch.to_string();
            return refused(StatusCode::BAD_REQUEST, HEADER_MISMATCH, &message);
        }
        match posted {
            Posted::Call(call) => self.call(call, body).await,
            // Giving up a call that may not be repeated would only leave open what came of it.
            Posted::Cancel(id) if self.proxy.flights.goes_on(&self.headers, &id) => {
                StatusCode::ACCEPTED.into_response()
            }
            Posted::List(id) if self.proxy.config.trust.any() => {
                self.through(body, Listening::Hints(id)).await
            }
            Posted::Cancel(_) | Posted::List(_) | Posted::Other(_) | Posted::Batch => {
                self.through(body, Listening::Nothing).await
            }
        }
    }

    async fn call(self, call: Call, body: Bytes) -> Response {
        let toolbox = self.service.engine.toolbox();
        let channel = self.proxy.config.channel.as_deref();
        let whom = match whom(&self.headers, &call.meta, channel) {
            Ok(whom) => whom,
            Err(unclear) => return self.denied(&call.id, &unclear.to_string()),
        };
        match self.proxy.policy(toolbox, &call.tool, whom.channel()) {
            Policy::Pass => self.through(body, Listening::Nothing).await,
            Policy::Deny(why) => self.denied(&call.id, &why),
            Policy::Guard(tool) => self.guarded((call, body), tool, &whom).await,
        }
    }

    async fn guarded(self, (call, body): (Call, Bytes), tool: Arc<Tool>, whom: &Whom) -> Response {
        let key = match whom.key(tool.scope) {
            Ok(key) => key,
            Err(unclear) => return self.denied(&call.id, &unclear.to_string()),
        };
        // This process carries it out: what it leaves open when it dies is unknown at once.
        let wish = Wish {
            runner: Runner::Engine,
            tongue: whom.tongue,
            ..Wish::of(&tool, call.arguments, key)
        };
        let exchange = Exchange {
            guard: self.service.engine.guard().clone(),
            clock: self.service.stores.clock.clone(),
            era: Era::of(&self.headers),
            headers: passes_on(&self.headers),
            proxy: self.proxy,
            query: self.query,
            tool,
            wish,
            id: call.id,
            body,
        };
        match exchange.relay().await {
            Some(relayed) => relayed.into_response(),
            None => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        }
    }

    /// A call that is not carried out; why, in words for a model.
    fn denied(&self, id: &Value, why: &str) -> Response {
        let refusal = answer::refusal(Era::of(&self.headers), why);
        axum::Json(answer::result(id, &refusal)).into_response()
    }

    /// Passes the request on as it is, and the answer back. A client that goes away takes the server's connection with it.
    async fn through(self, body: Bytes, listening: Listening) -> Response {
        let headers = passes_on(&self.headers);
        let (method, query) = (self.method, self.query.as_deref());
        let upstream = &self.proxy.server.upstream;
        let response = match upstream.pass(method, query, headers, body).await {
            Ok(response) => response,
            Err(error) => {
                let source = &error as &dyn std::error::Error;
                tracing::info!(error = source, "an MCP server gave no answer");
                let message = match error {
                    Unreached::Connect(_) => "the MCP server cannot be reached",
                    Unreached::Broken(_) => "the MCP server broke off",
                };
                return refused(StatusCode::BAD_GATEWAY, INTERNAL, message);
            }
        };
        let (status, headers) = (response.status(), passes_back(response.headers()));
        if status.is_redirection() {
            // Followed by the client it would lead around the guard.
            let message = "the MCP server redirects; name its new address in the configuration";
            return refused(StatusCode::BAD_GATEWAY, INTERNAL, message);
        }
        let guard = self.service.engine.guard().clone();
        let ear = Ear::new(self.proxy, guard, self.headers, listening, &headers);
        // A stream that never ends would keep the server from stopping.
        let stop = self.service.stop.clone().cancelled_owned();
        let body = Body::from_stream(heard(response, ear).take_until(stop));
        (status, headers, body).into_response()
    }
}

/// The body as it comes; what it says is heard before it is passed on.
fn heard(
    response: reqwest::Response,
    ear: Ear,
) -> impl Stream<Item = Result<Bytes, reqwest::Error>> {
    futures::stream::unfold((response, ear), |(mut response, mut ear)| async move {
        match response.chunk().await {
            Ok(Some(piece)) => {
                ear.hears(&piece).await;
                Some((Ok(piece), (response, ear)))
            }
            Ok(None) => {
                ear.ends().await;
                None
            }
            Err(error) => Some((Err(error.without_url()), (response, ear))),
        }
    })
}

/// A protocol error in the server's place.
fn refused(status: StatusCode, code: i64, message: &str) -> Response {
    let error = answer::error(&Value::Null, code, message);
    (status, axum::Json(error)).into_response()
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
