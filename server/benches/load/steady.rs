//! How much later than ideal a reply is delivered at a steady rate: debounce off, an agent that takes no time, a delay of
//! 600 ms; every customer writes seldom enough that no reply is kept by another message. In a cluster also which share of
//! what the broker can do at most is delivered.

use std::time::Duration;

use anyhow::Result;
use replygate::simulate::{Spread, new_secret};
use replygate_channels::generic::Secret;
use replygate_ports::clock::Clock;

use crate::customers::{Message, at_rate, requests};
use crate::process::Process;
use crate::{Bench, deliver};

/// A run's length, in seconds.
const SECONDS: f64 = 20.0;
/// Messages of the first seconds are not counted: connections open, memory is claimed.
const WARM_UP_S: f64 = 3.0;
/// The operational delay, in milliseconds.
pub(crate) const DELAY_MS: u64 = 600;
/// Between two messages of one customer, in seconds.
const PAUSE_S: f64 = 5.0;
/// Messages a second that are aimed at.
const TARGET: f64 = 2_000.0;

/// Measures half the ingest rate and the target, lower one first.
pub(crate) async fn run(bench: &Bench, ingest: f64, ceiling: Option<f64>) -> Result<()> {
    println!(
        "| messages/s | delivered - (sent + {DELAY_MS} ms): p50 ms | p99 ms | max ms | not delivered | accept p99 ms | \
         server CPU ms/message | delivered/s | of the raw ceiling |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let target = bench.pick(TARGET, 200.0);
    let mut rates = vec![target / 4.0, target / 2.0, target, ingest / 2.0];
    rates.sort_by(f64::total_cmp);
    rates.dedup();
    for rate in rates {
        measure(bench, rate, ceiling).await?;
    }
    println!();
    Ok(())
}

async fn measure(bench: &Bench, rate: f64, ceiling: Option<f64>) -> Result<()> {
    let (address, delivered) = deliver::listen(bench).await?;
    let text = new_secret();
    let server = Process::start(
        bench,
        &channel(&format!("http://{address}/"), &text, DELAY_MS),
    )
    .await?;
    let (seconds, warm_up_s) = bench.pick((SECONDS, WARM_UP_S), (1.0, 0.2));
    let customers = (rate * PAUSE_S) as usize;
    let messages: Vec<Message> = (0..(rate * seconds) as usize)
        .map(|number| Message {
            number,
            customer: number % customers,
        })
        .collect();
    let now = bench.clock.now().0 / 1_000;
    let requests = requests("bench", &Secret::parse(&text)?, &messages, now);
    let before = server.processor()?;
    let answers = at_rate(bench, server.address, requests, rate).await?;
    for _ in 0..100 {
        if delivered.len() >= messages.len() {
            break;
        }
        bench.sleep(Duration::from_millis(100)).await;
    }
    let used = server.processor()?.saturating_sub(before);
    let ideal = Duration::from_millis(DELAY_MS);
    let over = messages
        .iter()
        .skip((rate * warm_up_s) as usize)
        .filter_map(|message| {
            let at = delivered.at(message.number)?.as_secs_f64();
            let due = (answers.written[message.number] + ideal).as_secs_f64();
            Some((at - due) * 1_000.0)
        });
    let over = Spread::of(over);
    let accept = Spread::of(answers.took_ms.iter().copied());
    let each_second = delivered.rate();
    let share = ceiling.map_or_else(
        || "-".to_owned(),
        |ceiling| format!("{:.0} %", 100.0 * each_second / ceiling),
    );
    println!(
        "| {rate:.0} | {:.1} | {:.1} | {:.1} | {} | {:.1} | {:.3} | {each_second:.0} | {share} |",
        over.p50,
        over.p99,
        over.max,
        messages.len() - delivered.len(),
        accept.p99,
        used.as_secs_f64() * 1_000.0 / messages.len() as f64
    );
    server.stop().await
}

/// A channel without debounce whose agent answers at once.
pub(crate) fn channel(deliver_url: &str, secret: &str, delay_ms: u64) -> String {
    format!(
        r#"[[channels]]
id = "bench"
kind = "generic"
deliver_url = "{deliver_url}"
signing_secret = "{secret}"
operational_delay_ms = {delay_ms}
agent = "echo"
evaluator = "marker"
debounce = {{ enabled = false }}
"#
    )
}
