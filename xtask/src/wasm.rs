//! The compiler for the browser half: which one builds `wasm32-unknown-unknown` on this machine.
//!
//! Never touches the toolchain that builds native code.

mod debian_toolchain;

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::command;
use debian_toolchain::DebianToolchain;

/// The target of the browser half.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Set to `debian` to use Debian's compiler even where the ordinary target is installed.
const CHOICE: &str = "REPLYGATE_WASM_TOOLCHAIN";

const ADVICE: &str = "\
The browser half needs the Rust target wasm32-unknown-unknown. Do one of these, then try again:
  - with rustup and a network:  rustup target add wasm32-unknown-unknown
  - on Debian 12, as root:      apt-get install rustc-web cargo-web rust-web-src
  - otherwise: install your distribution's package with the standard library for that target";

/// A compiler that can build the browser half.
pub enum Toolchain {
    /// The ordinary one, with the target installed.
    Ordinary,
    /// Debian's compiler with a standard library that was built here.
    Debian(DebianToolchain),
}

impl Toolchain {
    /// Finds or prepares one: what is installed, what was prepared earlier, rustup, Debian.
    pub fn prepare(root: &Path) -> Result<Self> {
        if std::env::var_os(CHOICE).is_some_and(|choice| choice == "debian") {
            return DebianToolchain::prepare(root).map(Self::Debian);
        }
        if is_installed(root) {
            return Ok(Self::Ordinary);
        }
        if let Some(prepared) = DebianToolchain::prepared_earlier(root) {
            return Ok(Self::Debian(prepared));
        }
        if add_with_rustup(root) && is_installed(root) {
            return Ok(Self::Ordinary);
        }
        println!("rustup could not bring {TARGET}: trying Debian's compiler");
        match DebianToolchain::prepare(root) {
            Ok(prepared) => Ok(Self::Debian(prepared)),
            Err(reason) => bail!("{ADVICE}\nDebian's compiler was not possible: {reason:#}"),
        }
    }

    /// `cargo <subcommand> --target wasm32-unknown-unknown`.
    pub fn cargo(&self, root: &Path, subcommand: &str) -> Command {
        let mut cargo = match self {
            Self::Ordinary => command::cargo(root),
            Self::Debian(debian) => debian.cargo(root),
        };
        cargo.args([subcommand, "--target", TARGET]);
        cargo
    }

    /// Whether `clippy` can read code for the browser: Debian's compiler comes without it.
    pub fn has_clippy(&self) -> bool {
        matches!(self, Self::Ordinary)
    }
}

/// Whether the ordinary compiler has a standard library for the target.
fn is_installed(root: &Path) -> bool {
    let mut rustc = Command::new("rustc");
    rustc.current_dir(root);
    let Ok(libraries) = command::read(rustc.args(["--print", "target-libdir", "--target", TARGET]))
    else {
        return false;
    };
    std::fs::read_dir(libraries).is_ok_and(|mut entries| {
        entries.any(|entry| {
            entry.is_ok_and(|file| file.file_name().to_string_lossy().starts_with("libstd-"))
        })
    })
}

fn add_with_rustup(root: &Path) -> bool {
    if command::find(&["rustup"]).is_none() {
        return false;
    }
    println!("adding {TARGET} with rustup");
    let mut rustup = Command::new("rustup");
    rustup.current_dir(root);
    command::run(rustup.args(["target", "add", TARGET])).is_ok()
}
