//! `cargo xtask`: everything that is done to this repository, as one program.
//!
//! It may start cargo, npm and apt; it must never be needed by the product at run time.

mod bench;
mod browser;
mod cache;
mod check;
mod command;
mod debian;
mod dist;
mod layers;
mod node;
mod run;
mod screenshots;
mod services;
mod site;
mod sources;
mod steps;
mod test;
mod wasm;
mod workspace;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use workspace::Workspace;

/// Build, check, test and start Replygate.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build console and server, then start `replygate serve` with the arguments that follow
    Run {
        /// Arguments handed to `replygate serve`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        serve_args: Vec<OsString>,
    },
    /// The quick loop: formatting, lints of both halves, docs, layers and sources
    Check,
    /// Everything that CI runs, in order; stops at the first step that fails
    Test,
    /// Build the browser half and the style sheet into the site folder
    Site,
    /// Find or start PostgreSQL, Redis and RabbitMQ for the tests
    Services,
    /// Prepare Chromium and its driver, and print the variables that the browser tests read
    Browser,
    /// Measure: micro-benchmarks, then a load run on the release binary
    Bench {
        /// In place of everything: `tools`, or phases of the load run: ingest, steady, growth, views; in a cluster ceiling,
        /// ingest, steady, spread, release, growth
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        parts: Vec<String>,
        /// What the server stands on: a data file, or PostgreSQL, Redis and RabbitMQ
        #[arg(long, value_enum, default_value_t)]
        mode: bench::Mode,
        /// In a cluster so many workers beside one web process, in place of one process that does everything
        #[arg(long, value_name = "N", default_value_t = 0)]
        workers: u32,
        /// Only show that everything runs, in a minute; the figures mean nothing
        #[arg(long)]
        quick: bool,
    },
    /// Take the pictures of the documentation, or of every page in light, dark and on a phone into FOLDER
    Screenshots {
        /// Where every page's pictures go; without it those of the documentation are made anew
        folder: Option<PathBuf>,
    },
    /// Build a release into `dist/`: the binary and the site beside it
    Dist,
}

fn main() -> ExitCode {
    match perform(Cli::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Without the backtrace that `anyhow` would add: it leads into this program only.
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn perform(task: Task) -> Result<()> {
    let workspace = Workspace::read()?;
    match task {
        Task::Run { serve_args } => run::run(&workspace, &serve_args),
        Task::Check => check::run(&workspace),
        Task::Test => test::run(&workspace),
        Task::Site => site::build(&workspace, site::Size::Quick).map(drop),
        Task::Services => services::run(&workspace),
        Task::Browser => browser::print_variables(),
        Task::Bench {
            parts,
            mode,
            workers,
            quick,
        } => match mode {
            bench::Mode::Embedded => bench::run(&workspace, &parts, quick),
            bench::Mode::Cluster => bench::run_cluster(&workspace, &parts, workers, quick),
        },
        Task::Screenshots { folder } => screenshots::run(&workspace, folder),
        Task::Dist => dist::run(&workspace),
    }
}
