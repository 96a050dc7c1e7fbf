//! A running server, spoken to over `/v1`. Must never print the token.

use anyhow::{Context as _, bail};
use clap::Args;
use reqwest::{Client, Method};
use serde_json::Value;

/// Which running server, and as whom.
#[derive(Args, Clone)]
pub(super) struct Remote {
    /// The server's address
    #[arg(long, default_value = "http://127.0.0.1:8420")]
    url: String,
    /// A token that `replygate token create` made
    #[arg(long, env = "REPLYGATE_TOKEN", hide_env_values = true)]
    token: String,
}

impl Remote {
    /// The server at this address.
    pub(super) fn new(url: &str, token: &str) -> Self {
        Self {
            url: url.to_owned(),
            token: token.to_owned(),
        }
    }

    /// Sends one request and returns the answer's JSON; what the server says when the answer is no.
    pub(super) async fn ask(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> anyhow::Result<Value> {
        let url = format!("{}{path}", self.url.trim_end_matches('/'));
        let mut request = Client::new().request(method, &url).bearer_auth(&self.token);
        if let Some(body) = body {
            request = request.json(body);
        }
        let response = request
            .send()
            .await
            .with_context(|| format!("cannot reach {url}"))?;
        let status = response.status();
        let answer: Value = response.json().await.unwrap_or_default();
        if status.is_success() {
            return Ok(answer);
        }
        let message = answer["message"].as_str().unwrap_or("no reason was given");
        match answer["allowed"].as_str() {
            Some(allowed) => bail!("{message}, allowed: {allowed} ({status})"),
            None => bail!("{message} ({status})"),
        }
    }
}
