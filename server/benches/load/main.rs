//! A load run against the release binary: how fast messages are accepted durably, how little the way through costs above
//! the ideal, what known sessions cost, how long a full store's lists and pages take, what open consoles cost. It measures and prints; it must never judge,
//! so that no build depends on the machine it runs on. With `--mode cluster` the server stands on PostgreSQL, Redis and
//! RabbitMQ, and is held against what the broker alone can do.
//!
//! Customers and the deliver address live in this process on one thread; the server is a process of its own. Every
//! message is signed beforehand and goes out on time whether earlier ones were answered or not.

mod ceiling;
mod console;
mod customers;
mod deliver;
mod growth;
mod ingest;
mod machine;
mod process;
mod release;
mod seeded;
mod services;
mod spread;
mod steady;
mod views;

use std::rc::Rc;
use std::time::Duration;

use anyhow::{Result, bail};
use replygate_embedded::SystemClock;
use replygate_ports::clock::Clock;

use services::Services;

/// What the phases share.
#[derive(Clone)]
struct Bench {
    clock: Rc<SystemClock>,
    /// Where a cluster's services are; `None` for a server on a folder.
    services: Option<Services>,
    /// How many workers stand beside one web process; with none, one process does everything.
    workers: usize,
    /// Only to see that everything runs: a minute in place of an hour, and no figure means anything.
    quick: bool,
}

impl Bench {
    /// What is measured with, or what is enough to see it run.
    fn pick<T>(&self, whole: T, quick: T) -> T {
        if self.quick { quick } else { whole }
    }

    async fn sleep(&self, wait: Duration) {
        self.clock.sleep(wait).await;
    }
}

/// The phases, in order.
const EMBEDDED: &[&str] = &["ingest", "steady", "growth", "views", "console"];
const CLUSTER: &[&str] = &["ceiling", "ingest", "steady", "spread", "release", "growth"];

/// Asks for a run that is only looked at.
const QUICK: &str = "--quick";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --all-targets` starts this too, without the argument that `cargo bench` gives.
    if !arguments.iter().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let (options, wanted): (Vec<&str>, Vec<&str>) = arguments
        .iter()
        .map(String::as_str)
        .partition(|argument| argument.starts_with("--"));
    let option = |name: &str| options.iter().find_map(|option| option.strip_prefix(name));
    let services = match option("--mode=") {
        None | Some("embedded") => None,
        Some("cluster") => Some(Services::new()),
        Some(other) => bail!("there is no mode `{other}`, allowed: embedded, cluster"),
    };
    let phases = if services.is_some() {
        CLUSTER
    } else {
        EMBEDDED
    };
    if let Some(unknown) = wanted.iter().find(|name| !phases.contains(name)) {
        bail!(
            "there is no phase `{unknown}`, allowed: {}",
            phases.join(", ")
        );
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let local = tokio::task::LocalSet::new();
    let bench = Bench {
        clock: Rc::new(SystemClock::start()),
        services,
        workers: option("--workers=").map_or(Ok(0), str::parse)?,
        quick: options.contains(&QUICK),
    };
    println!("{}\n", machine::describe());
    if bench.quick {
        println!("quick: this shows that everything runs, the figures mean nothing\n");
    }
    let runs = |name: &str| phases.contains(&name) && (wanted.is_empty() || wanted.contains(&name));
    local.block_on(&runtime, phases_of(&bench, runs))
}

async fn phases_of(bench: &Bench, runs: impl Fn(&str) -> bool) -> Result<()> {
    let mut ceiling = None;
    if let Some(services) = bench.services.as_ref().filter(|_| runs("ceiling")) {
        ceiling = Some(ceiling::run(bench, services).await?);
    }
    let mut rate = ingest::TARGET;
    if runs("ingest") {
        rate = ingest::run(bench).await?;
    }
    if runs("steady") {
        steady::run(bench, rate, ceiling).await?;
    }
    if let Some(services) = bench.services.as_ref().filter(|_| runs("spread")) {
        spread::run(bench, services).await?;
    }
    if runs("release") {
        release::run(bench).await?;
    }
    if runs("growth") {
        growth::run(bench).await?;
    }
    if runs("views") {
        views::run(bench).await?;
    }
    if runs("console") {
        console::run(bench).await?;
    }
    Ok(())
}
