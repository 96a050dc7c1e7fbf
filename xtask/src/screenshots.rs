//! `cargo xtask screenshots`: pictures of the console, taken in a real browser after the demo's day.

use std::path::PathBuf;

use anyhow::Result;

use crate::browser::Browser;
use crate::site::{self, Size};
use crate::workspace::Workspace;
use crate::{command, test};

/// Where the documentation's pictures are.
const DOCUMENTATION: &str = "docs/images";

/// Builds both halves and takes the pictures: of every page in every look into `folder`, else the documentation's.
pub fn run(workspace: &Workspace, folder: Option<PathBuf>) -> Result<()> {
    let site = site::build(workspace, Size::Quick)?;
    let server = test::build_server(workspace)?;
    let browser = Browser::prepare()?;
    let all = folder.is_some();
    let folder = folder.unwrap_or_else(|| workspace.root.join(DOCUMENTATION));
    let folder = std::path::absolute(folder)?;
    let mut pictures = command::cargo(&workspace.root);
    pictures
        .args([
            "run",
            "--package",
            "replygate-end2end",
            "--example",
            "pictures",
            "--",
        ])
        .arg(&folder)
        .args(all.then_some("all"))
        .env("REPLYGATE_BIN", server)
        .env("REPLYGATE_SITE", site)
        .envs(browser.variables());
    command::run(&mut pictures)?;
    println!("the pictures are in {}", folder.display());
    Ok(())
}
