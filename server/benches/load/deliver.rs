//! A deliver address as cheap as it can be: notes when which message was answered, and says yes.

use std::cell::RefCell;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use anyhow::Result;
use replygate_ports::clock::Clock;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

use crate::Bench;
use crate::customers::Head;

const YES: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
/// Where the reply's text begins in the body; the text begins with the message's number.
const TEXT: &[u8] = b"\"text\":\"";

/// When which message was answered.
#[derive(Clone, Default)]
pub(crate) struct Delivered(Rc<RefCell<Notes>>);

#[derive(Default)]
struct Notes {
    at: HashMap<usize, Duration>,
    waiting: HashMap<usize, oneshot::Sender<()>>,
}

impl Delivered {
    /// When the message was answered.
    pub(crate) fn at(&self, number: usize) -> Option<Duration> {
        self.0.borrow().at.get(&number).copied()
    }

    /// Returns when the message, which was not yet sent, is answered.
    pub(crate) fn answered(&self, number: usize) -> oneshot::Receiver<()> {
        let (told, waits) = oneshot::channel();
        self.0.borrow_mut().waiting.insert(number, told);
        waits
    }

    fn note(&self, number: usize, now: Duration) {
        let mut notes = self.0.borrow_mut();
        notes.at.entry(number).or_insert(now);
        if let Some(waiting) = notes.waiting.remove(&number) {
            // Whoever waited may have gone.
            let _ = waiting.send(());
        }
    }

    /// How many were a second, from the first to the last.
    pub(crate) fn rate(&self) -> f64 {
        let times = &self.0.borrow().at;
        let (first, last) = (times.values().min(), times.values().max());
        match (first, last) {
            (Some(first), Some(last)) if last > first => {
                times.len() as f64 / last.saturating_sub(*first).as_secs_f64()
            }
            _ => 0.0,
        }
    }

    /// How many were.
    pub(crate) fn len(&self) -> usize {
        self.0.borrow().at.len()
    }
}

/// Listens, and tells where.
pub(crate) async fn listen(bench: &Bench) -> Result<(SocketAddr, Delivered)> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let (address, delivered) = (listener.local_addr()?, Delivered::default());
    let (bench, notes) = (bench.clone(), delivered.clone());
    tokio::task::spawn_local(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::task::spawn_local(take(stream, bench.clone(), notes.clone()));
        }
    });
    Ok((address, delivered))
}

async fn take(mut stream: TcpStream, bench: Bench, notes: Delivered) {
    let _ = stream.set_nodelay(true);
    let mut buffer = Vec::with_capacity(2_048);
    while stream
        .read_buf(&mut buffer)
        .await
        .is_ok_and(|read| read > 0)
    {
        while let Some(head) = Head::read(&buffer).filter(|head| buffer.len() >= head.length) {
            if let Some(number) = number(&buffer[head.body..head.length]) {
                notes.note(number, bench.clock.elapsed());
            }
            buffer.drain(..head.length);
            if stream.write_all(YES).await.is_err() {
                return;
            }
        }
    }
}

fn number(body: &[u8]) -> Option<usize> {
    let place = body.windows(TEXT.len()).position(|bytes| bytes == TEXT)?;
    let digits = body[place + TEXT.len()..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit());
    digits.fold(None, |number, digit| {
        Some(number.unwrap_or(0) * 10 + usize::from(digit - b'0'))
    })
}
