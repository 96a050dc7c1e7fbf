//! What open consoles cost: the same load in turns without them, with consoles that hear what happens, and with consoles
//! that also read what they hear of, as the list of sessions does.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use replygate::simulate::{Spread, new_secret};
use replygate_channels::generic::Secret;
use replygate_ports::clock::Clock;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::{JoinHandle, JoinSet};

use super::sign_in::Browser;
use crate::customers::{Connection, Message, at_rate, requests};
use crate::deliver::{self, Delivered};
use crate::process::Process;
use crate::{Bench, steady};

const CONSOLES: usize = 200;
/// Messages a second while the cost of each is measured. Each is several events.
const RATE: f64 = 500.0;
/// How long each part of a round runs, in seconds.
const SECONDS: f64 = 8.0;
/// Customers who write again as soon as they are answered, to see how much there is room for.
const EAGER: usize = 256;
/// Rounds of one without and one with consoles.
const ROUNDS: usize = 3;
/// Between two requests of one console, as its page rests.
const REST: Duration = Duration::from_millis(200);
const FRAME: &[u8] = b"event: change";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Consoles {
    None,
    Hear,
    Read,
}

struct Open<'a> {
    bench: &'a Bench,
    server: Process,
    browser: Browser,
    secret: Secret,
    delivered: Delivered,
    sent: usize,
}

/// What one round without or with consoles came to.
#[derive(Default)]
struct Round {
    over_ms: Spread,
    each_ms: f64,
    frames: f64,
    answered: f64,
}

/// Measures in turns and tells each turn, and what the consoles cost.
pub(crate) async fn run(bench: &Bench) -> Result<()> {
    let (address, delivered) = deliver::listen(bench).await?;
    let text = new_secret();
    let channel = steady::channel(&format!("http://{address}/"), &text, 0);
    let server = Process::start(bench, &channel).await?;
    let browser = Browser::sign_in(&server).await?;
    let mut open = Open {
        bench,
        server,
        browser,
        secret: Secret::parse(&text)?,
        delivered,
        sent: 0,
    };
    println!(
        "| consoles | at {RATE:.0} messages/s: delivered - sent p50 ms | p99 ms | server CPU ms/message | \
         frames/s each | as fast as possible: delivered/s |"
    );
    println!("|---|---|---|---|---|---|");
    let (mut without, mut with) = (Vec::new(), Vec::new());
    for _ in 0..bench.pick(ROUNDS, 1) {
        without.push(open.round(Consoles::None).await?);
        with.push(open.round(Consoles::Hear).await?);
    }
    open.round(Consoles::Read).await?;
    let mean = |rounds: &[Round], of: fn(&Round) -> f64| {
        rounds.iter().map(of).sum::<f64>() / rounds.len() as f64
    };
    let more = |of: fn(&Round) -> f64| 100.0 * (mean(&with, of) / mean(&without, of) - 1.0);
    println!(
        "\n{CONSOLES} consoles that hear cost {:.1} % of the throughput and {:.1} % more processor time for each message\n",
        -more(|round| round.answered),
        more(|round| round.each_ms)
    );
    open.server.stop().await
}

impl Open<'_> {
    async fn round(&mut self, consoles: Consoles) -> Result<Round> {
        let frames = Rc::new(Cell::new(0));
        let mut opened = Vec::new();
        if consoles != Consoles::None {
            for _ in 0..self.bench.pick(CONSOLES, 5) {
                opened.push(self.open(consoles, &frames).await?);
            }
        }
        let mut round = self.steadily(&frames, opened.len()).await?;
        round.answered = self.eagerly().await?;
        for console in opened {
            console.abort();
        }
        println!(
            "| {} | {:.1} | {:.1} | {:.3} | {:.1} | {:.0} |",
            match consoles {
                Consoles::None => "none".to_owned(),
                Consoles::Hear => format!("{CONSOLES} that hear"),
                Consoles::Read => format!("{CONSOLES} that hear and read"),
            },
            round.over_ms.p50,
            round.over_ms.p99,
            round.each_ms,
            round.frames,
            round.answered
        );
        Ok(round)
    }

    /// At a steady rate: how late, and at what cost.
    async fn steadily(&mut self, frames: &Cell<usize>, consoles: usize) -> Result<Round> {
        let seconds = self.bench.pick(SECONDS, 1.0);
        let count = (RATE * seconds) as usize;
        let first = self.sent;
        let messages: Vec<Message> = (first..first + count)
            .map(|number| Message {
                number,
                customer: number % (5 * RATE as usize),
            })
            .collect();
        self.sent += count;
        let now = self.bench.clock.now().0 / 1_000;
        let requests = requests("bench", &self.secret, &messages, now);
        let (used, told) = (self.server.processor()?, frames.get());
        let answers = at_rate(self.bench, self.server.address, requests, RATE).await?;
        let lasted = answers.lasted.as_secs_f64();
        let told = frames.get() - told;
        self.calm().await;
        let used = self.server.processor()?.saturating_sub(used);
        let over = messages
            .iter()
            .zip(&answers.written)
            .filter_map(|(message, written)| {
                let at = self.delivered.at(message.number)?;
                Some(at.saturating_sub(*written).as_secs_f64() * 1_000.0)
            });
        Ok(Round {
            over_ms: Spread::of(over),
            each_ms: used.as_secs_f64() * 1_000.0 / count as f64,
            frames: told as f64 / lasted / consoles.max(1) as f64,
            answered: 0.0,
        })
    }

    /// As fast as answers come: how many a second.
    async fn eagerly(&mut self) -> Result<f64> {
        let seconds = Duration::from_secs_f64(self.bench.pick(SECONDS, 1.0));
        let next = Rc::new(Cell::new(self.sent));
        let until = self.bench.clock.elapsed() + seconds;
        let mut customers = JoinSet::new();
        for customer in 0..EAGER {
            let connection = Connection::open(self.server.address).await?;
            let eager = Eager {
                bench: self.bench.clone(),
                secret: self.secret.clone(),
                delivered: self.delivered.clone(),
                next: next.clone(),
                customer: 1_000_000 + customer,
                until,
            };
            customers.spawn_local(eager.write(connection));
        }
        let mut answered = 0;
        while let Some(count) = customers.join_next().await {
            answered += count??;
        }
        self.sent = next.get();
        Ok(answered as f64 / seconds.as_secs_f64())
    }

    async fn calm(&self) {
        let wait = self
            .bench
            .pick(Duration::from_secs(1), Duration::from_millis(200));
        self.bench.sleep(wait).await;
    }

    async fn open(&self, consoles: Consoles, frames: &Rc<Cell<usize>>) -> Result<JoinHandle<()>> {
        let mut stream = TcpStream::connect(self.server.address).await?;
        let request = format!(
            "GET /events/stream?topics=sessions HTTP/1.1\r\nhost: bench\r\ncookie: {}\r\n\r\n",
            self.browser.cookie
        );
        stream.write_all(request.as_bytes()).await?;
        let mut buffer = Vec::with_capacity(16_384);
        stream.read_buf(&mut buffer).await?;
        let answer = String::from_utf8_lossy(&buffer);
        let is_open = answer.starts_with("HTTP/1.1 200").then_some(());
        is_open.with_context(|| format!("the stream answered {answer}"))?;
        let heard = Rc::new(tokio::sync::Notify::new());
        if consoles == Consoles::Read {
            let reading = read(self.bench.clone(), self.browser.clone(), heard.clone());
            tokio::task::spawn_local(reading);
        }
        let frames = frames.clone();
        Ok(tokio::task::spawn_local(async move {
            loop {
                buffer.clear();
                if !matches!(stream.read_buf(&mut buffer).await, Ok(1..)) {
                    return;
                }
                let told = buffer
                    .windows(FRAME.len())
                    .filter(|bytes| *bytes == FRAME)
                    .count();
                frames.set(frames.get() + told);
                heard.notify_one();
            }
        }))
    }
}

/// Reads the list again whenever something was heard, one request at a time; ends when the stream's reader did.
async fn read(bench: Bench, browser: Browser, heard: Rc<tokio::sync::Notify>) {
    while Rc::strong_count(&heard) > 1 {
        heard.notified().await;
        let body = r#"{"filter":{},"page":{}}"#.to_owned();
        if let Ok(answer) = browser.ask("/api/sessions/list", body).send().await {
            // Only its time matters.
            let _ = answer.bytes().await;
        }
        bench.sleep(REST).await;
    }
}

/// A customer who writes again as soon as the answer is there.
struct Eager {
    bench: Bench,
    secret: Secret,
    delivered: Delivered,
    next: Rc<Cell<usize>>,
    customer: usize,
    until: Duration,
}

impl Eager {
    /// How many were answered.
    async fn write(self, mut connection: Connection) -> Result<usize> {
        let mut answered = 0;
        while self.bench.clock.elapsed() < self.until {
            let number = self.next.get();
            self.next.set(number + 1);
            let message = Message {
                number,
                customer: self.customer,
            };
            let told = self.delivered.answered(number);
            let now = self.bench.clock.now().0 / 1_000;
            for request in requests("bench", &self.secret, &[message], now) {
                connection.ask(&request).await?;
            }
            told.await?;
            answered += 1;
        }
        Ok(answered)
    }
}
