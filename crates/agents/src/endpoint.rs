//! One address that is asked by posting JSON in this project's own words.

use std::sync::Arc;
use std::time::Duration;

use replygate_ports::settings::SettingError;
use reqwest::header::{AUTHORIZATION, HeaderValue};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::kind::AgentDeps;
use crate::options::{ADDRESS, Options};
use crate::secret;
use crate::transport::{Opened, Patience, Transport};
use crate::unanswered::Unanswered;

/// The options that [`Endpoint::read`] reads.
pub(crate) const OPTIONS: &[&str] = &["url", "timeout_ms", "token_env"];

const TOKEN_ALLOWED: &str = "the name of a variable that holds a token of visible ASCII characters";

/// Where to ask, and how long to wait.
pub(crate) struct Endpoint {
    url: reqwest::Url,
    token: Option<HeaderValue>,
    transport: Transport,
}

impl Endpoint {
    /// `url`, `timeout_ms` and `token_env`, the name of the variable whose value is sent as a bearer token.
    pub(crate) fn read(
        options: &Options<'_>,
        deps: &AgentDeps,
        timeout_ms: u64,
    ) -> Result<Self, SettingError> {
        let url = options
            .address("url")?
            .ok_or_else(|| options.wrong("url", "not set", ADDRESS))?;
        let limit = options
            .number("timeout_ms", 1, 600_000)?
            .unwrap_or(timeout_ms);
        let token = token_of(options, deps)?;
        let transport = Transport::new(
            deps.client.clone(),
            Arc::clone(&deps.clock),
            Patience::whole(Duration::from_millis(limit)),
        );
        Ok(Self {
            url,
            token,
            transport,
        })
    }

    /// Posts `body` and reads the answer; `None` for 204. `id` is sent as `idempotency-key`: asking again about the
    /// same thing has the same one.
    pub(crate) async fn ask<A: DeserializeOwned>(
        &self,
        id: &str,
        body: &(impl Serialize + Sync),
    ) -> Result<Option<A>, Unanswered> {
        let deadline = self.transport.deadline(None);
        let mut request = self
            .transport
            .client()
            .post(self.url.clone())
            .header("idempotency-key", id)
            .json(body);
        if let Some(token) = &self.token {
            request = request.header(AUTHORIZATION, token.clone());
        }
        let exchange = async {
            match self.transport.open(request, deadline).await? {
                Opened::Answer(answer) if answer.status() == 204 => Ok(None),
                Opened::Answer(answer) => answer.json().await.map(Some),
                Opened::Refused(refused) => {
                    Err(Unanswered::refused(refused.status, refused.told.again))
                }
            }
        };
        self.transport.until(deadline, exchange).await
    }
}

/// The bearer token that stands under the variable which `token_env` names.
pub(crate) fn token_of(
    options: &Options<'_>,
    deps: &AgentDeps,
) -> Result<Option<HeaderValue>, SettingError> {
    let Some(name) = options.text("token_env", TOKEN_ALLOWED)? else {
        return Ok(None);
    };
    (deps.secret)(&format!("env:{name}"))
        .and_then(|token| secret::sensitive("Bearer ", &token))
        .map(Some)
        .ok_or_else(|| options.wrong("token_env", format!("`{name}`"), TOKEN_ALLOWED))
}
