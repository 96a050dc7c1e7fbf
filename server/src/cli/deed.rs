//! `lock`, `unlock`, `takeover`, `handback`, `reprocess`, `rerun`, `discard`, `mark-delivered`: an operator's deeds on a
//! running server.

use std::process::ExitCode;

use clap::Args;
use reqwest::Method;
use serde_json::{Value, json};

use super::remote::Remote;

/// Keeps a session's replies back until the lock is released or its time is over
#[derive(Args)]
pub(super) struct Lock {
    #[command(flatten)]
    remote: Remote,
    /// Which session: ses_…
    session: String,
    /// Who holds the lock
    #[arg(long)]
    holder: String,
    /// It must be renewed, by the same command, within this time
    #[arg(long, default_value_t = 30_000)]
    lease_ms: u64,
    /// It is gone after this time, whatever its holder does
    #[arg(long, default_value_t = 300_000)]
    ttl_ms: u64,
}

/// Releases a session's lock
#[derive(Args)]
pub(super) struct Unlock {
    #[command(flatten)]
    remote: Remote,
    /// Which session: ses_…
    session: String,
    /// Only if this one holds it
    #[arg(long)]
    holder: Option<String>,
}

/// A deed on a session
#[derive(Args)]
pub(super) struct OnSession {
    #[command(flatten)]
    remote: Remote,
    /// Which session: ses_…
    session: String,
    /// Why; kept in the records
    #[arg(long)]
    reason: Option<String>,
}

/// A deed on a parked or unknown reply
#[derive(Args)]
pub(super) struct OnReply {
    #[command(flatten)]
    remote: Remote,
    /// Which reply: rep_…
    reply: String,
    /// The generation that was seen; the present one if it is not said
    #[arg(long)]
    generation: Option<u32>,
    /// Why; kept in the records
    #[arg(long)]
    reason: Option<String>,
}

/// `rerun` may overrule a check.
#[derive(Args)]
pub(super) struct Rerun {
    #[command(flatten)]
    on: OnReply,
    /// Goes on although another reply answered some of the messages; needs a reason
    #[arg(long, requires = "reason")]
    r#override: bool,
}

impl Lock {
    pub(super) fn run(&self) -> anyhow::Result<ExitCode> {
        let body =
            json!({ "holder": self.holder, "lease_ms": self.lease_ms, "ttl_ms": self.ttl_ms });
        let path = format!("/v1/sessions/{}/lock", self.session);
        ask(&self.remote, Method::PUT, &path, &body)
    }
}

impl Unlock {
    pub(super) fn run(&self) -> anyhow::Result<ExitCode> {
        let path = format!("/v1/sessions/{}/lock", self.session);
        ask(
            &self.remote,
            Method::DELETE,
            &path,
            &json!({ "holder": self.holder }),
        )
    }
}

impl OnSession {
    pub(super) fn run(&self, deed: &str) -> anyhow::Result<ExitCode> {
        let path = format!("/v1/sessions/{}/{deed}", self.session);
        ask(
            &self.remote,
            Method::POST,
            &path,
            &json!({ "reason": self.reason }),
        )
    }
}

impl OnReply {
    pub(super) fn run(&self, deed: &str) -> anyhow::Result<ExitCode> {
        self.send(deed, json!({}))
    }

    fn send(&self, deed: &str, mut body: Value) -> anyhow::Result<ExitCode> {
        let path = format!("/v1/replies/{}", self.reply);
        super::runtime()?.block_on(async {
            let generation = match self.generation {
                Some(generation) => json!(generation),
                None => self.remote.ask(Method::GET, &path, None).await?["generation"].take(),
            };
            body["generation"] = generation;
            body["reason"] = json!(self.reason);
            let answer = self
                .remote
                .ask(Method::POST, &format!("{path}/{deed}"), Some(&body))
                .await?;
            println!("{answer}");
            Ok(ExitCode::SUCCESS)
        })
    }
}

impl Rerun {
    pub(super) fn run(&self) -> anyhow::Result<ExitCode> {
        self.on
            .send("rerun", json!({ "override": self.r#override }))
    }
}

fn ask(remote: &Remote, method: Method, path: &str, body: &Value) -> anyhow::Result<ExitCode> {
    let answer = super::runtime()?.block_on(remote.ask(method, path, Some(body)))?;
    println!("{answer}");
    Ok(ExitCode::SUCCESS)
}
