//! `replygate token create`: a bearer token for a program.

use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::place::Place;
use super::store::Shelf;
use crate::auth::tokens;
use crate::config::{Config, Environment};

/// Tokens for programs that use `/v1`.
#[derive(Args)]
pub(super) struct TokenCommand {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Makes a token and prints it, as the last word and this once, beside a running server too
    Create(Create),
}

#[derive(Args)]
struct Create {
    #[command(flatten)]
    place: Place,
    /// What it may do: operate (read, act on replies and sessions, lock), or actions (ask before a tool
    /// is called, reach MCP servers through the guard)
    #[arg(long, value_parser = tokens::SCOPES)]
    scope: String,
    /// What the program is called in the records of what it did
    #[arg(long, default_value = "program")]
    name: String,
}

impl TokenCommand {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let Verb::Create(create) = self.verb;
        let config = create.place.config(&Environment::of_process())?;
        super::runtime()?.block_on(create_token(&create, &config))
    }
}

async fn create_token(create: &Create, config: &Config) -> anyhow::Result<ExitCode> {
    let shelf = Shelf::open(config).await?;
    let (accounts, entropy) = (&*shelf.accounts, &*shelf.entropy);
    let token = tokens::create(accounts, entropy, &create.scope, &create.name).await?;
    shelf.close().await;
    println!("token `{}` for {}: {token}", create.name, create.scope);
    Ok(ExitCode::SUCCESS)
}
