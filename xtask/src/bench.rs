//! `cargo xtask bench`: measures and prints. Must never judge: a slow machine breaks no build.

use anyhow::Result;

use crate::workspace::Workspace;
use crate::{command, services};

/// What the server stands on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Mode {
    /// One data file.
    #[default]
    Embedded,
    /// PostgreSQL, Redis and RabbitMQ.
    Cluster,
}

/// The part that measures the tool guard.
const TOOLS: &str = "tools";

/// Micro-benchmarks first, then the tool guard and the load run on the release binary; with `parts` only these: `tools`, or
/// phases of the load run. Whatever stands behind `tools` goes to it: `tools --rows 100000`. A `quick` run shows in a
/// minute that everything runs; its figures mean nothing.
pub fn run(workspace: &Workspace, parts: &[String], quick: bool) -> Result<()> {
    if let Some((TOOLS, rest)) = parts
        .split_first()
        .map(|(first, rest)| (first.as_str(), rest))
    {
        let arguments: Vec<&str> = rest.iter().map(String::as_str).collect();
        return bench(workspace, "replygate", "tools", &arguments);
    }
    if parts.is_empty() {
        let once: &[&str] = if quick { &ONCE } else { &[] };
        let few: &[&str] = if quick { &["--rows", "10000"] } else { &[] };
        bench(workspace, "replygate-gate", "decide", once)?;
        bench(workspace, "replygate-embedded", "append", once)?;
        bench(workspace, "replygate", "tools", few)?;
    }
    let quick = quick.then_some("--quick");
    let arguments: Vec<&str> = parts.iter().map(String::as_str).chain(quick).collect();
    bench(workspace, "replygate", "load", &arguments)
}

/// The same for a server on the three services, which are found or started. With `parts` only these phases of the load
/// run.
pub fn run_cluster(
    workspace: &Workspace,
    parts: &[String],
    workers: u32,
    quick: bool,
) -> Result<()> {
    services::run(workspace)?;
    if parts.is_empty() {
        let once: &[&str] = if quick { &ONCE } else { &[] };
        bench(workspace, "replygate-cluster", "append", once)?;
    }
    let workers = format!("--workers={workers}");
    let options = ["--mode=cluster", &workers];
    let quick = quick.then_some("--quick");
    let arguments: Vec<&str> = options
        .into_iter()
        .chain(quick)
        .chain(parts.iter().map(String::as_str))
        .collect();
    bench(workspace, "replygate", "load", &arguments)
}

/// Each micro-benchmark a single time.
const ONCE: [&str; 4] = ["--sample-count", "1", "--sample-size", "1"];

fn bench(workspace: &Workspace, package: &str, name: &str, arguments: &[&str]) -> Result<()> {
    let mut cargo = command::cargo(&workspace.root);
    cargo
        .args(["bench", "--package", package, "--bench", name, "--"])
        .args(arguments);
    command::run(&mut cargo)
}
