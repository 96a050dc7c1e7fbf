//! `cargo xtask check`: what can be told without running the product.

use std::process::Command;

use anyhow::Result;

use crate::steps::Steps;
use crate::wasm::Toolchain;
use crate::workspace::Workspace;
use crate::{command, layers, sources};

/// Runs the quick steps and prints the summary.
pub fn run(workspace: &Workspace) -> Result<()> {
    let mut steps = Steps::begin();
    self::steps(workspace, &mut steps)?;
    steps.finish();
    Ok(())
}

/// The quick steps, as the first part of a longer run.
pub fn steps(workspace: &Workspace, steps: &mut Steps) -> Result<()> {
    steps.step("formatting", || {
        command::run(cargo(workspace).args(["fmt", "--all", "--check"]))
    })?;
    steps.step("layers", || layers::check(workspace))?;
    steps.step("sources", || sources::check(&workspace.root))?;
    steps.step("lints: native", || {
        command::run(
            cargo(workspace)
                .args(["clippy", "--workspace", "--exclude=xtask-bindgen"])
                .args(["--all-targets", "--features", "replygate-app/ssr"])
                .args(DENY_WARNINGS),
        )
    })?;
    let toolchain = steps.step("compiler for the browser half", || {
        Toolchain::prepare(&workspace.root)
    })?;
    steps.step("gate for the browser", || {
        let mut cargo = in_browser(workspace, &toolchain, "check");
        command::run(cargo.args(["--package", "replygate-gate"]))
    })?;
    steps.step("lints: browser half", || {
        lint_browser(workspace, &toolchain)
    })?;
    steps.step("documentation", || {
        command::run(
            cargo(workspace)
                .args(["doc", "--no-deps", "--workspace", "--exclude=xtask-bindgen"])
                .args(["--features", "replygate-app/ssr"])
                .env("RUSTDOCFLAGS", "-D warnings"),
        )
    })
}

/// Not among the quick steps: its dependencies take a minute to compile.
pub fn lint_bindgen(workspace: &Workspace) -> Result<()> {
    command::run(
        cargo(workspace)
            .args(["clippy", "--package=xtask-bindgen", "--all-targets"])
            .args(DENY_WARNINGS),
    )
}

const DENY_WARNINGS: [&str; 3] = ["--", "-D", "warnings"];

const BROWSER_HALF: [&str; 5] = [
    "--package",
    "replygate-app",
    "--no-default-features",
    "--features",
    "hydrate",
];

/// Where the browser's compiler has no clippy, it builds the code (a later step needs that anyway)
/// and the native clippy reads it.
fn lint_browser(workspace: &Workspace, toolchain: &Toolchain) -> Result<()> {
    if toolchain.has_clippy() {
        let mut clippy = in_browser(workspace, toolchain, "clippy");
        return command::run(clippy.args(BROWSER_HALF).args(DENY_WARNINGS));
    }
    let mut build = in_browser(workspace, toolchain, "build");
    command::run(build.args(BROWSER_HALF))?;
    let mut clippy = cargo(workspace);
    command::run(clippy.arg("clippy").args(BROWSER_HALF).args(DENY_WARNINGS))
}

fn cargo(workspace: &Workspace) -> Command {
    command::cargo(&workspace.root)
}

fn in_browser(workspace: &Workspace, toolchain: &Toolchain, subcommand: &str) -> Command {
    toolchain.cargo(&workspace.root, subcommand)
}
