//! `cargo xtask bench`: measures and prints. Must never judge: a slow machine breaks no build.

use anyhow::Result;

use crate::command;
use crate::workspace::Workspace;

/// The part that measures the tool guard.
const TOOLS: &str = "tools";

/// Micro-benchmarks first, then the tool guard and the load run on the release binary; with `parts` only these: `tools`, or
/// phases of the load run. Whatever stands behind `tools` goes to it: `tools --rows 100000`.
pub fn run(workspace: &Workspace, parts: &[String]) -> Result<()> {
    if let Some((TOOLS, rest)) = parts
        .split_first()
        .map(|(first, rest)| (first.as_str(), rest))
    {
        return bench(workspace, "replygate", "tools", rest);
    }
    if parts.is_empty() {
        bench(workspace, "replygate-gate", "decide", &[])?;
        bench(workspace, "replygate-embedded", "append", &[])?;
        bench(workspace, "replygate", "tools", &[])?;
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
