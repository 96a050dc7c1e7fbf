//! Calls tools of one server, for agents that run here. Must never send a call again that may have arrived.

mod listed;
mod reading;
mod standing;

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::future::{Either, select};
use futures::lock::Mutex;
use replygate_ports::clock::Clock;
use replygate_ports::tools::{ToolCall, ToolError};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};

use super::mirrored::Malformed;
use super::{Ended, ToolErrors, Unreached, Upstream};
use standing::Standing;

const BOTH: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
/// What the tool's own service is to know a call by.
const KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Finding out how a server wants to be spoken to may take so long.
const GREETING: Duration = Duration::from_secs(5);
/// A refusal because of headers that do not repeat the message as the server wants it.
const MISMATCH: &str = "rpc-32020";

/// Calls tools of one server.
pub(crate) struct Caller {
    upstream: Upstream,
    errors: ToolErrors,
    clock: Arc<dyn Clock>,
    standing: Mutex<Option<Arc<Standing>>>,
}

/// What became of one try.
enum Tried {
    Ended(Ended),
    /// The server is not as it was known to be: it forgot the session, or its tools ask for other headers. Nothing was
    /// called.
    Changed(ToolError),
}

impl Caller {
    pub(super) fn new(upstream: Upstream, errors: ToolErrors, clock: Arc<dyn Clock>) -> Self {
        Self {
            upstream,
            errors,
            clock,
            standing: Mutex::default(),
        }
    }

    /// Calls a tool once, by what it is called on its server.
    pub(crate) async fn call(&self, tool: &str, call: &ToolCall) -> Result<Value, ToolError> {
        let mut refused = not_called("session_lost");
        // What changed is found out anew, once.
        for _ in 0..2 {
            let standing = self.standing().await?;
            match self.try_once(&standing, tool, call).await {
                Tried::Ended(ended) => return outcome(ended),
                Tried::Changed(why) => {
                    self.forget(&standing).await;
                    refused = why;
                }
            }
        }
        Err(refused)
    }

    async fn try_once(&self, standing: &Standing, tool: &str, call: &ToolCall) -> Tried {
        let id = Value::from(call.action.to_string());
        let mut headers = standing.headers("tools/call", Some(tool));
        // The same for a call that repeats one whose outcome is unknown.
        let key = HeaderValue::from_str(&call.key.to_string()).ok();
        headers.extend(key.map(|key| (KEY, key)));
        match standing.mirrored(tool) {
            Ok(mirrored) => headers.extend(mirrored.headers(&call.arguments)),
            Err(error) => return Tried::Ended(not_callable(error)),
        }
        let params = json!({ "name": tool, "arguments": call.arguments });
        let body = standing.request(&id, "tools/call", &params);
        let response = match self.post(headers, &body).await {
            Ok(response) => response,
            Err(Unreached::Connect(_)) => return Tried::Ended(unreachable_server()),
            Err(Unreached::Broken(_)) => return Tried::Ended(Ended::unknown("connection_lost")),
        };
        let status = response.status();
        if status == StatusCode::NOT_FOUND && standing.has_session() {
            return Tried::Changed(not_called("session_lost"));
        }
        let ended = match Ended::by_status(status.as_u16()) {
            None => self.read(response, standing, &id).await,
            Some(ended) if status == StatusCode::BAD_REQUEST => {
                self.refusal(response, &id).await.unwrap_or(ended)
            }
            Some(ended) => ended,
        };
        match ended {
            Ended::Failed { code, message } if standing.is_stateless() && code == MISMATCH => {
                Tried::Changed(ToolError::Failed { code, message })
            }
            ended => Tried::Ended(ended),
        }
    }

    /// What a refusal says of its reason, where that is one from before anything ran.
    async fn refusal(&self, response: Response, id: &Value) -> Option<Ended> {
        let messages = reading::messages(response).await;
        let told = messages
            .iter()
            .find_map(|message| Ended::by(id, message, self.errors));
        told.filter(|ended| matches!(ended, Ended::Failed { .. }))
    }

    async fn post(&self, mut headers: HeaderMap, body: &Value) -> Result<Response, Unreached> {
        headers.insert(CONTENT_TYPE, JSON);
        headers.insert(ACCEPT, BOTH);
        let body = Bytes::from(body.to_string());
        self.upstream.pass(Method::POST, None, headers, body).await
    }

    /// How the server is spoken to; found out before the first call.
    async fn standing(&self) -> Result<Arc<Standing>, ToolError> {
        let mut standing = self.standing.lock().await;
        if let Some(known) = &*standing {
            return Ok(Arc::clone(known));
        }
        let limit = self.clock.sleep(GREETING);
        let found = match select(pin!(self.greet()), limit).await {
            Either::Left((found, _)) => found.map_err(not_called)?,
            Either::Right(_) => return Err(not_called("greeting_timeout")),
        };
        let found = Arc::new(found);
        *standing = Some(Arc::clone(&found));
        Ok(found)
    }

    /// Forgets how the server was spoken to, unless somebody found out anew meanwhile.
    async fn forget(&self, old: &Arc<Standing>) {
        let mut standing = self.standing.lock().await;
        standing.take_if(|known| Arc::ptr_eq(known, old));
    }
}

fn not_called(code: &str) -> ToolError {
    ToolError::Failed {
        code: code.to_owned(),
        message: "the tool's server cannot be reached; nothing was done".to_owned(),
    }
}

fn not_callable(error: Malformed) -> Ended {
    Ended::Failed {
        code: "tool_definition".to_owned(),
        message: format!("{error}; nothing was done"),
    }
}

fn unreachable_server() -> Ended {
    Ended::Failed {
        code: "connect".to_owned(),
        message: "the tool's server cannot be reached; nothing was done".to_owned(),
    }
}

fn outcome(ended: Ended) -> Result<Value, ToolError> {
    match ended {
        Ended::Done(result) => Ok(shown(result)),
        Ended::Failed { code, message } => Err(ToolError::Failed { code, message }),
        Ended::Unknown { code } => Err(ToolError::Unknown { code }),
    }
}

/// What a model is to see of a result: nothing of the protocol's own.
fn shown(mut result: Value) -> Value {
    if let Some(members) = result.as_object_mut() {
        members.retain(|name, value| match name.as_str() {
            "_meta" | "resultType" => false,
            "isError" => *value == true,
            _ => true,
        });
    }
    result
}
