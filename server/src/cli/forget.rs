//! `replygate forget`: erases a person. While a server runs, it does the erasing, because it holds the sessions.

use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use replygate_embedded::Database;
use replygate_ports::upkeep::Upkeep as _;
use reqwest::Method;
use serde_json::json;

use super::place::Place;
use super::remote::Remote;
use crate::config::Environment;

/// Erases every trace of a contact: sessions, messages, replies, events
#[derive(Args)]
pub(super) struct Forget {
    #[command(flatten)]
    place: Place,
    /// The contact, as the channel names it
    contact: String,
    /// Only on this channel
    #[arg(long)]
    channel: Option<String>,
    /// The address of the server that runs on this data; without it no server may run
    #[arg(long, requires = "token")]
    url: Option<String>,
    /// A token that `replygate token create` made
    #[arg(long, env = "REPLYGATE_TOKEN", hide_env_values = true)]
    token: Option<String>,
}

impl Forget {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        super::runtime()?.block_on(self.forget())
    }

    async fn forget(self) -> anyhow::Result<ExitCode> {
        if let (Some(url), Some(token)) = (&self.url, &self.token) {
            let remote = Remote::new(url, token);
            let body = json!({ "contact": self.contact, "channel": self.channel });
            println!(
                "{}",
                remote.ask(Method::POST, "/v1/forget", Some(&body)).await?
            );
            return Ok(ExitCode::SUCCESS);
        }
        let config = self.place.config(&Environment::of_process())?;
        let database = Database::open(&config.server.data_dir).await.context(
            "cannot erase here; while a server runs on this data, name it with --url and --token",
        )?;
        let gone = database
            .forget(self.channel.as_deref(), &self.contact)
            .await?;
        database.close().await;
        println!(
            "erased: {} sessions, {} messages, {} replies",
            gone.sessions, gone.messages, gone.replies
        );
        Ok(ExitCode::SUCCESS)
    }
}
