//! What known sessions cost: resident memory and idle processor time with 1, 1,000 and 100,000 of them, and the cost of a
//! message spread over all of them.

use std::time::Duration;

use anyhow::Result;
use replygate::simulate::new_secret;
use replygate_channels::generic::Secret;
use replygate_ports::clock::Clock;

use crate::customers::{Connection, Message, at_rate, requests};
use crate::deliver::{self, Delivered};
use crate::process::Process;
use crate::{Bench, steady};

const SESSIONS: [usize; 4] = [1, 1_000, 10_000, 100_000];
const QUICK_SESSIONS: [usize; 2] = [1, 200];
/// New customers a second while sessions become known.
const FILL_RATE: f64 = 1_500.0;
/// Messages a second while their cost is measured.
const RATE: f64 = 500.0;
/// For how long, in seconds.
const SECONDS: f64 = 10.0;
/// Messages of a single customer, one after the other.
const ALONE: usize = 500;
/// For how long an idle server is watched.
const IDLE: Duration = Duration::from_secs(10);

struct Growth<'a> {
    bench: &'a Bench,
    server: Process,
    secret: Secret,
    delivered: Delivered,
    known: usize,
    sent: usize,
}

/// Lets sessions become known step by step and measures at each.
pub(crate) async fn run(bench: &Bench) -> Result<()> {
    let (address, delivered) = deliver::listen(bench).await?;
    let text = new_secret();
    let server = Process::start(
        bench,
        &steady::channel(&format!("http://{address}/"), &text, 0),
    )
    .await?;
    let secret = Secret::parse(&text)?;
    let mut growth = Growth {
        bench,
        server,
        secret,
        delivered,
        known: 0,
        sent: 0,
    };
    println!(
        "| known sessions | resident MB | after a restart MB | database MB | idle CPU % | server CPU ms/message |"
    );
    println!("|---|---|---|---|---|---|");
    for sessions in bench.pick(&SESSIONS[..], &QUICK_SESSIONS) {
        growth = growth.measure(*sessions).await?;
    }
    println!();
    growth.server.stop().await
}

impl Growth<'_> {
    async fn measure(mut self, sessions: usize) -> Result<Self> {
        self.fill(sessions).await?;
        let idle = self.idle().await?;
        let resident = self.server.resident_mb()?;
        let stored = self.server.stored_mb().await?;
        self.server = self.server.again()?;
        self.bench.sleep(self.calm()).await;
        let restarted = self.server.resident_mb()?;
        let each = self.cost(sessions).await?;
        println!(
            "| {sessions} | {resident:.1} | {restarted:.1} | {stored:.1} | {idle:.2} | {each:.3} |"
        );
        Ok(self)
    }

    async fn fill(&mut self, sessions: usize) -> Result<()> {
        let customers: Vec<usize> = (self.known..sessions).collect();
        self.known = sessions;
        self.send(&customers, FILL_RATE).await.map(drop)
    }

    /// Processor time of an idle server, in percent of one core.
    async fn idle(&self) -> Result<f64> {
        self.bench.sleep(self.calm()).await;
        let watched = self.bench.pick(IDLE, Duration::from_secs(1));
        let before = self.server.processor()?;
        self.bench.sleep(watched).await;
        let used = self.server.processor()?.saturating_sub(before);
        Ok(100.0 * used.as_secs_f64() / watched.as_secs_f64())
    }

    /// After it a server has done what was left to do.
    fn calm(&self) -> Duration {
        self.bench
            .pick(Duration::from_secs(3), Duration::from_millis(200))
    }

    async fn cost(&mut self, sessions: usize) -> Result<f64> {
        let before = self.server.processor()?;
        let sent = if sessions == 1 {
            self.alone().await?
        } else {
            let count = (RATE * self.bench.pick(SECONDS, 1.0)) as usize;
            let customers: Vec<usize> = (0..count)
                .map(|place| (place * sessions / count.min(sessions)) % sessions)
                .collect();
            self.send(&customers, RATE).await?
        };
        let used = self.server.processor()?.saturating_sub(before);
        Ok(used.as_secs_f64() * 1_000.0 / sent as f64)
    }

    /// Sends one message of each customer named and waits for the replies; how many were sent.
    async fn send(&mut self, customers: &[usize], rate: f64) -> Result<usize> {
        let messages: Vec<Message> = customers
            .iter()
            .zip(self.sent..)
            .map(|(customer, number)| Message {
                number,
                customer: *customer,
            })
            .collect();
        self.sent += messages.len();
        let now = self.bench.clock.now().0 / 1_000;
        let requests = requests("bench", &self.secret, &messages, now);
        at_rate(self.bench, self.server.address, requests, rate).await?;
        self.answered().await;
        Ok(messages.len())
    }

    /// One customer who waits for each reply before writing again.
    async fn alone(&mut self) -> Result<usize> {
        let mut connection = Connection::open(self.server.address).await?;
        let alone = self.bench.pick(ALONE, 20);
        for _ in 0..alone {
            let message = Message {
                number: self.sent,
                customer: 0,
            };
            self.sent += 1;
            let now = self.bench.clock.now().0 / 1_000;
            for request in requests("bench", &self.secret, &[message], now) {
                connection.ask(&request).await?;
            }
            while self.delivered.at(message.number).is_none() {
                self.bench.sleep(Duration::from_millis(1)).await;
            }
        }
        Ok(alone)
    }

    async fn answered(&self) {
        for _ in 0..100 {
            if self.delivered.len() >= self.sent {
                return;
            }
            self.bench.sleep(Duration::from_millis(100)).await;
        }
    }
}
