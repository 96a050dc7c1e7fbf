//! One address that is asked by posting JSON. Must never follow a redirect, read more than a megabyte, or put what the
//! other side said into an error.

use std::sync::Arc;
use std::time::Duration;

use futures::future::{Either, select};
use replygate_ports::agent::Again;
use replygate_ports::clock::Clock;
use replygate_ports::settings::SettingError;
use reqwest::header::{AUTHORIZATION, HeaderValue};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::kind::AgentDeps;
use crate::options::Options;

/// The options that [`Endpoint::read`] reads.
pub(crate) const OPTIONS: &[&str] = &["url", "timeout_ms", "token_env"];

/// The longest answer that is read, in bytes.
const ANSWER_BYTES: usize = 1024 * 1024;

const URL_ALLOWED: &str = "an http:// or https:// address";
const TOKEN_ALLOWED: &str = "the name of a variable that holds a token of visible ASCII characters";

/// Where to ask, and how long to wait.
pub(crate) struct Endpoint {
    url: reqwest::Url,
    token: Option<HeaderValue>,
    limit: Duration,
    client: reqwest::Client,
    clock: Arc<dyn Clock>,
}

/// Why there is no usable answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unanswered {
    /// None came in time.
    Timeout,
    /// Nobody listens.
    Connect,
    /// The connection broke.
    Lost,
    /// The other side refused.
    Status(u16),
    /// It is longer than a megabyte.
    TooLong,
    /// It is not the JSON that was asked for.
    Unreadable,
}

impl Unanswered {
    /// A short stable word such as `timeout` or `http_500`.
    pub(crate) fn code(&self) -> String {
        match self {
            Self::Timeout => "timeout".to_owned(),
            Self::Connect => "connect".to_owned(),
            Self::Lost => "connection_lost".to_owned(),
            Self::Status(status) => format!("http_{status}"),
            Self::TooLong => "answer_too_long".to_owned(),
            Self::Unreadable => "answer_unreadable".to_owned(),
        }
    }

    /// Whether it may go better another time.
    pub(crate) fn again(&self) -> Again {
        match self {
            Self::Timeout
            | Self::Connect
            | Self::Lost
            | Self::Status(408 | 425 | 429 | 500..=599) => Again::Yes,
            Self::Status(_) | Self::TooLong | Self::Unreadable => Again::No,
        }
    }
}

impl Endpoint {
    /// `url`, `timeout_ms` and `token_env`, the name of the variable whose value is sent as a bearer token.
    pub(crate) fn read(
        options: &Options<'_>,
        deps: &AgentDeps,
        timeout_ms: u64,
    ) -> Result<Self, SettingError> {
        let text = options
            .text("url", URL_ALLOWED)?
            .ok_or_else(|| options.wrong("url", "not set", URL_ALLOWED))?;
        let url = reqwest::Url::parse(text)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https"))
            .ok_or_else(|| options.wrong("url", format!("`{text}`"), URL_ALLOWED))?;
        let limit = Duration::from_millis(
            options
                .number("timeout_ms", 1, 600_000)?
                .unwrap_or(timeout_ms),
        );
        let token = options
            .text("token_env", TOKEN_ALLOWED)?
            .map(|name| token(name, deps, options))
            .transpose()?;
        Ok(Self {
            url,
            token,
            limit,
            client: deps.client.clone(),
            clock: Arc::clone(&deps.clock),
        })
    }

    /// Posts `body` and reads the answer; `None` for 204. `id` is sent as `idempotency-key`: asking again about the
    /// same thing has the same one.
    pub(crate) async fn ask<A: DeserializeOwned>(
        &self,
        id: &str,
        body: &(impl Serialize + Sync),
    ) -> Result<Option<A>, Unanswered> {
        let asked = Box::pin(self.exchange(id, body));
        let Either::Left((bytes, _)) = select(asked, self.clock.sleep(self.limit)).await else {
            return Err(Unanswered::Timeout);
        };
        match bytes? {
            None => Ok(None),
            Some(bytes) => serde_json::from_slice(&bytes)
                .map(Some)
                .map_err(|_| Unanswered::Unreadable),
        }
    }

    async fn exchange(
        &self,
        id: &str,
        body: &(impl Serialize + Sync),
    ) -> Result<Option<Vec<u8>>, Unanswered> {
        let mut request = self
            .client
            .post(self.url.clone())
            .header("idempotency-key", id)
            .json(body);
        if let Some(token) = &self.token {
            request = request.header(AUTHORIZATION, token.clone());
        }
        let mut response = request.send().await.map_err(|error| broken(&error))?;
        match response.status().as_u16() {
            204 => return Ok(None),
            200..=299 => {}
            status => return Err(Unanswered::Status(status)),
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| broken(&error))? {
            if bytes.len() + chunk.len() > ANSWER_BYTES {
                return Err(Unanswered::TooLong);
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(Some(bytes))
    }
}

fn broken(error: &reqwest::Error) -> Unanswered {
    if error.is_connect() {
        Unanswered::Connect
    } else {
        Unanswered::Lost
    }
}

fn token(name: &str, deps: &AgentDeps, options: &Options<'_>) -> Result<HeaderValue, SettingError> {
    let wrong = || options.wrong("token_env", format!("`{name}`"), TOKEN_ALLOWED);
    let token = (deps.secret)(name)
        .filter(|token| !token.trim().is_empty())
        .ok_or_else(wrong)?;
    let mut value =
        HeaderValue::from_str(&format!("Bearer {}", token.trim())).map_err(|_| wrong())?;
    value.set_sensitive(true);
    Ok(value)
}
