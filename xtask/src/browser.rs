//! What the browser tests need: a Chromium and the driver that steers it.
//!
//! The driver's version must be the one that the `playwright-rs` of `end2end` speaks to.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::node::{self, Node};
use crate::{command, debian};

/// `playwright-rs` 0.20.1 speaks to exactly this one.
const PLAYWRIGHT: &str = "1.64.0";

const NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

const MAC: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/// The paths that the browser tests are given.
pub struct Browser {
    /// An installed Chromium.
    pub chromium: PathBuf,
    /// The Node.js that runs the driver.
    pub node: PathBuf,
    /// The driver's script.
    pub driver: PathBuf,
}

impl Browser {
    /// Finds or installs all three.
    pub fn prepare() -> Result<Self> {
        let node = Node::find_or_install()?;
        let playwright = node::package("playwright", PLAYWRIGHT)?;
        Ok(Self {
            chromium: chromium()?,
            driver: playwright.join("cli.js"),
            node: node.program().to_owned(),
        })
    }
}

/// `CHROMIUM` where set, else an installed one, else Debian's package.
fn chromium() -> Result<PathBuf> {
    if let Some(set) = std::env::var_os("CHROMIUM") {
        return Ok(set.into());
    }
    if let Some(found) = find() {
        return Ok(found);
    }
    debian::install(&["chromium"]).context(
        "the browser tests need Chromium: install it, or set CHROMIUM to the path of one",
    )?;
    find().context("the package `chromium` is installed, but no `chromium` is on the PATH")
}

fn find() -> Option<PathBuf> {
    let on_mac = Path::new(MAC);
    command::find(&NAMES).or_else(|| on_mac.is_file().then(|| on_mac.to_owned()))
}
