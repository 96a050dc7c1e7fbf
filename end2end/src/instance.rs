//! A running server with data of its own. Must never outlive its test.

use std::process::Stdio;

use anyhow::{Context as _, Result, bail};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

use crate::{PATIENCE, variable};

/// What stands before the address in the greeting.
const LISTENS: &str = "Replygate listens on ";
/// What the one-time link is known by.
const FIRST_RUN: &str = "/first-run?token=";

/// An installation on a free port, stopped when it is dropped.
pub struct Instance {
    address: String,
    first_run: String,
    /// Killed by its id when it is dropped.
    process: Child,
    /// Kept open: a server whose greeting nobody reads would fail to print it.
    output: Lines<BufReader<ChildStdout>>,
    folder: TempDir,
    arguments: Vec<String>,
}

impl Instance {
    /// Starts one as a newcomer does, without a configuration.
    ///
    /// # Errors
    /// When it does not start, or prints no address and no one-time link.
    pub async fn start() -> Result<Self> {
        Self::start_in(tempfile::tempdir()?, &[]).await
    }

    /// Starts one with this configuration file.
    ///
    /// # Errors
    /// As [`Instance::start`].
    pub async fn start_with(configuration: &str) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        std::fs::write(folder.path().join("replygate.toml"), configuration)?;
        Self::start_in(folder, &["--config", "replygate.toml"]).await
    }

    /// Starts one with the demo's day, which it plays first.
    ///
    /// # Errors
    /// As [`Instance::start`].
    pub async fn start_demo() -> Result<Self> {
        Self::start_in(tempfile::tempdir()?, &["--demo"]).await
    }

    async fn start_in(folder: TempDir, arguments: &[&str]) -> Result<Self> {
        let arguments: Vec<String> = arguments.iter().map(|&own| own.to_owned()).collect();
        let (process, mut output) = spawn(&folder, &arguments, "127.0.0.1:0")?;
        let greeting = tokio::time::timeout(PATIENCE, Greeting::read(&mut output));
        let greeting = greeting.await.context("the server did not greet")??;
        Ok(Self {
            address: greeting.address,
            first_run: greeting.first_run,
            process,
            output,
            folder,
            arguments,
        })
    }

    /// Kills it without a word, as a power cut does.
    ///
    /// # Errors
    /// When it cannot be killed.
    pub async fn dies(&mut self) -> Result<()> {
        Ok(self.process.kill().await?)
    }

    /// Starts it again with its data, at the same address.
    ///
    /// # Errors
    /// When it does not say that it listens.
    pub async fn comes_back(&mut self) -> Result<()> {
        let listen = self.address.trim_start_matches("http://").to_owned();
        let (process, mut output) = spawn(&self.folder, &self.arguments, &listen)?;
        let heard = async {
            while let Some(line) = output.next_line().await? {
                if line.contains(LISTENS) {
                    return Ok(());
                }
            }
            bail!("the server ended before it listened")
        };
        tokio::time::timeout(PATIENCE, heard)
            .await
            .context("the server did not come back")??;
        (self.process, self.output) = (process, output);
        Ok(())
    }

    /// A token of that scope for a program, made beside the running server.
    ///
    /// # Errors
    /// When none is made.
    pub async fn token(&self, scope: &str) -> Result<String> {
        let program = variable("REPLYGATE_BIN")?;
        let made = Command::new(&program)
            .args(["token", "create", "--scope", scope, "--data", "data"])
            .current_dir(self.folder.path())
            .output()
            .await?;
        let told = String::from_utf8_lossy(&made.stdout);
        let token = told.split_whitespace().last().map(str::to_owned);
        token
            .filter(|_| made.status.success())
            .with_context(|| String::from_utf8_lossy(&made.stderr).into_owned())
    }

    /// The address of a page: `/sessions` becomes `http://127.0.0.1:41234/sessions`.
    #[must_use]
    pub fn page(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    /// The link that sets the admin's password, once.
    #[must_use]
    pub fn first_run(&self) -> &str {
        &self.first_run
    }
}

/// What a fresh server prints for a person.
struct Greeting {
    address: String,
    first_run: String,
}

impl Greeting {
    async fn read(output: &mut Lines<BufReader<ChildStdout>>) -> Result<Self> {
        let mut address = None;
        while let Some(line) = output.next_line().await? {
            if let Some(found) = line.strip_prefix(LISTENS) {
                address = Some(found.trim().to_owned());
            }
            let link = line
                .split_whitespace()
                .find(|word| word.contains(FIRST_RUN));
            if let (Some(link), Some(address)) = (link, &address) {
                return Ok(Self {
                    address: address.clone(),
                    first_run: link.to_owned(),
                });
            }
        }
        bail!("the server ended before it had printed its address and the one-time link")
    }
}

fn spawn(
    folder: &TempDir,
    arguments: &[String],
    listen: &str,
) -> Result<(Child, Lines<BufReader<ChildStdout>>)> {
    let program = variable("REPLYGATE_BIN")?;
    variable("REPLYGATE_SITE")?;
    let mut process = Command::new(&program)
        .args(["serve", "--data", "data", "--listen", listen])
        .args(arguments)
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .with_context(|| format!("cannot start {}", program.display()))?;
    let output = process.stdout.take().context("the server has no output")?;
    Ok((process, BufReader::new(output).lines()))
}
