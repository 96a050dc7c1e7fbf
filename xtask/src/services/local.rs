//! Starting services from Debian's packages, for tests: on loopback, without passwords, with nothing kept that a test would
//! miss. They stay when this program ends; `kill` ends them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use super::{Place, Service};
use crate::{command, debian};

/// Installs the service where it is missing, and starts it.
pub fn start(service: Service, place: &Place) -> Result<()> {
    match service {
        Service::Postgres => postgres(place.port),
        Service::Redis => redis(place.port),
        Service::Rabbit => rabbit(place.port),
    }
}

/// A folder that every user may enter, unlike the home of root.
fn folder(name: &str) -> Result<PathBuf> {
    let folder = std::env::temp_dir().join("replygate-services").join(name);
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    Ok(folder)
}

fn redis(port: u16) -> Result<()> {
    if command::find(&["redis-server"]).is_none() {
        debian::install(&["redis-server"])?;
    }
    let mut server = Command::new("redis-server");
    server
        .args(["--bind", "127.0.0.1", "--port", &port.to_string()])
        .args(["--save", "", "--appendonly", "no"])
        .args(["--maxmemory-policy", "noeviction"])
        .args(["--daemonize", "yes", "--dir"])
        .arg(folder(&format!("redis-{port}"))?);
    command::run(&mut server)
}

fn rabbit(port: u16) -> Result<()> {
    if command::find(&["rabbitmq-server"]).is_none() {
        debian::install(&["rabbitmq-server"])?;
    }
    // A node of its own, whatever the package's node is set to: only Mnesia and the logs lie where the package has them,
    // since Debian's script changes to the user `rabbitmq`.
    let own = folder(&format!("rabbitmq-{port}"))?;
    let write = |name: &str, text: &str| -> Result<PathBuf> {
        let path = own.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(path)
    };
    let config = format!("listeners.tcp.local = 127.0.0.1:{port}\n");
    let mut server = Command::new("rabbitmq-server");
    server
        .arg("-detached")
        .env("RABBITMQ_CONF_ENV_FILE", write("rabbitmq-env.conf", "")?)
        .env("RABBITMQ_CONFIG_FILE", write("rabbitmq.conf", &config)?)
        .env(
            "RABBITMQ_ENABLED_PLUGINS_FILE",
            write("enabled_plugins", "[].\n")?,
        )
        .env("RABBITMQ_NODENAME", format!("replygate-{port}@localhost"))
        .env("RABBITMQ_DIST_PORT", (u32::from(port) + 20_000).to_string())
        .env("ERL_FLAGS", "-kernel inet_dist_use_interface {127,0,0,1}")
        .env("ERL_EPMD_ADDRESS", "127.0.0.1");
    command::run(&mut server)
}

fn postgres(port: u16) -> Result<()> {
    if binaries().is_none() {
        debian::install(&["postgresql"])?;
    }
    let binaries = binaries().context("there is no pg_ctl under /usr/lib/postgresql")?;
    let data = folder(&format!("postgres-{port}"))?;
    if debian::is_root()? {
        // The server refuses to run as root.
        command::run(Command::new("chown").arg("postgres:").arg(&data))?;
    }
    if !data.join("PG_VERSION").is_file() {
        let mut init = as_postgres(&binaries.join("initdb"))?;
        init.args(["--auth", "trust", "--username", "postgres", "--pgdata"])
            .arg(&data);
        command::run(&mut init)?;
    }
    let mut control = as_postgres(&binaries.join("pg_ctl"))?;
    control
        .arg("--pgdata")
        .arg(&data)
        .arg("--log")
        .arg(data.join("log"))
        .arg("--options")
        .arg(format!(
            "-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories={}",
            data.display()
        ))
        .args(["--wait", "start"]);
    command::run(&mut control)
}

/// The newest installed version's programs; Debian keeps them off the `PATH`.
fn binaries() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").ok()?;
    let versions = versions.filter_map(|entry| {
        let folder = entry.ok()?.path();
        let version: u32 = folder.file_name()?.to_str()?.parse().ok()?;
        let programs = folder.join("bin");
        programs
            .join("pg_ctl")
            .is_file()
            .then_some((version, programs))
    });
    versions.max().map(|(_, programs)| programs)
}

fn as_postgres(program: &Path) -> Result<Command> {
    if !debian::is_root()? {
        return Ok(Command::new(program));
    }
    let mut user = Command::new("runuser");
    // From a folder that this user may read.
    user.current_dir("/")
        .args(["--user", "postgres", "--"])
        .arg(program);
    Ok(user)
}
