//! `replygate config check | diff | apply`: the configuration file, by itself and against what is stored.

use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Subcommand};
use replygate_channels::webchat::{Hub, Pages};
use replygate_embedded::SystemClock;
use replygate_ports::clock::Clock;

use super::place::Place;
use super::store::Shelf;
use crate::config::{Config, Environment};
use crate::seed;
use crate::wiring::Adapters;

/// The configuration file against what is allowed and what is stored.
#[derive(Args)]
pub(super) struct ConfigCommand {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Says everything that is wrong with the configuration; exit code 1 if anything is
    Check(Place),
    /// Says how the file differs from the settings in force; exit code 1 if it does
    Diff(Place),
    /// Puts the file's settings into force, beside a running server too
    Apply(Place),
}

impl ConfigCommand {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let environment = Environment::of_process();
        match self.verb {
            Verb::Check(place) => check(&place, &environment),
            Verb::Diff(place) => super::runtime()?.block_on(diff(checked(&place, &environment)?)),
            Verb::Apply(place) => super::runtime()?.block_on(apply(checked(&place, &environment)?)),
        }
    }
}

fn check(place: &Place, environment: &Environment) -> anyhow::Result<ExitCode> {
    let config = checked(place, environment)?;
    let channels = config
        .channels
        .iter()
        .map(|channel| channel.settings.id.as_str());
    let channels: Vec<&str> = channels.collect();
    let tools: Vec<&str> = config.tools.iter().map(|tool| tool.name.as_str()).collect();
    println!(
        "the configuration is right; channels: {}",
        channels.join(", ")
    );
    if !tools.is_empty() {
        println!("tools: {}", tools.join(", "));
    }
    let servers: Vec<&str> = config
        .mcp
        .iter()
        .map(|server| server.name.as_str())
        .collect();
    if !servers.is_empty() {
        println!("MCP servers: {}", servers.join(", "));
    }
    Ok(ExitCode::SUCCESS)
}

/// The configuration, every value of which can be wired.
fn checked(place: &Place, environment: &Environment) -> anyhow::Result<Config> {
    let config = place.config(environment)?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let problems = Adapters::new(&config, &clock, Pages::Here(Hub::new()))?.problems(&config);
    if problems.is_empty() {
        return Ok(config);
    }
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    anyhow::bail!("{}", lines.join("\n"))
}

async fn diff(config: Config) -> anyhow::Result<ExitCode> {
    let shelf = Shelf::open(&config).await?;
    let found = seed::differences(&config, shelf.shelves()).await?;
    shelf.close().await;
    for difference in &found {
        println!("{difference}");
    }
    if found.is_empty() {
        println!("the file says what is stored");
        return Ok(ExitCode::SUCCESS);
    }
    Ok(ExitCode::FAILURE)
}

async fn apply(config: Config) -> anyhow::Result<ExitCode> {
    let shelf = Shelf::open(&config).await?;
    let applied = seed::apply(&config, shelf.shelves()).await?;
    shelf.close().await;
    for thing in &applied {
        println!("{thing}: the file's settings are in force");
    }
    if applied.is_empty() {
        println!("nothing to do: the file says what is stored");
    }
    Ok(ExitCode::SUCCESS)
}
