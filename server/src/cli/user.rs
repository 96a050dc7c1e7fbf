//! `replygate user add`: an account for the console, with a one-time link that sets its password.

use std::process::ExitCode;

use anyhow::bail;
use clap::{Args, Subcommand};
use replygate_app::view::Role;

use super::place::Place;
use super::store::Shelf;
use crate::auth::tokens;
use crate::config::{Config, Environment};

/// People who may use the console.
#[derive(Args)]
pub(super) struct UserCommand {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Adds an account and prints the link that sets its password, beside a running server too
    Add(Add),
}

#[derive(Args)]
struct Add {
    #[command(flatten)]
    place: Place,
    /// The name to sign in with
    name: String,
    /// viewer, support, operator, admin or owner
    #[arg(long, value_parser = role)]
    role: Role,
    /// Takes the password of an account that is there, so that a new one must be set
    #[arg(long)]
    reset: bool,
}

impl UserCommand {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let Verb::Add(add) = self.verb;
        let config = add.place.config(&Environment::of_process())?;
        super::runtime()?.block_on(add_user(&add, &config))
    }
}

async fn add_user(add: &Add, config: &Config) -> anyhow::Result<ExitCode> {
    let name = add.name.trim();
    if name.is_empty() || name.len() > 128 || name.chars().any(char::is_control) {
        bail!("the name is empty, too long or has control characters, allowed: 1 to 128 bytes");
    }
    let shelf = Shelf::open(config).await?;
    let present = shelf.accounts.user(name).await?;
    if present.is_some_and(|user| user.password.is_some()) && !add.reset {
        bail!("there is an account `{name}` with a password; --reset takes it away");
    }
    let token = tokens::add_user(
        &*shelf.accounts,
        &*shelf.clock,
        &*shelf.entropy,
        name,
        add.role.stored(),
    )
    .await?;
    shelf.close().await;
    let url = config.server.public_url.clone();
    let url = url.unwrap_or_else(|| format!("http://{}", config.server.listen));
    println!("Set the password of `{name}`, once, within a week: {url}/first-run?token={token}");
    Ok(ExitCode::SUCCESS)
}

fn role(word: &str) -> Result<Role, String> {
    Role::from_stored(word)
        .ok_or_else(|| "allowed: viewer, support, operator, admin, owner".to_owned())
}
