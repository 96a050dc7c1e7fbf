//! What the browser tests need: a Chromium, the driver that steers it, and the rules of accessible pages.
//!
//! The driver's version must be the one that the `playwright-rs` of `end2end` speaks to.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::node::{self, Node};
use crate::{command, debian};

/// `playwright-rs` 0.20.1 speaks to exactly this one.
const PLAYWRIGHT: &str = "1.64.0";

/// Judges pages by the rules of accessible pages, in the browser.
const AXE: &str = "4.14.1";

const NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

const MAC: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/// The paths that the browser tests are given.
pub struct Browser {
    chromium: PathBuf,
    node: PathBuf,
    driver: PathBuf,
    axe: PathBuf,
}

impl Browser {
    /// Finds or installs all four.
    pub fn prepare() -> Result<Self> {
        let node = Node::find_or_install()?;
        let playwright = node::package("playwright", PLAYWRIGHT)?;
        Ok(Self {
            chromium: chromium()?,
            driver: playwright.join("cli.js"),
            axe: node::package("axe-core", AXE)?.join("axe.min.js"),
            node: node.program().to_owned(),
        })
    }

    /// The variables by which the browser tests, and `playwright-rs` itself, learn the paths.
    pub fn variables(&self) -> [(&'static str, &Path); 4] {
        [
            ("CHROMIUM", &self.chromium),
            ("PLAYWRIGHT_NODE_EXE", &self.node),
            ("PLAYWRIGHT_CLI_JS", &self.driver),
            ("AXE_CORE", &self.axe),
        ]
    }
}

/// Prepares all four and prints them for a shell.
pub fn print_variables() -> Result<()> {
    for (name, path) in Browser::prepare()?.variables() {
        println!("export {name}='{}'", path.display());
    }
    Ok(())
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
