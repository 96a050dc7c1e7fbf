//! One direction of one connection. Must never change or reorder what it lets pass.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{broadcast, mpsc, watch};
use tokio::time::Instant;

use super::{Flow, Rules, Toward};

/// So much is read at once.
const CHUNK: usize = 16 * 1_024;
/// So many chunks wait for their time.
const WAITING: usize = 256;

/// Counts what passes, and stops it when it was told how much may.
#[derive(Debug)]
pub struct Meter {
    passed: AtomicU64,
    swallowed: AtomicU64,
    left: AtomicU64,
}

impl Default for Meter {
    fn default() -> Self {
        Self {
            passed: AtomicU64::new(0),
            swallowed: AtomicU64::new(0),
            left: AtomicU64::new(u64::MAX),
        }
    }
}

impl Meter {
    pub fn passed(&self) -> u64 {
        self.passed.load(Ordering::SeqCst)
    }

    pub fn swallowed(&self) -> u64 {
        self.swallowed.load(Ordering::SeqCst)
    }

    pub fn allow(&self, bytes: u64) {
        self.left.store(bytes, Ordering::SeqCst);
    }

    /// How many of `bytes` may pass.
    fn take(&self, bytes: usize) -> usize {
        let mut granted = 0;
        let taken = self
            .left
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
                granted = left.min(bytes as u64);
                (left != u64::MAX).then(|| left - granted)
            });
        if taken.is_err() {
            granted = bytes as u64;
        }
        if granted < bytes as u64 {
            // The limit was for one connection only.
            self.left.store(u64::MAX, Ordering::SeqCst);
        }
        self.passed.fetch_add(granted, Ordering::SeqCst);
        granted as usize
    }
}

/// Bytes with the instant from which they may be written.
type Chunk = (Instant, Vec<u8>);

/// What is said in another's name, and in which direction.
pub type Forged = (Toward, Vec<u8>);

/// Carries bytes until their source ends; an error ends the connection.
pub async fn pump(
    from: impl AsyncRead + Unpin,
    to: impl AsyncWrite + Unpin,
    toward: Toward,
    rules: watch::Receiver<Rules>,
    forged: broadcast::Receiver<Forged>,
    meter: &Meter,
) -> io::Result<()> {
    let (give, take) = mpsc::channel(WAITING);
    let reading = read(from, give.clone(), toward, rules.clone());
    let forging = forge(forged, give, toward);
    let reading = async {
        tokio::select! {
            read = reading => read,
            () = forging => Ok(()),
        }
    };
    let writing = write(take, to, toward, rules, meter);
    tokio::try_join!(reading, writing)?;
    Ok(())
}

async fn read(
    mut from: impl AsyncRead + Unpin,
    give: mpsc::Sender<Chunk>,
    toward: Toward,
    mut rules: watch::Receiver<Rules>,
) -> io::Result<()> {
    let mut buffer = vec![0; CHUNK];
    loop {
        // What is held is not even read, so that its sender feels it.
        open(&mut rules, toward).await?;
        let read = tokio::select! {
            read = from.read(&mut buffer) => read?,
            changed = rules.changed() => {
                changed.map_err(|_| io::ErrorKind::BrokenPipe)?;
                continue;
            }
        };
        if read == 0 {
            return Ok(());
        }
        let delay = match rules.borrow().flow(toward) {
            Flow::Delayed(delay) => delay,
            _ => Duration::ZERO,
        };
        let chunk = (Instant::now() + delay, buffer[..read].to_vec());
        if give.send(chunk).await.is_err() {
            return Ok(());
        }
    }
}

/// Says what is forged, between what is read; ends never by itself.
async fn forge(mut forged: broadcast::Receiver<Forged>, give: mpsc::Sender<Chunk>, toward: Toward) {
    while let Ok((direction, bytes)) = forged.recv().await {
        if direction == toward && give.send((Instant::now(), bytes)).await.is_err() {
            return;
        }
    }
    std::future::pending::<()>().await;
}

async fn write(
    mut take: mpsc::Receiver<Chunk>,
    mut to: impl AsyncWrite + Unpin,
    toward: Toward,
    mut rules: watch::Receiver<Rules>,
    meter: &Meter,
) -> io::Result<()> {
    while let Some((at, bytes)) = take.recv().await {
        tokio::time::sleep_until(at).await;
        open(&mut rules, toward).await?;
        if rules.borrow().flow(toward) == Flow::Swallowed {
            let bytes = bytes.len() as u64;
            meter.swallowed.fetch_add(bytes, Ordering::SeqCst);
            continue;
        }
        let granted = meter.take(bytes.len());
        to.write_all(&bytes[..granted]).await?;
        if granted < bytes.len() {
            to.flush().await?;
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
    }
    to.shutdown().await
}

/// Returns when nothing is held in that direction.
async fn open(rules: &mut watch::Receiver<Rules>, toward: Toward) -> io::Result<()> {
    let flows = rules
        .wait_for(|rules| rules.flow(toward) != Flow::Held)
        .await;
    flows
        .map(drop)
        .map_err(|_| io::ErrorKind::BrokenPipe.into())
}
