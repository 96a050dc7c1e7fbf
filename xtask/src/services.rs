//! `cargo xtask services`: PostgreSQL, Redis and RabbitMQ for the cluster's tests.
//!
//! What answers already is used as it is. Else they are started: with Docker where it runs, else with Debian's packages, on
//! loopback only. Must never touch a service that answers, nor start one anywhere but on this machine.

mod compose;
mod local;
mod probe;

use std::fmt;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use crate::workspace::Workspace;

/// How long a service may take until it answers after it was started.
const PATIENCE: Duration = Duration::from_secs(90);

/// One of the services.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    Postgres,
    Redis,
    Rabbit,
}

/// Where a service is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub host: String,
    pub port: u16,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

impl Place {
    fn is_here(&self) -> bool {
        ["127.0.0.1", "localhost", "::1"].contains(&self.host.as_str())
    }
}

impl Service {
    const ALL: [Self; 3] = [Self::Postgres, Self::Redis, Self::Rabbit];

    const fn name(self) -> &'static str {
        match self {
            Self::Postgres => "PostgreSQL",
            Self::Redis => "Redis",
            Self::Rabbit => "RabbitMQ",
        }
    }

    /// The variable by which tests and people say where it is.
    const fn variable(self) -> &'static str {
        match self {
            Self::Postgres => "DATABASE_URL",
            Self::Redis => "REDIS_URL",
            Self::Rabbit => "AMQP_URL",
        }
    }

    const fn usual_port(self) -> u16 {
        match self {
            Self::Postgres => 5432,
            Self::Redis => 6379,
            Self::Rabbit => 5672,
        }
    }

    /// Where it is said to be, by default on this machine's usual port.
    fn place(self) -> Result<Place> {
        let Ok(url) = std::env::var(self.variable()) else {
            return Ok(Place {
                host: "127.0.0.1".to_owned(),
                port: self.usual_port(),
            });
        };
        place_in(&url, self.usual_port())
            .with_context(|| format!("{} names no host and port", self.variable()))
    }
}

/// Host and port of `scheme://user:password@host:port/rest`.
fn place_in(url: &str, usual_port: u16) -> Option<Place> {
    let rest = url.split_once("://")?.1;
    let authority = rest.split(['/', '?']).next()?;
    let address = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    let (host, port) = match address.strip_prefix('[') {
        Some(v6) => {
            let (host, rest) = v6.split_once(']')?;
            (host, rest.strip_prefix(':'))
        }
        None => match address.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (address, None),
        },
    };
    let port = port.map_or(Some(usual_port), |port| port.parse().ok())?;
    (!host.is_empty()).then(|| Place {
        host: host.to_owned(),
        port,
    })
}

/// Finds or starts all three, or says which one is missing and why.
pub fn run(workspace: &Workspace) -> Result<()> {
    let missing = missing()?;
    if missing.is_empty() {
        println!("all three answer");
        return Ok(());
    }
    for (service, place) in &missing {
        if !place.is_here() {
            bail!(
                "{} does not answer at {place}, where {} says it is",
                service.name(),
                service.variable()
            );
        }
    }
    if compose::works() && has_usual_ports(&missing) {
        let services: Vec<Service> = missing.iter().map(|(service, _)| *service).collect();
        compose::start(workspace, &services)?;
    } else {
        for (service, place) in &missing {
            println!(
                "starting {} at {place} from Debian's package",
                service.name()
            );
            local::start(*service, place)
                .with_context(|| format!("cannot start {}", service.name()))?;
        }
    }
    for (service, place) in &missing {
        wait_for(*service, place)?;
    }
    println!("all three answer");
    Ok(())
}

/// As [`run`]. Where nobody insists, a service that is missing is told, and its tests are skipped.
pub fn for_tests(workspace: &Workspace) -> Result<()> {
    let insists = std::env::var("CI").is_ok_and(|ci| ci == "true");
    match run(workspace) {
        Err(error) if !insists => {
            println!("{error:#}\nthe tests that need it are skipped");
            Ok(())
        }
        other => other,
    }
}

fn missing() -> Result<Vec<(Service, Place)>> {
    let mut missing = Vec::new();
    for service in Service::ALL {
        let place = service.place()?;
        if probe::answers(service, &place) {
            println!("{} answers at {place}", service.name());
        } else {
            missing.push((service, place));
        }
    }
    Ok(missing)
}

/// The compose file opens the usual ports and no others.
fn has_usual_ports(missing: &[(Service, Place)]) -> bool {
    missing
        .iter()
        .all(|(service, place)| place.port == service.usual_port())
}

fn wait_for(service: Service, place: &Place) -> Result<()> {
    let begun = Instant::now();
    while !probe::answers(service, place) {
        if begun.elapsed() > PATIENCE {
            bail!(
                "{} was started and does not answer at {place} within {} s",
                service.name(),
                PATIENCE.as_secs()
            );
        }
        thread::sleep(Duration::from_millis(250));
    }
    println!("{} answers at {place}", service.name());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(url: &str) -> Option<String> {
        place_in(url, 5432).map(|place| place.to_string())
    }

    #[test]
    fn host_and_port_are_found_in_every_form_of_address() {
        for (url, place) in [
            ("postgres://postgres@127.0.0.1/postgres", "127.0.0.1:5432"),
            (
                "postgres://u:p%40ss@db.example:6000/x?sslmode=require",
                "db.example:6000",
            ),
            ("redis://127.0.0.1:6390", "127.0.0.1:6390"),
            ("amqp://guest:guest@[::1]:5673/%2f", "::1:5673"),
            ("amqp://[::1]", "::1:5432"),
        ] {
            assert_eq!(read(url).as_deref(), Some(place), "{url}");
        }
    }

    #[test]
    fn what_names_no_host_is_no_place() {
        for url in [
            "localhost",
            "postgres:///x",
            "redis://h:port",
            "amqp://[::1",
        ] {
            assert_eq!(read(url), None, "{url}");
        }
    }

    #[test]
    fn nothing_is_started_on_another_machine() {
        let place = |host: &str| Place {
            host: host.to_owned(),
            port: 1,
        };
        assert!(place("localhost").is_here());
        assert!(!place("db.example").is_here());
    }
}
