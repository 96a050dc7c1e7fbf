//! `cargo xtask test`: everything that CI runs, in order.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::browser::Browser;
use crate::steps::Steps;
use crate::workspace::Workspace;
use crate::{check, command, dist, node, services};

const END2END: &str = "replygate-end2end";

/// Runs the steps; the first that fails ends it.
pub fn run(workspace: &Workspace) -> Result<()> {
    let mut steps = Steps::begin();
    check::steps(workspace, &mut steps)?;
    steps.step("lints: bindgen tool", || check::lint_bindgen(workspace))?;
    steps.step("services", || services::for_tests(workspace))?;
    steps.step("tests", || {
        let mut tests = runner(workspace);
        tests.env("TYPESCRIPT_NODE", node::for_typescript()?);
        command::run(tests.args(native_packages()))
    })?;
    steps.step("documentation examples", || {
        let mut cargo = command::cargo(&workspace.root);
        command::run(cargo.args(["test", "--doc"]).args(native_packages()))
    })?;
    // The one that is shipped: what the optimiser makes of it is tested too.
    let site = steps.step("browser half and its size", || dist::weigh(workspace))?;
    let server = steps.step("server", || build_server(workspace))?;
    if has_browser_tests(workspace)? {
        let browser = steps.step("browser and driver", Browser::prepare)?;
        steps.step("browser tests", || {
            command::run(&mut browser_tests(workspace, &server, &site, &browser))
        })?;
    }
    steps.finish();
    Ok(())
}

/// Builds the server as a person's first `cargo xtask run` does, and returns the binary.
pub fn build_server(workspace: &Workspace) -> Result<PathBuf> {
    let mut cargo = command::cargo(&workspace.root);
    command::run(cargo.args(["build", "--package", "replygate"]))?;
    Ok(binary_in(&workspace.target.join("debug")))
}

/// The server's binary in a folder of cargo's output.
pub fn binary_in(folder: &Path) -> PathBuf {
    folder.join(format!("replygate{}", std::env::consts::EXE_SUFFIX))
}

/// The console's two halves exclude each other: natively it is always built to render pages.
fn native_packages() -> [&'static str; 6] {
    [
        "--workspace",
        "--exclude=xtask-bindgen",
        "--exclude",
        END2END,
        "--features",
        "replygate-app/ssr",
    ]
}

fn browser_tests(workspace: &Workspace, server: &Path, site: &Path, browser: &Browser) -> Command {
    let mut tests = runner(workspace);
    tests
        .args(["--package", END2END])
        .env("REPLYGATE_BIN", server)
        .env("REPLYGATE_SITE", site)
        .envs(browser.variables());
    tests
}

fn has_browser_tests(workspace: &Workspace) -> Result<bool> {
    let package = workspace.package(END2END)?;
    Ok(package.targets.iter().any(|target| target.is("test")))
}

/// nextest where it is installed: it runs the tests of all packages side by side.
fn runner(workspace: &Workspace) -> Command {
    let mut cargo = command::cargo(&workspace.root);
    if command::find(&["cargo-nextest"]).is_some() {
        cargo.args(["nextest", "run", "--no-fail-fast"]);
    } else {
        cargo.args(["test", "--no-fail-fast", "--lib", "--bins", "--tests"]);
    }
    cargo
}
