//! `replygate serve`: runs an installation until it is told to stop.

use std::io::{IsTerminal as _, Write};
use std::net::SocketAddr;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use tracing_subscriber::EnvFilter;

use super::place::Place;
use crate::config::{Config, Environment, Role};
use crate::{Running, Server, demo};

/// Runs the server until SIGTERM or Ctrl-C.
#[derive(Args)]
pub(super) struct Serve {
    #[command(flatten)]
    place: Place,
    /// Address and port to listen on, in place of the configuration's
    #[arg(long)]
    listen: Option<SocketAddr>,
    /// What this process of a cluster does, in place of the configuration's: web (webhooks, pages, console, /v1), worker
    /// (timers, turns, hand-overs) or all
    #[arg(long)]
    role: Option<Role>,
    /// Starts with a day of invented traffic, in a folder of its own (`demo-data` unless --data names one)
    #[arg(long, conflicts_with_all = ["config", "role"])]
    demo: bool,
}

impl Serve {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let environment = Environment::of_process();
        log(&environment, "info");
        let mut config = if self.demo {
            demo::config(&environment)?
        } else {
            self.place.config(&environment)?
        };
        if let Some(data) = &self.place.data {
            config.server.data_dir.clone_from(data);
        }
        if let Some(listen) = self.listen {
            config.server.listen = listen;
        }
        if let Some(role) = self.role {
            config.server.role = role;
        }
        if config.cluster.is_none() && config.server.role != Role::All {
            bail!(
                "--role {} needs `mode = \"cluster\"`: an installation on a data directory is one process",
                config.server.role
            );
        }
        if self.demo {
            if config.cluster.is_some() {
                bail!(
                    "--demo plays its day into a folder of its own and uses no services: leave out `mode = \"cluster\"` \
                     (REPLYGATE__SERVER__MODE), or --demo"
                );
            }
            play(&config)?;
        }
        super::runtime()?.block_on(serve(config))
    }
}

/// On a runtime of one thread, where it is known when everything waits.
fn play(config: &Config) -> anyhow::Result<()> {
    let folder = &config.server.data_dir;
    if !demo::is_demo(folder) {
        // Whoever started us may have stopped reading: that ends no server.
        let _ = writeln!(
            std::io::stdout(),
            "Playing a day of invented traffic into {}",
            folder.display()
        );
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(demo::prepare(config))?;
    Ok(())
}

async fn serve(config: Config) -> anyhow::Result<ExitCode> {
    let is_open = !config.server.listen.ip().is_loopback() && config.server.public_url.is_none();
    let channels = chat_channels(&config);
    let running = Server::start(config).await?;
    if is_open {
        tracing::warn!(
            "listening by plain HTTP beyond this machine: passwords and cookies travel in clear; put a proxy with TLS \
             in front and set server.public_url"
        );
    }
    greet(&running, &channels);
    let stop = running.stopping();
    tokio::spawn(async move {
        if signal().await.is_ok() {
            tracing::info!("stopping; once more stops at once");
            stop.cancel();
        }
        if signal().await.is_ok() {
            std::process::exit(130);
        }
    });
    running.ended().await?;
    Ok(ExitCode::SUCCESS)
}

fn chat_channels(config: &Config) -> Vec<String> {
    let channels = config.channels.iter().map(|channel| &channel.settings);
    channels
        .filter(|settings| settings.kind == "webchat")
        .map(|settings| settings.id.clone())
        .collect()
}

/// What a person needs to begin; a log line would hide it.
fn greet(running: &Running, channels: &[String]) {
    let url = running.url();
    // A demo has no file; its people changed settings in the course of their day.
    if !running.service().is_demo {
        tell_differences(running);
    }
    // Whoever started us may have stopped reading: that ends no server.
    let _ = welcome(&mut std::io::stdout().lock(), running, channels, &url);
}

fn tell_differences(running: &Running) {
    for difference in running.differences() {
        tracing::warn!("the configuration file differs from the settings in force: {difference}");
    }
    if running.differences().next().is_some() {
        tracing::warn!("`replygate config apply` puts the file into force");
    }
}

fn welcome(
    out: &mut impl Write,
    running: &Running,
    channels: &[String],
    url: &str,
) -> std::io::Result<()> {
    writeln!(out, "Replygate listens on {url}")?;
    if !running.role().serves() {
        writeln!(
            out,
            "Role worker: only /livez, /readyz and /metrics answer here"
        )?;
        return out.flush();
    }
    for channel in channels {
        writeln!(out, "Play a customer:  {url}/chat/{channel}")?;
    }
    writeln!(out, "Watch it happen:  {url}/sessions")?;
    if let Some(token) = running.first_run() {
        writeln!(
            out,
            "Set the password of `admin`, once: {url}/first-run?token={token}"
        )?;
    }
    out.flush()
}

/// Logs to standard error: lines for people, or JSON with `REPLYGATE_LOG_FORMAT=json`. `REPLYGATE_LOG` says how much,
/// such as `info,replygate_engine=debug`; `usual` where it is not set.
pub(super) fn log(environment: &Environment, usual: &str) {
    let wanted = environment.get("REPLYGATE_LOG").unwrap_or(usual);
    // What the broker's client meets is told by its supervisor, once, and absence of a queue is no error at all.
    let wanted = format!("lapin=off,{wanted}");
    let usual = format!("lapin=off,{usual}");
    let filter = EnvFilter::try_new(wanted).unwrap_or_else(|_| EnvFilter::new(usual));
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    // A logger that is there already, as in a test, stays.
    let _ = match environment.get("REPLYGATE_LOG_FORMAT") {
        Some("json") => lines.json().try_init(),
        _ => lines.try_init(),
    };
}

#[cfg(unix)]
async fn signal() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        _ = terminate.recv() => Ok(()),
        interrupted = tokio::signal::ctrl_c() => interrupted,
    }
}

#[cfg(not(unix))]
async fn signal() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}
