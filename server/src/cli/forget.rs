//! `replygate forget`: erases a person. While a server runs on a data directory, it does the erasing, because it holds the
//! sessions; in a cluster PostgreSQL keeps everybody apart.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use replygate_cluster::Postgres;
use replygate_embedded::{Database, SystemClock};
use replygate_ports::upkeep::Upkeep;
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
        if let Some(section) = &config.cluster {
            let clock = Arc::new(SystemClock::start());
            let postgres = Postgres::open(&section.services().postgres, clock).await?;
            let gone = self.erase(&postgres).await;
            postgres.close().await;
            return gone;
        }
        let database = Database::open(&config.server.data_dir).await.context(
            "cannot erase here; while a server runs on this data, name it with --url and --token",
        )?;
        let gone = self.erase(&database).await;
        database.close().await;
        gone
    }

    async fn erase(&self, upkeep: &dyn Upkeep) -> anyhow::Result<ExitCode> {
        let gone = upkeep
            .forget(self.channel.as_deref(), &self.contact)
            .await?;
        println!(
            "erased: {} sessions, {} messages, {} replies",
            gone.sessions, gone.messages, gone.replies
        );
        Ok(ExitCode::SUCCESS)
    }
}
