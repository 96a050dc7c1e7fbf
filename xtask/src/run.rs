//! `cargo xtask run`: from a fresh checkout to a running server.

use std::ffi::OsString;
use std::process::Command;

use anyhow::Result;

use crate::site::{self, Size};
use crate::test;
use crate::workspace::Workspace;

/// Builds both halves and becomes the server.
///
/// In the `dev` profile: its dependencies are optimised anyway, it takes a third of a release
/// build's time on two cores, and `cargo xtask test` uses what it built. For users there is `dist`.
pub fn run(workspace: &Workspace, serve_args: &[OsString]) -> Result<()> {
    println!("building the console (the first time takes some minutes)");
    let site = site::build(workspace, Size::Quick)?;
    println!("building the server");
    let server = test::build_server(workspace)?;
    let mut serve = Command::new(server);
    serve
        .arg("serve")
        .args(serve_args)
        .env("REPLYGATE_SITE", site);
    become_program(&mut serve)
}

/// Signals then reach the server itself, and its exit code is ours.
#[cfg(unix)]
fn become_program(program: &mut Command) -> Result<()> {
    use std::os::unix::process::CommandExt as _;
    Err(program.exec().into())
}

#[cfg(not(unix))]
fn become_program(program: &mut Command) -> Result<()> {
    crate::command::run(program)
}
