//! The site folder: what the server hands to browsers. Script, wasm module and style sheet.
//!
//! Everything in it is made here; nobody edits it and nothing else writes to it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::node::{self, Node};
use crate::wasm::{TARGET, Toolchain};
use crate::workspace::Workspace;
use crate::{cache, command};

const APP: &str = "replygate-app";

/// Read first, in this order; every other sheet follows by name.
const FIRST_SHEETS: [&str; 9] = [
    "tokens.css",
    "base.css",
    "layout.css",
    "components.css",
    "tables.css",
    "forms.css",
    "pieces.css",
    "bubbles.css",
    "states.css",
];

/// The npm package `binaryen` of this version brings `wasm-opt`.
const BINARYEN: &str = "132.0.0";

/// How much work goes into a small browser half.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// Quick to build, for this machine: the native build's profile, so that both halves share the
    /// compiled macros.
    Quick,
    /// Small to load, for users and for the browser tests: own profile, `wasm-opt`, brotli.
    Small,
}

impl Size {
    /// Cargo's profile and the name of its folder.
    fn profile(self) -> (&'static str, &'static str) {
        match self {
            Self::Quick => ("dev", "debug"),
            Self::Small => ("wasm-release", "wasm-release"),
        }
    }
}

/// Builds everything into `site/` beside cargo's output and returns that folder.
pub fn build(workspace: &Workspace, size: Size) -> Result<PathBuf> {
    let toolchain = Toolchain::prepare(&workspace.root)?;
    let module = compile(workspace, &toolchain, size)?;

    let folder = workspace.target.join("site");
    let package = folder.join("pkg");
    cache::emptied(&package)?;
    bindgen(workspace, &["bind".as_ref(), &module, &package])?;
    write_style(&workspace.root.join("style"), &package)?;
    if size == Size::Small {
        optimise(&package.join("replygate_bg.wasm"))?;
        bindgen(workspace, &["compress".as_ref(), &package])?;
    }
    println!("site: {}", folder.display());
    Ok(folder)
}

/// Compiles the console for the browser and returns the wasm file.
fn compile(workspace: &Workspace, toolchain: &Toolchain, size: Size) -> Result<PathBuf> {
    let (profile, folder) = size.profile();
    let name = entry(workspace)?;
    let mut cargo = toolchain.cargo(&workspace.root, "build");
    cargo
        .args(["--package", APP, "--bin", &name, "--profile", profile])
        .args(["--no-default-features", "--features", "hydrate"])
        .env("CARGO_TARGET_DIR", &workspace.target);
    command::run(&mut cargo)?;
    let outputs = workspace.target.join(TARGET).join(folder);
    Ok(outputs.join(format!("{name}.wasm")))
}

/// The console's program for the browser: its `main` is what a page starts.
fn entry(workspace: &Workspace) -> Result<String> {
    let app = workspace.package(APP)?;
    let Some(binary) = app.targets.iter().find(|target| target.is("bin")) else {
        bail!("package `{APP}` has no binary for the browser");
    };
    Ok(binary.name.clone())
}

fn bindgen(workspace: &Workspace, arguments: &[&Path]) -> Result<()> {
    let mut cargo = command::cargo(&workspace.root);
    cargo
        .args(["run", "--quiet", "--package", "xtask-bindgen", "--"])
        .args(arguments);
    command::run(&mut cargo)
}

/// Joins the style sheets into one.
fn write_style(from: &Path, package: &Path) -> Result<()> {
    let mut names = Vec::new();
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if Path::new(&name).extension().is_some_and(|end| end == "css") {
            names.push(name);
        }
    }
    names.sort_by_key(|name| sheet_rank(name));
    let mut joined = String::new();
    for name in names {
        let file = from.join(&name);
        joined += &fs::read_to_string(&file)
            .with_context(|| format!("cannot read {}", file.display()))?;
        joined.push('\n');
    }
    fs::write(package.join("replygate.css"), joined).context("cannot write replygate.css")
}

fn sheet_rank(name: &str) -> (usize, String) {
    let place = FIRST_SHEETS.iter().position(|first| *first == name);
    (place.unwrap_or(FIRST_SHEETS.len()), name.to_owned())
}

/// What the optimiser may use: what the compiler uses by itself and every browser knows. `--all-features` would let it
/// write what no released browser reads.
const FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Lets `wasm-opt` rewrite the module, where Node is at hand; it halves the size.
fn optimise(module: &Path) -> Result<()> {
    let Some(node) = Node::find() else {
        println!("no Node.js here: the wasm module stays as large as the compiler made it");
        return Ok(());
    };
    let tools = node::package("binaryen", BINARYEN)?;
    let optimised = module.with_extension("opt");
    command::run(
        node.command()
            .arg(tools.join("bin/wasm-opt"))
            .arg("-Oz")
            .args(FEATURES)
            .arg(module)
            .arg("-o")
            .arg(&optimised),
    )?;
    fs::rename(&optimised, module).context("cannot put the optimised module in place")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_are_joined_tokens_first_and_the_rest_by_name() {
        let style = tempfile::tempdir().unwrap();
        let package = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("chat.css", "chat"),
            ("components.css", "components"),
            ("tokens.css", "tokens"),
            ("about.css", "about"),
            ("notes.txt", "notes"),
        ] {
            fs::write(style.path().join(name), text).unwrap();
        }
        write_style(style.path(), package.path()).unwrap();
        let joined = fs::read_to_string(package.path().join("replygate.css")).unwrap();
        assert_eq!(joined, "tokens\ncomponents\nabout\nchat\n");
    }
}
