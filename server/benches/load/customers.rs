//! Customers as cheap as they can be: requests made and signed beforehand, written to connections that stay open.

use std::cell::Cell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Result, bail};
use replygate_channels::generic::{Secret, sign};
use replygate_ports::clock::Clock;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::Bench;

/// How many requests may be under way at once.
const CONNECTIONS: usize = 256;

/// A message: its number in the run, and its customer's.
#[derive(Clone, Copy)]
pub(crate) struct Message {
    /// Unique; the text carries it, and the reply repeats it.
    pub(crate) number: usize,
    /// Who writes.
    pub(crate) customer: usize,
}

/// What became of a run.
#[derive(Default)]
pub(crate) struct Answers {
    /// From when it should have gone out until its 202 was read, in milliseconds.
    pub(crate) took_ms: Vec<f64>,
    /// When each message was written, on the bench's clock; by place in the run.
    pub(crate) written: Vec<Duration>,
    /// Answers other than 202.
    pub(crate) refused: usize,
    /// From the first message to the last answer.
    pub(crate) lasted: Duration,
}

/// Requests ready to be written.
pub(crate) fn requests(
    channel: &str,
    secret: &Secret,
    messages: &[Message],
    now_s: i64,
) -> Vec<Vec<u8>> {
    messages
        .iter()
        .map(|message| request(channel, secret, *message, now_s))
        .collect()
}

fn request(channel: &str, secret: &Secret, message: Message, now_s: i64) -> Vec<u8> {
    let Message { number, customer } = message;
    let body = format!(
        r#"{{"message_id":"m{number}","contact":"c{customer}","text":"{number} is the order that I wait for, it was to come on Monday."}}"#
    );
    let id = format!("m{number}");
    let signature = sign(&id, now_s, body.as_bytes(), std::slice::from_ref(secret));
    format!(
        "POST /hooks/{channel} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\nwebhook-id: {id}\r\n\
         webhook-timestamp: {now_s}\r\nwebhook-signature: {signature}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// Writes each request at its time, `rate` a second, whatever became of those before.
pub(crate) async fn at_rate(
    bench: &Bench,
    server: SocketAddr,
    requests: Vec<Vec<u8>>,
    rate: f64,
) -> Result<Answers> {
    let (next, requests) = (Rc::new(Cell::new(0)), Rc::new(requests));
    let mut connections = Vec::new();
    for _ in 0..CONNECTIONS.min(requests.len()) {
        connections.push(Connection::open(server).await?);
    }
    let began = bench.clock.elapsed();
    let mut under_way = JoinSet::new();
    for connection in connections {
        let run = (bench.clone(), requests.clone(), next.clone());
        under_way.spawn_local(async move { keep_writing(connection, run, began, rate).await });
    }
    let mut answers = Answers::default();
    answers.written.resize(requests.len(), Duration::ZERO);
    while let Some(done) = under_way.join_next().await {
        for (place, written, took) in done?? {
            answers.written[place] = written;
            match took {
                Some(took) => answers.took_ms.push(took.as_secs_f64() * 1_000.0),
                None => answers.refused += 1,
            }
        }
    }
    answers.lasted = bench.clock.elapsed().saturating_sub(began);
    Ok(answers)
}

type Run = (Bench, Rc<Vec<Vec<u8>>>, Rc<Cell<usize>>);
type Written = Vec<(usize, Duration, Option<Duration>)>;

async fn keep_writing(
    mut connection: Connection,
    (bench, requests, next): Run,
    began: Duration,
    rate: f64,
) -> Result<Written> {
    let mut done = Vec::new();
    loop {
        let place = next.get();
        let Some(request) = requests.get(place) else {
            return Ok(done);
        };
        next.set(place + 1);
        let due = began + Duration::from_secs_f64(place as f64 / rate);
        let wait = due.saturating_sub(bench.clock.elapsed());
        if !wait.is_zero() {
            bench.sleep(wait).await;
        }
        let written = bench.clock.elapsed();
        let status = connection.ask(request).await?;
        let took = bench.clock.elapsed().saturating_sub(due);
        done.push((place, written, (status == 202).then_some(took)));
    }
}

/// A connection that stays open.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub(crate) async fn open(server: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(server).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            buffer: Vec::with_capacity(1_024),
        })
    }

    /// Writes a request, reads its answer, tells the status.
    pub(crate) async fn ask(&mut self, request: &[u8]) -> Result<u16> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        loop {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                bail!("the server closed a connection");
            }
            if let Some(head) = Head::read(&self.buffer)
                && self.buffer.len() >= head.length
            {
                return Ok(head.status);
            }
        }
    }
}

/// The start of an answer or a request.
pub(crate) struct Head {
    /// 0 for a request.
    pub(crate) status: u16,
    /// Where the body begins.
    pub(crate) body: usize,
    /// Head and body together.
    pub(crate) length: usize,
}

impl Head {
    /// `None` while it is not complete.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
        let head = std::str::from_utf8(&bytes[..end]).ok()?;
        let mut lines = head.split("\r\n");
        let first = lines.next()?;
        let status = first
            .split(' ')
            .nth(1)
            .and_then(|word| word.parse().ok())
            .unwrap_or(0);
        let length = lines
            .filter_map(|line| line.split_once(':'))
            .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
            .and_then(|(_, value)| value.trim().parse::<usize>().ok())
            .unwrap_or(0);
        Some(Self {
            status,
            body: end + 4,
            length: end + 4 + length,
        })
    }
}
