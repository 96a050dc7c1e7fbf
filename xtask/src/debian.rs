//! Installing Debian packages, where this is Debian (or a child of it) and we are root.
//!
//! Must never ask a question: CI has no terminal.

use std::process::Command;

use anyhow::{Result, bail};

use crate::command;

/// Installs packages, or says why it cannot.
///
/// The lists are refreshed first only where a plain install fails: on a fresh image there are none.
pub fn install(packages: &[&str]) -> Result<()> {
    if command::find(&["apt-get"]).is_none() {
        bail!("this system has no apt-get");
    }
    if !is_root()? {
        bail!(
            "installing needs root; as root run: apt-get install {}",
            packages.join(" ")
        );
    }
    eprintln!("installing {} with apt-get", packages.join(", "));
    if command::run(&mut install_command(packages)).is_ok() {
        return Ok(());
    }
    command::run(apt_get().arg("update"))?;
    command::run(&mut install_command(packages))
}

fn install_command(packages: &[&str]) -> Command {
    let mut install = apt_get();
    install
        .args(["install", "--yes", "--no-install-recommends"])
        .args(packages);
    install
}

fn apt_get() -> Command {
    let mut apt = Command::new("apt-get");
    // What `cargo xtask browser` prints is read by a shell.
    apt.arg("--quiet=2")
        .stdout(std::io::stderr())
        .env("DEBIAN_FRONTEND", "noninteractive");
    apt
}

/// Whether this program may do everything here.
pub fn is_root() -> Result<bool> {
    Ok(command::read(Command::new("id").arg("-u"))? == "0")
}
