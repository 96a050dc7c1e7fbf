//! `cargo xtask bench`: measures and prints. Must never judge: a slow machine breaks no build.

use anyhow::Result;

use crate::command;
use crate::workspace::Workspace;

/// Micro-benchmarks first, then the load run on the release binary; with `parts` only these phases of the load run. A
/// `quick` run shows in a minute that everything runs; its figures mean nothing.
pub fn run(workspace: &Workspace, parts: &[String], quick: bool) -> Result<()> {
    if parts.is_empty() {
        let once: &[&str] = if quick { &ONCE } else { &[] };
        bench(workspace, "replygate-gate", "decide", once)?;
        bench(workspace, "replygate-embedded", "append", once)?;
    }
    let quick = quick.then_some("--quick");
    let arguments: Vec<&str> = parts.iter().map(String::as_str).chain(quick).collect();
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
