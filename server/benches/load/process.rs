//! The server as processes of their own, and what the system says about them.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result};
use tempfile::TempDir;

use crate::{Bench, machine};

/// What the system counts processor time in.
const TICK: Duration = Duration::from_millis(10);

/// A running server on a place of its own: one process on a folder, or one or more on the services of a cluster.
pub(crate) struct Process {
    bench: Bench,
    running: Vec<One>,
    /// Where the first one listens.
    pub(crate) address: SocketAddr,
    folder: TempDir,
}

struct One {
    child: Child,
    _stdout: BufReader<ChildStdout>,
}

impl Process {
    /// Starts the release binary with these channels on an empty place.
    pub(crate) async fn start(bench: &Bench, channels: &str) -> Result<Self> {
        let folder = folder()?;
        let place = match &bench.services {
            None => String::new(),
            Some(services) => {
                services.clean().await?;
                services.section()
            }
        };
        std::fs::write(config_in(folder.path()), format!("{place}{channels}"))?;
        Self::on(bench, folder)
    }

    /// Starts it with these channels on a folder whose `data` somebody filled.
    pub(crate) fn on_past(bench: &Bench, channels: &str, folder: TempDir) -> Result<Self> {
        std::fs::write(config_in(folder.path()), channels)?;
        Self::on(bench, folder)
    }

    /// Ends it at once and starts it again on the same place.
    pub(crate) fn again(self) -> Result<Self> {
        let bench = self.bench.clone();
        let folder = self.end()?;
        Self::on(&bench, folder)
    }

    fn on(bench: &Bench, folder: TempDir) -> Result<Self> {
        let roles: Vec<&str> = match bench.workers {
            0 => vec!["all"],
            workers => std::iter::once("web")
                .chain(std::iter::repeat_n("worker", workers))
                .collect(),
        };
        let mut running = Vec::new();
        let mut addresses = Vec::new();
        for role in roles {
            let (one, address) = spawn(folder.path(), role)?;
            running.push(one);
            addresses.push(address);
        }
        Ok(Self {
            bench: bench.clone(),
            running,
            address: *addresses.first().context("no process")?,
            folder,
        })
    }

    fn end(mut self) -> Result<TempDir> {
        for one in &mut self.running {
            one.child.kill()?;
            one.child.wait()?;
        }
        Ok(self.folder)
    }

    /// Ends it and removes its data.
    pub(crate) async fn stop(self) -> Result<()> {
        let services = self.bench.services.clone();
        self.end()?;
        match services {
            None => Ok(()),
            Some(services) => services.clean().await,
        }
    }

    /// The configuration's file.
    pub(crate) fn config(&self) -> PathBuf {
        config_in(self.folder.path())
    }

    /// Where its data file is.
    pub(crate) fn data(&self) -> PathBuf {
        data_in(self.folder.path())
    }

    /// Processor time that it has used.
    pub(crate) fn processor(&self) -> Result<Duration> {
        self.running.iter().map(One::processor).sum()
    }

    /// Resident memory, in megabytes.
    pub(crate) fn resident_mb(&self) -> Result<f64> {
        self.running.iter().map(One::resident_mb).sum()
    }

    /// The size of its database, in megabytes.
    pub(crate) async fn stored_mb(&self) -> Result<f64> {
        if let Some(services) = &self.bench.services {
            return services.stored_mb().await;
        }
        let mut bytes = 0;
        for file in std::fs::read_dir(self.data())? {
            bytes += file?.metadata()?.len();
        }
        Ok(bytes as f64 / 1_048_576.0)
    }
}

impl One {
    fn processor(&self) -> Result<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        let fields = stat
            .rsplit_once(')')
            .context("the process table reads differently")?
            .1;
        let ticks = |place: usize| fields.split_whitespace().nth(place)?.parse::<u32>().ok();
        let user = ticks(11).context("no user time")?;
        let system = ticks(12).context("no system time")?;
        Ok(TICK * (user + system))
    }

    fn resident_mb(&self) -> Result<f64> {
        let text = machine::field(&format!("/proc/{}/status", self.child.id()), "VmRSS")
            .context("no resident size")?;
        let kilobytes: f64 = text.trim_end_matches("kB").trim().parse()?;
        Ok(kilobytes / 1_024.0)
    }
}

/// An empty folder beside the build, so that the data lies on a disk as it would, and not in memory.
pub(crate) fn folder() -> Result<TempDir> {
    Ok(TempDir::new_in(env!("CARGO_TARGET_TMPDIR"))?)
}

/// Where the data lies in a folder.
pub(crate) fn data_in(folder: &Path) -> PathBuf {
    folder.join("data")
}

fn config_in(folder: &Path) -> PathBuf {
    folder.join("replygate.toml")
}

fn spawn(folder: &Path, role: &str) -> Result<(One, SocketAddr)> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_replygate"))
        .args([
            "serve",
            "--role",
            role,
            "--listen",
            "127.0.0.1:0",
            "--config",
        ])
        .arg(config_in(folder))
        .arg("--data")
        .arg(data_in(folder))
        .env("REPLYGATE_LOG", "warn")
        .stdout(Stdio::piped())
        .spawn()
        .context("the server cannot be started")?;
    let mut stdout = BufReader::new(child.stdout.take().context("no output")?);
    let mut line = String::new();
    stdout.read_line(&mut line)?;
    let address = line
        .trim()
        .rsplit_once("http://")
        .context("the server did not start")?
        .1;
    let address = address.parse()?;
    let one = One {
        child,
        _stdout: stdout,
    };
    Ok((one, address))
}
