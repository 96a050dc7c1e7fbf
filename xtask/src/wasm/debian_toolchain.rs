//! Debian's `rustc-web`, with the standard library for the browser built once from its sources.
//!
//! The libraries go into a sysroot of our own under the user's cache: nothing that Debian installed
//! is changed, and rustup does not learn of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::TARGET;
use crate::cache::{self, Stamp};
use crate::{command, debian};

const PACKAGES: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];
const RUSTC: &str = "/usr/bin/rustc";
const CARGO: &str = "/usr/bin/cargo";
const SOURCES: &str = "/usr/lib/rustlib/src/rust/library";

/// The crate whose build makes the standard library; its own code is nothing.
const SEED_MANIFEST: &str = "\
[package]
name = \"seed\"
edition = \"2021\"

[lib]
path = \"seed.rs\"

# Only with this does the standard library carry the bitcode that the console's own `lto` needs.
[profile.release]
lto = true

[workspace]
";

/// Debian's compiler and the sysroot with the browser's standard library.
pub struct DebianToolchain {
    sysroot: PathBuf,
    linker: PathBuf,
}

impl DebianToolchain {
    /// What an earlier run left, if it still fits the installed compiler.
    pub fn prepared_earlier(root: &Path) -> Option<Self> {
        let folder = folder().ok()?;
        if !stamp(&folder).ok()?.holds() {
            return None;
        }
        Some(Self {
            sysroot: folder.join("sysroot"),
            linker: linker(root).ok()?,
        })
    }

    /// Installs what is missing and builds the standard library: half a minute, once.
    pub fn prepare(root: &Path) -> Result<Self> {
        if let Some(ready) = Self::prepared_earlier(root) {
            return Ok(ready);
        }
        if !is_installed() {
            debian::install(&PACKAGES)?;
        }
        if !is_installed() {
            bail!("{RUSTC}, {CARGO} and {SOURCES} must exist after installing, and do not");
        }
        let folder = folder()?;
        let toolchain = Self {
            sysroot: folder.join("sysroot"),
            linker: linker(root)?,
        };
        println!("building the standard library for {TARGET} (once per machine)");
        cache::emptied(&folder)?;
        toolchain.build_standard_library(&folder.join("seed"))?;
        stamp(&folder)?.set()?;
        Ok(toolchain)
    }

    /// Debian's cargo and compiler, with our sysroot for what is built for the browser only.
    pub fn cargo(&self, root: &Path) -> Command {
        let mut cargo = self.bare_cargo(root);
        cargo.env(
            "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS",
            format!("--sysroot={}", self.sysroot.display()),
        );
        cargo
    }

    fn bare_cargo(&self, folder: &Path) -> Command {
        let mut cargo = command::cargo_at(Path::new(CARGO), folder);
        cargo
            .env("RUSTC", RUSTC)
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", &self.linker)
            // `cargo run` put the other compiler's libraries there.
            .env_remove("LD_LIBRARY_PATH");
        cargo
    }

    fn build_standard_library(&self, seed: &Path) -> Result<()> {
        fs::create_dir_all(seed)?;
        fs::write(seed.join("Cargo.toml"), SEED_MANIFEST)?;
        fs::write(seed.join("seed.rs"), "")?;
        command::run(
            self.bare_cargo(seed)
                .args(["build", "--release", "--target", TARGET])
                .arg("-Zbuild-std=std,panic_abort")
                .env("CARGO_TARGET_DIR", seed.join("target"))
                .env("RUSTC_BOOTSTRAP", "1"),
        )?;
        let built = seed.join("target").join(TARGET).join("release/deps");
        let libraries = self.sysroot.join("lib/rustlib").join(TARGET).join("lib");
        fs::create_dir_all(&libraries)?;
        copy_libraries(&built, &libraries)?;
        fs::remove_dir_all(seed).with_context(|| format!("cannot remove {}", seed.display()))
    }
}

/// Copies every library but the seed's own.
fn copy_libraries(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let file = entry?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let is_library = file
            .extension()
            .is_some_and(|extension| extension == "rlib");
        if is_library && !name.starts_with("libseed-") {
            fs::copy(&file, to.join(&*name))?;
        }
    }
    Ok(())
}

fn is_installed() -> bool {
    [RUSTC, CARGO, SOURCES]
        .iter()
        .all(|path| Path::new(path).exists())
}

fn folder() -> Result<PathBuf> {
    Ok(cache::folder()?.join("wasm-debian"))
}

/// Made for one exact compiler: an update of Debian's package builds the library again.
fn stamp(folder: &Path) -> Result<Stamp> {
    let version = command::read(
        Command::new(RUSTC)
            .args(["--version", "--verbose"])
            .env_remove("LD_LIBRARY_PATH"),
    )?;
    Ok(Stamp::of(folder, version))
}

/// The linker: Debian's compiler has none for this target, the ordinary toolchain does.
fn linker(root: &Path) -> Result<PathBuf> {
    let mut rustc = Command::new("rustc");
    rustc.current_dir(root);
    let sysroot = command::read(rustc.args(["--print", "sysroot"]))?;
    let host = command::read(
        Command::new("rustc")
            .current_dir(root)
            .args(["--print", "host-tuple"]),
    )?;
    let own = Path::new(&sysroot)
        .join("lib/rustlib")
        .join(host)
        .join("bin/rust-lld");
    if own.is_file() {
        return Ok(own);
    }
    command::find(&["rust-lld", "wasm-ld"]).with_context(|| {
        format!(
            "no linker for {TARGET}: neither {} nor wasm-ld on the PATH",
            own.display()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_and_everything_that_is_no_library_stay_behind() {
        let from = tempfile::tempdir().unwrap();
        let to = tempfile::tempdir().unwrap();
        for name in ["libstd-1.rlib", "libseed-1.rlib", "libstd-1.rmeta", "std.d"] {
            fs::write(from.path().join(name), "").unwrap();
        }
        copy_libraries(from.path(), to.path()).unwrap();
        let copied: Vec<_> = fs::read_dir(to.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(copied, ["libstd-1.rlib"]);
    }
}
