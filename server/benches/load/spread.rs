//! What a message costs with one customer and with a hundred thousand, who write equally often or as people do: at one
//! rate, from a message's 202 to its delivery, in processor time, transactions and commands.

use std::time::Duration;

use anyhow::Result;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use replygate::simulate::{Spread, new_secret};
use replygate_channels::generic::Secret;
use replygate_ports::clock::Clock as _;

use crate::customers::{Message, at_rate, requests};
use crate::process::Process;
use crate::services::{Counts, Services};
use crate::{Bench, deliver, steady};

const SESSIONS: [usize; 6] = [1, 10, 100, 1_000, 10_000, 100_000];
const QUICK_SESSIONS: [usize; 2] = [1, 100];
/// Messages a second.
const RATE: f64 = 500.0;
/// For how long, in seconds.
const SECONDS: f64 = 10.0;
/// Customers write no more often than this, on average: who writes faster than he is answered is answered once for several
/// messages.
const PAUSE_S: f64 = 1.0;
/// How unequal people are: the exponent of their ranks.
const ZIPF: f64 = 1.1;
/// Services tell what they counted a second later.
const COUNTED: Duration = Duration::from_millis(1_500);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    Equal,
    Zipf,
}

/// Measures each number of customers, equal and unequal.
pub(crate) async fn run(bench: &Bench, services: &Services) -> Result<()> {
    println!(
        "| sessions | who writes | messages/s | replies | delivered - sent: p50 ms | p99 ms | server CPU ms/reply | \
         PostgreSQL transactions/reply | Redis commands/reply |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for sessions in bench.pick(&SESSIONS[..], &QUICK_SESSIONS) {
        for who in [Who::Equal, Who::Zipf] {
            measure(bench, services, *sessions, who).await?;
        }
    }
    println!();
    Ok(())
}

async fn measure(bench: &Bench, services: &Services, sessions: usize, who: Who) -> Result<()> {
    let (address, delivered) = deliver::listen(bench).await?;
    let text = new_secret();
    let channel = steady::channel(&format!("http://{address}/"), &text, 0);
    let server = Process::start(bench, &channel).await?;
    let rate = RATE.min(sessions as f64 / PAUSE_S);
    let count = (rate * bench.pick(SECONDS, 1.0)) as usize;
    let messages = written(sessions, count, who);
    let now = bench.clock.now().0 / 1_000;
    let requests = requests("bench", &Secret::parse(&text)?, &messages, now);
    let before = (server.processor()?, services.counts().await?);
    let answers = at_rate(bench, server.address, requests, rate).await?;
    settled(bench, &delivered).await;
    bench.sleep(COUNTED).await;
    let used = server.processor()?.saturating_sub(before.0);
    let counts = services.counts().await?;
    let over = messages.iter().filter_map(|message| {
        let at = delivered.at(message.number)?;
        Some((at.as_secs_f64() - answers.written[message.number].as_secs_f64()) * 1_000.0)
    });
    let over = Spread::of(over);
    let name = match who {
        Who::Equal => "equally",
        Who::Zipf => "Zipf 1.1",
    };
    let each = |amount: f64| amount / over.n.max(1) as f64;
    let Counts {
        transactions,
        commands,
    } = counts;
    println!(
        "| {sessions} | {name} | {rate:.0} | {} | {:.1} | {:.1} | {:.3} | {:.2} | {:.2} |",
        over.n,
        over.p50,
        over.p99,
        each(used.as_secs_f64() * 1_000.0),
        each((transactions - before.1.transactions) as f64),
        each((commands - before.1.commands) as f64),
    );
    server.stop().await
}

/// Who writes each message.
fn written(sessions: usize, count: usize, who: Who) -> Vec<Message> {
    let mut whole = 0.0;
    let ranks: Vec<f64> = (1..=sessions)
        .map(|rank| {
            whole += (rank as f64).powf(-ZIPF);
            whole
        })
        .collect();
    let mut chance = ChaCha8Rng::seed_from_u64(1);
    let mut customer = |number: usize| match who {
        // Far apart, so that a few messages reach into every corner of many sessions.
        Who::Equal if sessions > count => number * (sessions / count),
        Who::Equal => number % sessions,
        Who::Zipf => {
            let drawn = chance.random::<f64>() * whole;
            ranks
                .partition_point(|rank| *rank < drawn)
                .min(sessions - 1)
        }
    };
    (0..count)
        .map(|number| Message {
            number,
            customer: customer(number),
        })
        .collect()
}

/// Returns when no more replies come.
async fn settled(bench: &Bench, delivered: &deliver::Delivered) {
    let mut known = usize::MAX;
    while known != delivered.len() {
        known = delivered.len();
        bench.sleep(Duration::from_secs(1)).await;
    }
}
