//! What the tool guard costs: the time of one guarded call with and without waiting for the disk, calls per second with many
//! at once, and rounds of pruning on a full ledger. It measures and prints; it must never judge.
//!
//! A guarded call here is a reservation and an outcome, both durable before they are answered. The tool itself does nothing.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};
use futures::future::try_join_all;
use replygate::config::Environment;
use replygate::{Config, Running, Server};
use replygate_embedded::SystemClock;
use replygate_engine::{Guard, Leave, Wait, Wish};
use replygate_gate::{At, SessionKey};
use replygate_ports::clock::Clock;
use replygate_ports::ledger::Settlement;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Calls that are timed one after the other.
const SINGLE: usize = 500;
/// Calls under way at once, and how many each caller makes.
const CALLERS: usize = 256;
const EACH: usize = 40;
/// Rows of the full ledger, unless `--rows N` says otherwise.
const ROWS: usize = 1_000_000;
/// Rows that the server prunes in one round.
const ROUND: u32 = 500;
/// A folder whose writes wait for no disk.
const MEMORY: &str = "/dev/shm";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --all-targets` starts this too, without the argument that `cargo bench` gives.
    if !arguments.iter().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(run(rows(&arguments)?))
}

fn rows(arguments: &[String]) -> Result<usize> {
    let place = arguments.iter().position(|argument| argument == "--rows");
    let Some(place) = place else { return Ok(ROWS) };
    match arguments.get(place + 1).and_then(|text| text.parse().ok()) {
        Some(rows) if rows >= 1_000 => Ok(rows),
        _ => bail!("--rows needs a number from 1000 on"),
    }
}

async fn run(rows: usize) -> Result<()> {
    let disk = House::open(Path::new(".")).await?;
    let on_disk = single(&disk).await?;
    println!("one call after the other, {SINGLE} calls");
    tell("on the disk", &on_disk);
    if Path::new(MEMORY).is_dir() {
        let memory = House::open(Path::new(MEMORY)).await?;
        let overhead = single(&memory).await?;
        tell("without waiting for it", &overhead);
        let waits = median(&on_disk).saturating_sub(median(&overhead));
        println!("  p50 of the wait for the disk: {waits:.2?}");
        memory.close().await?;
    }
    let (calls, took) = many(&disk).await?;
    let per_second = calls as f64 / took.as_secs_f64();
    println!("{CALLERS} calls at once on the disk: {per_second:.0} guarded calls/s");
    prune(&disk, rows).await?;
    disk.close().await
}

struct House {
    running: Running,
    clock: SystemClock,
    _dir: TempDir,
}

impl House {
    async fn open(place: &Path) -> Result<Self> {
        let dir = TempDir::new_in(place)?;
        let mut config = Config::read(None, "", &Environment::default())?;
        config.server.listen = "127.0.0.1:0".parse()?;
        config.server.data_dir = dir.path().join("data");
        let running = Server::start(config).await?;
        Ok(Self {
            running,
            clock: SystemClock::start(),
            _dir: dir,
        })
    }

    fn guard(&self) -> &Guard {
        self.running.service().engine.guard()
    }

    /// How long ago that reading of the clock was.
    fn since(&self, then: Duration) -> Duration {
        self.clock.elapsed().saturating_sub(then)
    }

    async fn close(self) -> Result<()> {
        self.running.stop().await?;
        Ok(())
    }
}

fn wish(number: usize) -> Wish {
    let contact = format!("contact {}", number % 1_000);
    let whom = SessionKey {
        channel: "demo".to_owned(),
        account: String::new(),
        conversation: contact.clone(),
        contact,
    };
    let arguments = json!({
        "title": format!("Psicología {number}"),
        "start_datetime": "2030-01-08T15:00:00-03:00",
        "guests": ["paula@example.org"],
    });
    Wish::undeclared("calendar.create_event", arguments, whom)
}

/// One guarded call of a tool that does nothing.
async fn call(guard: &Guard, number: usize) -> Result<()> {
    let Leave::Run { action, .. } = guard.ask(&wish(number), Wait::ToTheEnd).await? else {
        bail!("call {number} is no new one");
    };
    let result: Value = json!({ "event": number });
    guard.settle(action, Settlement::Done { result }).await?;
    Ok(())
}

async fn single(house: &House) -> Result<Vec<Duration>> {
    let mut times = Vec::with_capacity(SINGLE);
    for number in 0..SINGLE {
        let began = house.clock.elapsed();
        call(house.guard(), number).await?;
        times.push(house.since(began));
    }
    times.sort_unstable();
    Ok(times)
}

async fn many(house: &House) -> Result<(usize, Duration)> {
    fill(house, SINGLE, CALLERS * EACH).await
}

/// So many calls, with many under way at once; how long they took.
async fn fill(house: &House, from: usize, count: usize) -> Result<(usize, Duration)> {
    let began = house.clock.elapsed();
    let each = count.div_ceil(CALLERS);
    let callers = (0..CALLERS).map(|caller| {
        let guard = house.guard().clone();
        tokio::spawn(async move {
            for place in 0..each {
                call(&guard, from + caller * each + place).await?;
            }
            anyhow::Ok(())
        })
    });
    for done in try_join_all(callers).await? {
        done?;
    }
    Ok((each * CALLERS, house.since(began)))
}

/// Rounds on a full ledger, all of whose rows are old enough.
async fn prune(house: &House, rows: usize) -> Result<()> {
    let (filled, took) = fill(house, 10_000_000, rows).await?;
    println!("a ledger of {filled} rows, filled in {took:.1?}");
    let ledger = &house.running.service().stores.ledger;
    let mut times = Vec::new();
    let began = house.clock.elapsed();
    let mut gone = 0;
    loop {
        let round = house.clock.elapsed();
        match ledger.prune(At(i64::MAX), ROUND).await? {
            0 => break,
            pruned => gone += pruned,
        }
        times.push(house.since(round));
    }
    times.sort_unstable();
    println!("pruned {gone} rows in {:.1?}", house.since(began));
    tell(&format!("rounds of {ROUND}"), &times);
    Ok(())
}

fn tell(what: &str, sorted: &[Duration]) {
    let at = |percent: usize| {
        let place = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
        sorted.get(place).copied().unwrap_or_default()
    };
    println!(
        "  {what}: p50 {:.2?}, p95 {:.2?}, p99 {:.2?}, most {:.2?}",
        at(50),
        at(95),
        at(99),
        at(100)
    );
}

fn median(sorted: &[Duration]) -> Duration {
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}
