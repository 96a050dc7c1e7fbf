//! How soon a held reply leaves when what held it is gone: another system's lock, taken off.

use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use replygate::simulate::{Customer, Place, Saying, Spread, new_secret};
use replygate_channels::generic::Secret;
use replygate_embedded::SystemClock;
use replygate_gate::SessionId;
use replygate_ports::clock::Clock as _;

use crate::process::Process;
use crate::{Bench, deliver, steady};

/// How many locks are taken off, one after the other.
const TIMES: usize = 100;
/// A reply is written and has met its lock long before that.
const HELD: Duration = Duration::from_millis(300);
/// Lease and time to live of a lock: longer than it is needed.
const LOCK_MS: (u64, u64) = (30_000, 60_000);
/// A reply that has not come by then does not come.
const PATIENCE: Duration = Duration::from_secs(5);

/// Measures.
pub(crate) async fn run(bench: &Bench) -> Result<()> {
    let (address, delivered) = deliver::listen(bench).await?;
    let text = new_secret();
    let channel = steady::channel(&format!("http://{address}/"), &text, 0);
    let server = Process::start(bench, &channel).await?;
    let url = format!("http://{}", server.address);
    let place = Place {
        url: url.clone(),
        secret: Secret::parse(&text)?,
        token: token(&server)?,
    };
    let (client, bearer) = (reqwest::Client::new(), place.token.clone());
    let customer = Customer::new(place, std::sync::Arc::new(SystemClock::start()))?;
    let mut took_ms = Vec::new();
    for number in 0..bench.pick(TIMES, 3) {
        let session = held(bench, &customer, number).await?;
        let unlock = client.delete(format!("{url}/v1/sessions/{session}/lock"));
        let unlock = unlock
            .bearer_auth(&bearer)
            .json(&serde_json::json!({ "holder": "bench" }));
        let released = bench.clock.elapsed();
        let answer = unlock.send().await?;
        if !answer.status().is_success() {
            bail!("a lock was not taken off: {}", answer.text().await?);
        }
        while delivered.at(answer_of(number)).is_none() {
            if bench.clock.elapsed() > released + PATIENCE {
                bail!("a held reply did not leave");
            }
            bench.sleep(Duration::from_micros(500)).await;
        }
        let at = delivered.at(answer_of(number)).context("it is there")?;
        took_ms.push(at.saturating_sub(released).as_secs_f64() * 1_000.0);
    }
    let spread = Spread::of(took_ms);
    println!(
        "a held reply leaves {:.1} ms (p50), {:.1} ms (p99), {:.1} ms (at most) after its release was asked for\n",
        spread.p50, spread.p99, spread.max
    );
    server.stop().await
}

/// A message's number is the first thing that its reply repeats.
const fn answer_of(number: usize) -> usize {
    number * 2 + 1
}

/// A session with a reply that a lock holds.
async fn held(bench: &Bench, customer: &Customer, number: usize) -> Result<SessionId> {
    let (first, second) = (number * 2, answer_of(number));
    let session = say(customer, number, first).await?;
    let (lease_ms, ttl_ms) = LOCK_MS;
    customer.lock(session, "bench", lease_ms, ttl_ms).await?;
    bench.sleep(HELD).await;
    say(customer, number, second).await?;
    bench.sleep(HELD).await;
    Ok(session)
}

async fn say(customer: &Customer, contact: usize, number: usize) -> Result<SessionId> {
    let saying = Saying {
        message_id: format!("m{number}"),
        contact: format!("c{contact}"),
        text: format!("{number} is the order that I wait for."),
        sent_at: None,
    };
    Ok(customer.say("bench", &saying).await?.session)
}

fn token(server: &Process) -> Result<String> {
    let made = Command::new(env!("CARGO_BIN_EXE_replygate"))
        .args(["token", "create", "--scope", "operate", "--config"])
        .arg(server.config())
        .output()?;
    let text = String::from_utf8(made.stdout)?;
    let token = text
        .split_whitespace()
        .last()
        .context("no token was made")?;
    Ok(token.to_owned())
}
