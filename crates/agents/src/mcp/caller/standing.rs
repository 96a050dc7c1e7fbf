//! How a server wants to be spoken to: of the revision without sessions if it knows that, else in a session. Must never call
//! a tool to find out.

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};

use super::Caller;
use super::listed::{Listed, NOTHING};
use crate::mcp::headers::coded;
use crate::mcp::mirrored::{Malformed, Mirrored};

/// The revision without sessions.
const STATELESS: &str = "2026-07-28";
/// The last one with them.
const SESSIONS: &str = "2025-11-25";

const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// How a server is spoken to.
pub(super) enum Standing {
    /// Every request stands alone, and repeats in headers what the tools there are want repeated.
    Stateless(Listed),
    /// In a session, if the server gave one a name.
    Session {
        version: HeaderValue,
        id: Option<HeaderValue>,
    },
}

impl Standing {
    pub(super) const fn has_session(&self) -> bool {
        matches!(self, Self::Session { id: Some(_), .. })
    }

    pub(super) const fn is_stateless(&self) -> bool {
        matches!(self, Self::Stateless(_))
    }

    /// Which of a tool's arguments are repeated as headers.
    pub(super) fn mirrored(&self, tool: &str) -> Result<&Mirrored, Malformed> {
        match self {
            Self::Stateless(listed) => listed.mirrored(tool),
            Self::Session { .. } => Ok(&NOTHING),
        }
    }

    /// The headers of a request.
    pub(super) fn headers(&self, method: &'static str, name: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        match self {
            Self::Stateless(_) => {
                headers.insert(VERSION, HeaderValue::from_static(STATELESS));
                headers.insert(METHOD, HeaderValue::from_static(method));
                let name = name.and_then(|name| HeaderValue::from_str(&coded(name)).ok());
                headers.extend(name.map(|name| (NAME, name)));
            }
            Self::Session { version, id } => {
                headers.insert(VERSION, version.clone());
                headers.extend(id.clone().map(|id| (SESSION, id)));
            }
        }
        headers
    }

    /// A request.
    pub(super) fn request(&self, id: &Value, method: &str, params: &Value) -> Value {
        let mut params = params.clone();
        if self.is_stateless() {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": STATELESS,
                "io.modelcontextprotocol/clientInfo": client(),
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
    }
}

fn client() -> Value {
    json!({ "name": "replygate", "version": env!("CARGO_PKG_VERSION") })
}

/// A result of that id.
pub(super) fn result_of(id: &Value, message: &str) -> Option<Value> {
    let mut message: Value = serde_json::from_str(message).ok()?;
    let is_answer = message["id"] == *id && message["result"].is_object();
    is_answer.then(|| message["result"].take())
}

impl Caller {
    /// Finds out how the server is spoken to; why not otherwise, in a short stable word.
    pub(super) async fn greet(&self) -> Result<Standing, &'static str> {
        let bare = Standing::Stateless(Listed::default());
        if self.knows_no_sessions(&bare).await? {
            return Ok(Standing::Stateless(self.list(&bare).await?));
        }
        self.begin_session().await
    }

    async fn knows_no_sessions(&self, standing: &Standing) -> Result<bool, &'static str> {
        let id = Value::from("discover");
        let headers = standing.headers("server/discover", None);
        let body = standing.request(&id, "server/discover", &json!({}));
        let response = self.post(headers, &body).await.map_err(|_| "connect")?;
        if !response.status().is_success() {
            return Ok(false);
        }
        let messages = super::reading::messages(response).await;
        let result = messages.iter().find_map(|message| result_of(&id, message));
        let known = result
            .as_ref()
            .and_then(|one| one["supportedVersions"].as_array());
        Ok(known.is_some_and(|all| all.iter().any(|one| one == STATELESS)))
    }

    async fn begin_session(&self) -> Result<Standing, &'static str> {
        let id = Value::from("initialize");
        let body = json!({
            "jsonrpc": "2.0",
            "id": id,
            "method": "initialize",
            "params": {
                "protocolVersion": SESSIONS,
                "capabilities": {},
                "clientInfo": client(),
            },
        });
        let response = self.post(HeaderMap::new(), &body).await;
        let response = response.map_err(|_| "connect")?;
        if !response.status().is_success() {
            return Err("greeting_refused");
        }
        let session = response.headers().get(SESSION).cloned();
        let messages = super::reading::messages(response).await;
        let result = messages.iter().find_map(|message| result_of(&id, message));
        let version = result
            .as_ref()
            .and_then(|result| result["protocolVersion"].as_str())
            .and_then(|version| HeaderValue::from_str(version).ok())
            .ok_or("greeting_unreadable")?;
        let standing = Standing::Session {
            version,
            id: session,
        };
        let headers = standing.headers("notifications/initialized", None);
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        let told = self.post(headers, &ready).await.map_err(|_| "connect")?;
        if told.status().is_success() {
            Ok(standing)
        } else {
            Err("greeting_refused")
        }
    }
}
