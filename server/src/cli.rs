//! The command line: one file per command. Must never print a secret that it did not just make.

mod backup;
mod config;
mod debounce;
mod deed;
mod doctor;
mod forget;
mod health;
mod jsonl;
mod migrate;
mod place;
mod remote;
mod serve;
mod simulate;
mod store;
mod token;
mod tools;
mod triage;
mod user;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Stands between messaging channels and an AI agent: a burst of messages becomes one thought-out turn, and a reply that
/// newer messages made wrong is never sent.
#[derive(Parser)]
#[command(name = "replygate", version, arg_required_else_help = true)]
struct Line {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Serve(serve::Serve),
    Health(health::Health),
    Doctor(doctor::Doctor),
    Config(config::ConfigCommand),
    User(user::UserCommand),
    Token(token::TokenCommand),
    Backup(backup::Backup),
    Restore(backup::Restore),
    Migrate(migrate::Migrate),
    Forget(forget::Forget),
    Lock(deed::Lock),
    Unlock(deed::Unlock),
    /// Answers instead of the agent from now on
    Takeover(deed::OnSession),
    /// Lets the agent answer again
    Handback(deed::OnSession),
    /// Sends a parked or unknown reply as it is written
    Reprocess(deed::OnReply),
    /// Lets the agent answer a parked or unknown reply's messages again
    Rerun(deed::Rerun),
    /// Decides that a parked or unknown reply is not sent
    Discard(deed::OnReply),
    /// Records that an unknown reply did reach the customer
    MarkDelivered(deed::OnReply),
    Simulate(simulate::Simulate),
    Triage(triage::TriageCommand),
    Debounce(debounce::DebounceCommand),
    Tools(tools::ToolsCommand),
}

impl Command {
    fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Serve(command) => command.run(),
            Self::Health(command) => command.run(),
            Self::Doctor(command) => command.run(),
            Self::Config(command) => command.run(),
            Self::User(command) => command.run(),
            Self::Token(command) => command.run(),
            Self::Backup(command) => command.run(),
            Self::Restore(command) => command.run(),
            Self::Migrate(command) => command.run(),
            Self::Forget(command) => command.run(),
            Self::Lock(command) => command.run(),
            Self::Unlock(command) => command.run(),
            Self::Takeover(command) => command.run("takeover"),
            Self::Handback(command) => command.run("handback"),
            Self::Reprocess(command) => command.run("reprocess"),
            Self::Rerun(command) => command.run(),
            Self::Discard(command) => command.run("discard"),
            Self::MarkDelivered(command) => command.run("mark-delivered"),
            Self::Simulate(command) => command.run(),
            Self::Triage(command) => command.run(),
            Self::Debounce(command) => command.run(),
            Self::Tools(command) => command.run(),
        }
    }
}

/// Runs the command that the arguments name; the exit code is 0, 1 for a command that failed, or 2 for wrong arguments.
#[must_use]
pub fn run() -> ExitCode {
    match Line::parse().command.run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("replygate: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Several threads: one request's work never waits for another's.
fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?)
}
