//! `replygate health`: asks a running server whether it is ready, for containers that have no other program in them.

use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use reqwest::Client;

/// Says whether a running server is ready; exit code 1 if it is not
#[derive(Args)]
pub(super) struct Health {
    /// The server's address
    #[arg(long, default_value = "http://127.0.0.1:8420")]
    url: String,
}

impl Health {
    pub(super) fn run(&self) -> anyhow::Result<ExitCode> {
        super::runtime()?.block_on(self.ask())
    }

    async fn ask(&self) -> anyhow::Result<ExitCode> {
        let url = format!("{}/readyz", self.url.trim_end_matches('/'));
        let answer = Client::new().get(&url).send().await;
        let answer = answer.with_context(|| format!("cannot reach {url}"))?;
        let is_ready = answer.status().is_success();
        print!("{}", answer.text().await.unwrap_or_default());
        Ok(if is_ready {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }
}
