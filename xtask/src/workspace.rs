//! What `cargo metadata` tells about this workspace: packages, targets, inner dependencies.
//!
//! Reads only; the single place that knows cargo's JSON.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::Deserialize;

use crate::command;

/// The workspace as cargo sees it.
#[derive(Debug, Deserialize)]
pub struct Workspace {
    /// All packages of the workspace, none from outside.
    pub packages: Vec<Package>,
    /// The folder of the root `Cargo.toml`.
    #[serde(rename = "workspace_root")]
    pub root: PathBuf,
    /// Where cargo puts what it builds.
    #[serde(rename = "target_directory")]
    pub target: PathBuf,
}

/// One package of the workspace.
#[derive(Debug, Deserialize)]
pub struct Package {
    /// Its name in `Cargo.toml`.
    pub name: String,
    /// Its direct dependencies.
    pub dependencies: Vec<Dependency>,
    /// What it builds.
    pub targets: Vec<Target>,
}

/// A line of a package's dependency tables.
#[derive(Debug, Deserialize)]
pub struct Dependency {
    /// The package depended on.
    pub name: String,
    /// `None` for an ordinary one, else `dev` or `build`.
    pub kind: Option<String>,
}

/// A library, binary or test of a package.
#[derive(Debug, Deserialize)]
pub struct Target {
    /// Its name.
    pub name: String,
    /// `lib`, `bin`, `cdylib`, `test` and so on.
    pub kind: Vec<String>,
}

impl Workspace {
    /// Asks cargo.
    pub fn read() -> Result<Self> {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut cargo = command::cargo(here);
        let json = command::read(cargo.args(["metadata", "--no-deps", "--format-version", "1"]))?;
        serde_json::from_str(&json).context("cannot read what `cargo metadata` printed")
    }

    /// The package of this name.
    pub fn package(&self, name: &str) -> Result<&Package> {
        self.packages
            .iter()
            .find(|package| package.name == name)
            .with_context(|| format!("the workspace has no package `{name}`"))
    }
}

impl Target {
    /// Whether cargo calls it this kind.
    pub fn is(&self, kind: &str) -> bool {
        self.kind.iter().any(|known| known == kind)
    }
}
