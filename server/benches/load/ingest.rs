//! How many messages a second are accepted durably: bursts of ten seconds at growing rates.
//!
//! On a channel that collects bursts for longer than the run lasts, so that accepting is all that is measured; what an
//! accepted message costs afterwards is the other phases' matter.

use anyhow::Result;
use replygate::simulate::{Spread, new_secret};
use replygate_channels::generic::Secret;
use replygate_ports::clock::Clock;

use crate::Bench;
use crate::customers::{Message, at_rate, requests};
use crate::process::Process;

/// Accepted messages a second that are aimed at.
pub(crate) const TARGET: f64 = 5_000.0;
/// A burst's length, in seconds.
const SECONDS: f64 = 10.0;
/// The tail that a rate may have, in milliseconds.
const TAIL_MS: f64 = 50.0;
const RATES: [f64; 8] = [
    1_000.0, 2_000.0, 3_000.0, 4_000.0, 5_000.0, 6_000.0, 8_000.0, 10_000.0,
];
const QUICK_RATES: [f64; 1] = [200.0];
/// Customers that take part: each writes a few times in a burst.
const CUSTOMERS: usize = 10_000;

/// Tries each rate and returns the highest that held.
pub(crate) async fn run(bench: &Bench) -> Result<f64> {
    println!(
        "| messages/s asked | accepted/s | p50 ms | p99 ms | max ms | not 202 | server CPU ms/message |"
    );
    println!("|---|---|---|---|---|---|---|");
    let mut best = 0.0;
    for rate in bench.pick(&RATES[..], &QUICK_RATES) {
        let (accepted, spread) = burst(bench, *rate).await?;
        if spread.p99 >= TAIL_MS || accepted < 0.97 * rate {
            break;
        }
        best = *rate;
    }
    println!("\nhighest rate with p99 under {TAIL_MS} ms: {best} a second\n");
    Ok(if best > 0.0 {
        best
    } else {
        bench.pick(RATES[0], QUICK_RATES[0])
    })
}

async fn burst(bench: &Bench, rate: f64) -> Result<(f64, Spread)> {
    let text = new_secret();
    let secret = Secret::parse(&text)?;
    let server = Process::start(bench, &channel(&text)).await?;
    let messages: Vec<Message> = (0..(rate * bench.pick(SECONDS, 1.0)) as usize)
        .map(|number| Message {
            number,
            customer: number % CUSTOMERS,
        })
        .collect();
    let now = bench.clock.now().0 / 1_000;
    let requests = requests("bench", &secret, &messages, now);
    let before = server.processor()?;
    let answers = at_rate(bench, server.address, requests, rate).await?;
    let used = server.processor()?.saturating_sub(before);
    let accepted = answers.took_ms.len() as f64 / answers.lasted.as_secs_f64();
    let each = used.as_secs_f64() * 1_000.0 / messages.len() as f64;
    let spread = Spread::of(answers.took_ms);
    println!(
        "| {rate:.0} | {accepted:.0} | {:.1} | {:.1} | {:.1} | {} | {each:.3} |",
        spread.p50, spread.p99, spread.max, answers.refused
    );
    server.stop().await?;
    Ok((accepted, spread))
}

fn channel(secret: &str) -> String {
    format!(
        r#"[[channels]]
id = "bench"
kind = "generic"
deliver_url = "http://127.0.0.1:9/"
signing_secret = "{secret}"
agent = "echo"
debounce = {{ enabled = true, closed_ms = 60000, max_wait_ms = 120000 }}
"#
    )
}
