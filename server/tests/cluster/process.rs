//! Processes of an installation: the built program, started with a role.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};

use crate::place::Place;

/// A running `replygate serve`, killed by its id when it is dropped.
pub struct Process {
    child: Child,
    pub url: String,
    /// Kept open: a server whose output leads nowhere does not start.
    _stdout: BufReader<ChildStdout>,
}

impl Process {
    /// Starts one and waits until it listens.
    pub fn start(place: &Place, role: &str) -> Self {
        Self::start_at(place, role, "127.0.0.1:0")
    }

    /// Starts one that listens there.
    pub fn start_at(place: &Place, role: &str, address: &str) -> Self {
        let mut child = serve(place, role)
            .args(["--listen", address])
            .stdout(Stdio::piped())
            .env("REPLYGATE_LOG", "error")
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let url = line.trim().rsplit_once(' ');
        let url = url.expect("the server tells where it listens").1.to_owned();
        Self {
            child,
            url,
            _stdout: stdout,
        }
    }

    /// Address and port.
    pub fn address(&self) -> String {
        self.url.trim_start_matches("http://").to_owned()
    }

    /// Resident memory, in megabytes.
    pub fn resident_mb(&self) -> f64 {
        let status = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(status).unwrap();
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes: f64 = resident
            .and_then(|text| text.trim().strip_suffix(" kB")?.parse().ok())
            .expect("the system tells it");
        kilobytes / 1_024.0
    }

    /// Asks it to end, as an orchestrator does, and waits until it has.
    pub fn stop(mut self) -> ExitStatus {
        let id = self.child.id().to_string();
        let told = Command::new("kill").args(["-TERM", &id]).status().unwrap();
        assert!(told.success());
        self.child.wait().unwrap()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a process says that does not start: its exit code and standard error.
pub fn refusal(place: &Place, role: &str) -> (Option<i32>, String) {
    let mut child = serve(place, role)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut words = String::new();
    let mut stderr = child.stderr.take().unwrap();
    stderr.read_to_string(&mut words).unwrap();
    (child.wait().unwrap().code(), words)
}

fn serve(place: &Place, role: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_replygate"));
    command
        .args(["serve", "--role", role, "--config"])
        .arg(place.file());
    command
}
