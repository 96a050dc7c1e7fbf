//! `cargo xtask dist`: the folder that is copied to a machine that serves users.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::site::{self, Size};
use crate::workspace::Workspace;
use crate::{cache, command, test};

/// The compressed browser half, in the site folder.
const MODULE: &str = "pkg/replygate_bg.wasm.br";

/// The browser half as a browser loads it, compressed, may be so large: above it a first visit on a slow line waits.
const BUDGET_BYTES: u64 = 400 * 1024;

/// Builds `dist/replygate` and `dist/site/`.
pub fn run(workspace: &Workspace) -> Result<()> {
    let site = site::build(workspace, Size::Small)?;
    let mut cargo = command::cargo(&workspace.root);
    command::run(cargo.args(["build", "--release", "--package", "replygate"]))?;

    let dist = workspace.root.join("dist");
    cache::emptied(&dist)?;
    let binary = test::binary_in(&workspace.target.join("release"));
    fs::copy(&binary, test::binary_in(&dist))
        .with_context(|| format!("cannot copy {}", binary.display()))?;
    copy_folder(&site, &dist.join("site"))?;
    println!("dist: {}", dist.display());
    within_budget(&dist.join("site").join(MODULE))
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let source = entry?.path();
        let target = to.join(source.file_name().unwrap_or_default());
        if source.is_dir() {
            copy_folder(&source, &target)?;
        } else {
            fs::copy(&source, &target)
                .with_context(|| format!("cannot copy {}", source.display()))?;
        }
    }
    Ok(())
}

/// Builds the browser half as users load it, fails when it is over its budget, and returns the site folder.
pub fn weigh(workspace: &Workspace) -> Result<PathBuf> {
    let site = site::build(workspace, Size::Small)?;
    within_budget(&site.join(MODULE))?;
    Ok(site)
}

fn within_budget(module: &Path) -> Result<()> {
    let bytes = fs::metadata(module)
        .with_context(|| format!("cannot read {}", module.display()))?
        .len();
    println!("browser half: {} KiB as brotli", bytes / 1024);
    if bytes > BUDGET_BYTES {
        bail!(
            "the browser half is over its budget of {} KiB: look for a new large dependency of `app`, or for what \
             could stand `still!` (docs/adr/0026-a-small-browser-half.md)",
            BUDGET_BYTES / 1024
        );
    }
    Ok(())
}
