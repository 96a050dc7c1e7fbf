//! A load run against the release binary: how fast messages are accepted durably, how little the way through costs above
//! the ideal, what known sessions cost, how long a full store's lists take. It measures and prints; it must never judge,
//! so that no build depends on the machine it runs on.
//!
//! Customers and the deliver address live in this process on one thread; the server is a process of its own. Every
//! message is signed beforehand and goes out on time whether earlier ones were answered or not.

mod customers;
mod deliver;
mod growth;
mod ingest;
mod machine;
mod process;
mod seeded;
mod steady;
mod views;

use std::rc::Rc;
use std::time::Duration;

use anyhow::{Result, bail};
use replygate_embedded::SystemClock;
use replygate_ports::clock::Clock;

/// What the phases share.
#[derive(Clone)]
struct Bench {
    clock: Rc<SystemClock>,
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
const PHASES: [&str; 4] = ["ingest", "steady", "growth", "views"];

/// Asks for a run that is only looked at.
const QUICK: &str = "--quick";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --all-targets` starts this too, without the argument that `cargo bench` gives.
    if !arguments.iter().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let wanted: Vec<&str> = arguments
        .iter()
        .map(String::as_str)
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    if let Some(unknown) = wanted.iter().find(|name| !PHASES.contains(name)) {
        bail!(
            "there is no phase `{unknown}`, allowed: {}",
            PHASES.join(", ")
        );
    }
    let runs = |name: &str| wanted.is_empty() || wanted.contains(&name);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let local = tokio::task::LocalSet::new();
    let bench = Bench {
        clock: Rc::new(SystemClock::start()),
        quick: arguments.iter().any(|argument| argument == QUICK),
    };
    println!("{}\n", machine::describe());
    if bench.quick {
        println!("quick: this shows that everything runs, the figures mean nothing\n");
    }
    local.block_on(&runtime, async {
        let mut rate = ingest::TARGET;
        if runs("ingest") {
            rate = ingest::run(&bench).await?;
        }
        if runs("steady") {
            steady::run(&bench, rate).await?;
        }
        if runs("growth") {
            growth::run(&bench).await?;
        }
        if runs("views") {
            views::run(&bench).await?;
        }
        Ok(())
    })
}
