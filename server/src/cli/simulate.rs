//! `replygate simulate`: plays stories and storms against a server and says whether it did right.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use replygate_channels::generic::Secret;
use replygate_embedded::{OsEntropy, SystemClock};
use replygate_ports::clock::{Clock, Entropy};

use crate::config::Environment;
use crate::simulate::{
    Arena, Customer, Endpoint, Place, TalkError, new_secret, seeds, seeds_toml, storm, storm_toml,
};

/// Plays customers against a server; the exit code is 1 when anything differs from what has to be.
#[derive(Args)]
pub(super) struct Simulate {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Seeds(Seeds),
    Storm(Storm),
}

/// Plays the seven stories: release, cancel and merge, each without and with debounce, and a lock nobody releases.
///
/// Without --url it plays against a server of its own on a temporary folder. An instance that runs already needs two
/// channels of kind `generic`, `seeds` and `seeds-debounce`: `deliver_url` = the address given by --deliver-listen,
/// the `signing_secret` given by --secret, `operational_delay_ms = 600`, `ladder_ms = [300, 600, 1200]`,
/// `agent = "demo"`, `evaluator = "rules"`, `debounce = { enabled = false }` for the first and the default windows for
/// the second. --url without --secret prints the lines for its configuration file.
#[derive(Args)]
struct Seeds {
    #[command(flatten)]
    elsewhere: Elsewhere,
    /// The channel without debounce
    #[arg(long, value_name = "ID", default_value = "seeds", requires = "url")]
    channel: String,
    /// The channel with debounce
    #[arg(
        long,
        value_name = "ID",
        default_value = "seeds-debounce",
        requires = "url"
    )]
    debounce_channel: String,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// Sends pairs and triples of messages at a steady rate and holds every log and hand-over against the invariants.
///
/// Without --url it plays against a server of its own. An instance that runs already needs the channels `storm` and
/// `storm-debounce`; --url without --secret prints the lines for its configuration file. Its clock has to agree with
/// this machine's for the times to mean anything.
#[derive(Args)]
struct Storm {
    /// Customers
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    sessions: u32,
    /// Inbound messages a second
    #[arg(long, value_name = "R", value_parser = positive)]
    rate: f64,
    /// For how long
    #[arg(long, value_name = "S", value_parser = positive)]
    seconds: f64,
    /// What chance is drawn from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The folder of our own server, in place of a temporary one
    #[arg(long, value_name = "DIR", conflicts_with = "url")]
    data: Option<PathBuf>,
    #[command(flatten)]
    elsewhere: Elsewhere,
    /// The channels, customers in turn on each
    #[arg(long, value_name = "ID", default_values = ["storm", "storm-debounce"], requires = "url")]
    channel: Vec<String>,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// An instance that runs already.
#[derive(Args)]
struct Elsewhere {
    /// Plays against the instance at this address
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// The channels' signing secret, `whsec_…`
    #[arg(long, value_name = "SECRET", requires = "url")]
    secret: Option<String>,
    /// A token that may operate, as `replygate token create --scope operate` makes it
    #[arg(long, value_name = "TOKEN", requires = "url")]
    token: Option<String>,
    /// Where replies are taken; the channels' `deliver_url` leads here
    #[arg(
        long,
        value_name = "ADDR",
        default_value = "127.0.0.1:8430",
        requires = "url"
    )]
    deliver_listen: SocketAddr,
}

/// A server, with a customer and a deliver address for it.
struct Ground {
    arena: Option<Arena>,
    customer: Customer,
    endpoint: Endpoint,
    clock: Arc<dyn Clock>,
}

impl Simulate {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        super::serve::log(&Environment::of_process(), "warn");
        let runtime = super::runtime()?;
        let ok = match self.what {
            What::Seeds(seeds) => runtime.block_on(seeds.run())?,
            What::Storm(storm) => runtime.block_on(storm.run())?,
        };
        Ok(if ok {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }
}

impl Seeds {
    async fn run(self) -> anyhow::Result<bool> {
        let ground = self.elsewhere.ground(seeds_toml, None).await?;
        let channels = seeds::Channels {
            plain: self.channel,
            debounce: self.debounce_channel,
        };
        let clock = ground.clock.clone();
        let run = run_id();
        let played = seeds::play(&ground.customer, &ground.endpoint, &channels, clock, &run).await;
        let outcome = self.elsewhere.explained(played, seeds_toml)?;
        ground.leave().await?;
        if self.json {
            println!("{}", serde_json::to_string_pretty(&outcome)?);
        } else {
            print!("{}", seeds::print(&outcome));
        }
        Ok(outcome.ok)
    }
}

impl Storm {
    async fn run(self) -> anyhow::Result<bool> {
        let ground = self
            .elsewhere
            .ground(storm_toml, self.data.as_deref())
            .await?;
        let channels = storm::Channels {
            ids: self.channel,
            delay_ms: 600,
        };
        let script = storm::script(&storm::Plan {
            sessions: self.sessions,
            rate: self.rate,
            seconds: self.seconds,
            seed: self.seed,
        });
        let run = storm::Storm {
            customer: &ground.customer,
            endpoint: &ground.endpoint,
            channels: &channels,
            clock: ground.clock.clone(),
            run: run_id(),
            again: None,
        };
        let played = storm::run(&run, &script).await;
        let outcome = self.elsewhere.explained(played, storm_toml)?;
        ground.leave().await?;
        if self.json {
            println!("{}", serde_json::to_string_pretty(&outcome)?);
        } else {
            print!("{}", storm::print(&outcome));
        }
        Ok(outcome.ok)
    }
}

impl Elsewhere {
    async fn ground(
        &self,
        toml: fn(&str, &str) -> String,
        data: Option<&std::path::Path>,
    ) -> anyhow::Result<Ground> {
        match &self.url {
            None => ours(toml, data).await,
            Some(url) => self.theirs(url, toml).await,
        }
    }

    async fn theirs(&self, url: &str, toml: fn(&str, &str) -> String) -> anyhow::Result<Ground> {
        let (Some(secret), Some(token)) = (&self.secret, &self.token) else {
            bail!(
                "--url needs --secret and --token; its configuration needs these channels:\n\n{}",
                self.lines(toml)
            );
        };
        let secret = Secret::parse(secret)?;
        let place = Place {
            url: url.trim_end_matches('/').to_owned(),
            secret: secret.clone(),
            token: token.clone(),
        };
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
        let endpoint =
            Endpoint::start(self.deliver_listen, secret, Duration::ZERO, clock.clone()).await;
        let endpoint =
            endpoint.with_context(|| format!("cannot listen on {}", self.deliver_listen))?;
        Ok(Ground {
            arena: None,
            customer: Customer::new(place, clock.clone())?,
            endpoint,
            clock,
        })
    }

    /// A refusal by an instance elsewhere most likely means that its channels are others.
    fn explained<T>(
        &self,
        played: Result<T, TalkError>,
        toml: fn(&str, &str) -> String,
    ) -> anyhow::Result<T> {
        played.map_err(|error| {
            let is_refused = matches!(error, TalkError::Refused { .. });
            let error = anyhow::Error::new(error);
            if self.url.is_some() && is_refused {
                let lines = self.lines(toml);
                return error.context(format!(
                    "the instance refuses; its configuration needs these channels:\n\n{lines}"
                ));
            }
            error
        })
    }

    fn lines(&self, toml: fn(&str, &str) -> String) -> String {
        toml(&format!("http://{}/", self.deliver_listen), "whsec_…")
    }
}

async fn ours(
    toml: fn(&str, &str) -> String,
    data: Option<&std::path::Path>,
) -> anyhow::Result<Ground> {
    let secret = new_secret();
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let signing = Secret::parse(&secret)?;
    let anywhere = SocketAddr::from(([127, 0, 0, 1], 0));
    let endpoint = Endpoint::start(anywhere, signing, Duration::ZERO, clock.clone()).await?;
    let arena = Arena::start(&toml(&endpoint.url(), &secret), &secret, data).await?;
    Ok(Ground {
        customer: Customer::new(arena.place(), clock.clone())?,
        arena: Some(arena),
        endpoint,
        clock,
    })
}

impl Ground {
    async fn leave(self) -> anyhow::Result<()> {
        if let Some(arena) = self.arena {
            arena.stop().await?;
        }
        Ok(())
    }
}

/// Different in every run, so that a store may see many.
fn run_id() -> String {
    format!("sim{:012x}", OsEntropy.bits() & 0xffff_ffff_ffff)
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => Ok(number),
        _ => Err("allowed: a number above 0".to_owned()),
    }
}
