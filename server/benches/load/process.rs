//! The server as a process of its own, and what the system says about it.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result};
use tempfile::TempDir;

use crate::machine;

/// What the system counts processor time in.
const TICK: Duration = Duration::from_millis(10);

/// A running server on a folder of its own.
pub(crate) struct Process {
    child: Child,
    /// Where it listens.
    pub(crate) address: SocketAddr,
    folder: TempDir,
    _stdout: BufReader<ChildStdout>,
}

impl Process {
    /// Starts the release binary with these channels on an empty folder.
    pub(crate) fn start(channels: &str) -> Result<Self> {
        // Beside the build, so that the data lies on a disk as it would, and not in memory.
        let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR"))?;
        std::fs::write(folder.path().join("replygate.toml"), channels)?;
        Self::on(folder)
    }

    /// Ends it at once and starts it again on the same folder.
    pub(crate) fn again(self) -> Result<Self> {
        let folder = self.end()?;
        Self::on(folder)
    }

    fn on(folder: TempDir) -> Result<Self> {
        let (config, data) = (
            folder.path().join("replygate.toml"),
            folder.path().join("data"),
        );
        let (child, stdout, address) = spawn(&config, &data)?;
        Ok(Self {
            child,
            address,
            folder,
            _stdout: stdout,
        })
    }

    fn end(mut self) -> Result<TempDir> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(self.folder)
    }

    /// Ends it and removes its data.
    pub(crate) fn stop(self) -> Result<()> {
        self.end().map(drop)
    }

    /// Processor time that it has used.
    pub(crate) fn processor(&self) -> Result<Duration> {
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

    /// Resident memory, in megabytes.
    pub(crate) fn resident_mb(&self) -> Result<f64> {
        let text = machine::field(&format!("/proc/{}/status", self.child.id()), "VmRSS")
            .context("no resident size")?;
        let kilobytes: f64 = text.trim_end_matches("kB").trim().parse()?;
        Ok(kilobytes / 1_024.0)
    }

    /// The size of its database, in megabytes.
    pub(crate) fn stored_mb(&self) -> Result<f64> {
        let mut bytes = 0;
        for file in std::fs::read_dir(self.folder.path().join("data"))? {
            bytes += file?.metadata()?.len();
        }
        Ok(bytes as f64 / 1_048_576.0)
    }
}

fn spawn(config: &Path, data: &Path) -> Result<(Child, BufReader<ChildStdout>, SocketAddr)> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_replygate"))
        .args(["serve", "--listen", "127.0.0.1:0", "--config"])
        .arg(config)
        .arg("--data")
        .arg(data)
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
    Ok((child, stdout, address.parse()?))
}
