//! `cargo xtask bench`: measures and prints. Must never judge: a slow machine breaks no build.

use anyhow::Result;

use crate::command;
use crate::workspace::Workspace;

/// Micro-benchmarks first, then the load run on the release binary; with `parts` only these phases of the load run.
pub fn run(workspace: &Workspace, parts: &[String]) -> Result<()> {
    if parts.is_empty() {
        bench(workspace, "replygate-gate", "decide", &[])?;
        bench(workspace, "replygate-embedded", "append", &[])?;
    }
    bench(workspace, "replygate", "load", parts)
}

fn bench(workspace: &Workspace, package: &str, name: &str, arguments: &[String]) -> Result<()> {
    let mut cargo = command::cargo(&workspace.root);
    cargo
        .args(["bench", "--package", package, "--bench", name, "--"])
        .args(arguments);
    command::run(&mut cargo)
}
