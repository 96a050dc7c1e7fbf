//! A tool behind an address. Must never follow a redirect, and never calls a failure what may have had its effect.

use async_trait::async_trait;
use replygate_ports::settings::SettingError;
use replygate_ports::tools::{ToolCall, ToolError, ToolHost};
use reqwest::header::{AUTHORIZATION, HeaderValue};
use reqwest::{Method, Response};
use serde_json::Value;

use super::template;
use crate::endpoint;
use crate::kind::AgentDeps;
use crate::options::Options;

/// The options of the `http` host.
pub(crate) const OPTIONS: &[&str] = &["url", "method", "body", "token_env", "refused_statuses"];

const METHODS: &str = "GET, POST, PUT, PATCH, DELETE";
/// The longest result that is read, in bytes.
const RESULT_BYTES: usize = 1024 * 1024;
/// So much of a refusal's words the agent is told, in characters.
const WORDS: usize = 500;

/// Calls an address with the arguments.
///
/// The header `idempotency-key` is the same for a call that repeats one whose outcome is unknown. 2xx is done; its JSON,
/// or its text, is the result. 4xx says that nothing was done, and so does every status in `refused_statuses`; 5xx, a
/// connection that breaks and no answer in time leave the outcome unknown.
pub(crate) struct HttpTool {
    url: String,
    method: Method,
    body: Option<Value>,
    token: Option<HeaderValue>,
    refused: Vec<u16>,
    client: reqwest::Client,
}

impl HttpTool {
    pub(crate) fn read(options: &Options<'_>, deps: &AgentDeps) -> Result<Self, SettingError> {
        const URL: &str = "an http:// or https:// address, with places such as {order_id}";
        let url = options
            .text("url", URL)?
            .ok_or_else(|| options.wrong("url", "not set", URL))?;
        let sample = url.replace(['{', '}'], "x");
        let is_address =
            reqwest::Url::parse(&sample).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
        let host_end = url.find("://").map_or(0, |at| at + 3);
        let host = url[host_end..].split(['/', '?']).next().unwrap_or_default();
        // An argument must not choose whom the token is sent to.
        if !is_address || host.contains('{') {
            return Err(options.wrong("url", format!("`{url}`"), URL));
        }
        let method = options.text("method", METHODS)?.unwrap_or("POST");
        let method = METHODS
            .split(", ")
            .find(|known| *known == method)
            .and_then(|known| known.parse().ok())
            .ok_or_else(|| options.wrong("method", format!("`{method}`"), METHODS))?;
        Ok(Self {
            url: url.to_owned(),
            method,
            body: options.value("body").cloned(),
            token: endpoint::token_of(options, deps)?,
            refused: statuses(options)?,
            client: deps.client.clone(),
        })
    }

    fn request(&self, call: &ToolCall) -> Result<reqwest::RequestBuilder, ToolError> {
        let url = template::address(&self.url, &call.arguments).map_err(|missing| {
            super::arguments::refused(&missing, "not given", "a value: it is part of the address")
        })?;
        let mut url = reqwest::Url::parse(&url)
            .map_err(|_| super::arguments::refused("url", "no address", "an address"))?;
        let has_body = !matches!(self.method, Method::GET | Method::DELETE);
        let rest = self.rest(&call.arguments);
        if self.body.is_none() && !has_body && !rest.is_empty() {
            url.query_pairs_mut().extend_pairs(rest);
        }
        let mut request = self
            .client
            .request(self.method.clone(), url)
            .header("idempotency-key", call.key.to_string());
        if let Some(token) = &self.token {
            request = request.header(AUTHORIZATION, token.clone());
        }
        Ok(match &self.body {
            Some(body) => request.json(&template::body(body, &call.arguments)),
            None if has_body => request.json(&call.arguments),
            None => request,
        })
    }

    /// The arguments that have no place in the address, for a method without a body.
    fn rest(&self, arguments: &Value) -> Vec<(String, String)> {
        let used = template::places(&self.url);
        let given = arguments.as_object().into_iter().flatten();
        given
            .filter(|(key, value)| !used.contains(*key) && !value.is_null())
            .map(|(key, value)| match value {
                Value::String(text) => (key.clone(), text.clone()),
                other => (key.clone(), other.to_string()),
            })
            .collect()
    }

    fn is_refusal(&self, status: u16) -> bool {
        (400..500).contains(&status) && status != 408 || self.refused.contains(&status)
    }
}

fn statuses(options: &Options<'_>) -> Result<Vec<u16>, SettingError> {
    const ALLOWED: &str = "a list of statuses from 300 to 599";
    let Some(value) = options.value("refused_statuses") else {
        return Ok(Vec::new());
    };
    let status = |value: &Value| {
        let status = value.as_u64().filter(|status| (300..600).contains(status));
        status.map(|status| status as u16)
    };
    let list = value
        .as_array()
        .map(|items| items.iter().map(status).collect());
    list.flatten()
        .ok_or_else(|| options.wrong("refused_statuses", value, ALLOWED))
}

#[async_trait]
impl ToolHost for HttpTool {
    async fn run(&self, call: &ToolCall) -> Result<Value, ToolError> {
        let mut response = match self.request(call)?.send().await {
            Ok(response) => response,
            Err(error) if error.is_connect() || error.is_builder() => {
                return Err(ToolError::Failed {
                    code: "connect".to_owned(),
                    message: "the tool cannot be reached; nothing was done".to_owned(),
                });
            }
            Err(_) => {
                return Err(ToolError::Unknown {
                    code: "connection_lost".to_owned(),
                });
            }
        };
        let status = response.status().as_u16();
        let text = read(&mut response).await;
        match status {
            // Done is done, whatever became of the words about it.
            200..=299 => Ok(text.map_or(Value::Null, |text| result(&text))),
            _ if self.is_refusal(status) => Err(ToolError::Failed {
                code: format!("http_{status}"),
                message: refusal(status, text.unwrap_or_default().as_str()),
            }),
            _ => Err(ToolError::Unknown {
                code: format!("http_{status}"),
            }),
        }
    }
}

/// The words of the answer; nothing when they are too long or broke off.
async fn read(response: &mut Response) -> Option<String> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.ok()? {
        if bytes.len() + chunk.len() > RESULT_BYTES {
            return None;
        }
        bytes.extend_from_slice(&chunk);
    }
    String::from_utf8(bytes).ok()
}

fn result(text: &str) -> Value {
    if text.trim().is_empty() {
        return Value::Null;
    }
    serde_json::from_str(text).unwrap_or_else(|_| serde_json::json!({ "text": text }))
}

fn refusal(status: u16, text: &str) -> String {
    let words: String = text.chars().take(WORDS).collect();
    format!("the tool refused with status {status}: {words}")
}
