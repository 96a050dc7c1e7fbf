//! Telling others: news and wake-ups, many with one message. Must never wait for Redis: what it does not take is lost, and
//! the gap in the numbers tells the others so.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use futures::stream::{self, BoxStream, StreamExt};
use replygate_ports::feed::{Feed, News};
use replygate_ports::wakes::{Wake, Wakes};
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::sync::mpsc;

use super::frames::{Cargo, Head};
use super::keys::Keys;
use super::link::Link;

/// So much waits to be told; more is dropped.
const WAITING: usize = 8_192;
/// So much is told with one message.
const AT_ONCE: usize = 256;

/// The way to others on one channel.
struct Voice<T> {
    sender: mpsc::Sender<T>,
    dropped: Arc<AtomicBool>,
}

impl<T: Cargo> Voice<T> {
    fn start(link: &Link, channel: String, origin: u128) -> Self {
        let (sender, receiver) = mpsc::channel(WAITING);
        let dropped = Arc::new(AtomicBool::new(false));
        let teller = Teller {
            link: link.clone(),
            channel,
            head: Head { origin, number: 0 },
            dropped: Arc::clone(&dropped),
        };
        tokio::spawn(teller.tell_all(receiver));
        Self { sender, dropped }
    }

    fn tell(&self, cargo: T) {
        if self.sender.try_send(cargo).is_err() {
            self.dropped.store(true, Ordering::Relaxed);
        }
    }
}

struct Teller {
    link: Link,
    channel: String,
    head: Head,
    dropped: Arc<AtomicBool>,
}

impl Teller {
    async fn tell_all<T: Cargo>(mut self, mut receiver: mpsc::Receiver<T>) {
        let mut batch = Vec::with_capacity(AT_ONCE);
        while receiver.recv_many(&mut batch, AT_ONCE).await > 0 {
            self.head.number += 1;
            if self.dropped.swap(false, Ordering::Relaxed) {
                self.head.number += 1;
            }
            let frame = T::write(self.head, &batch);
            batch.clear();
            let channel = &self.channel;
            let _: Option<i64> = self
                .link
                .call("PUBLISH", |mut connection| async move {
                    ::redis::cmd("PUBLISH")
                        .arg(channel)
                        .arg(frame)
                        .query_async(&mut connection)
                        .await
                })
                .await;
        }
    }
}

/// News for every process. This process's own reach its readers without Redis.
pub struct RedisFeed {
    voice: Voice<News>,
    heard: broadcast::Sender<News>,
}

impl RedisFeed {
    pub fn start(link: &Link, keys: &Keys, me: u128, heard: broadcast::Sender<News>) -> Self {
        Self {
            voice: Voice::start(link, keys.news(), me),
            heard,
        }
    }
}

#[async_trait]
impl Feed for RedisFeed {
    async fn publish(&self, news: News) {
        // Nobody listening is no fault.
        let _ = self.heard.send(news.clone());
        self.voice.tell(news);
    }

    fn subscribe(&self) -> BoxStream<'static, News> {
        stream::unfold(self.heard.subscribe(), |mut reader| async move {
            match reader.recv().await {
                Ok(news) => Some((news, reader)),
                Err(RecvError::Lagged(_)) => Some((News::Skipped, reader)),
                Err(RecvError::Closed) => None,
            }
        })
        .boxed()
    }
}

/// Wake-ups between processes.
pub struct RedisWakes {
    voice: Voice<Wake>,
    heard: broadcast::Sender<Wake>,
}

impl RedisWakes {
    pub fn start(link: &Link, keys: &Keys, me: u128, heard: broadcast::Sender<Wake>) -> Self {
        Self {
            voice: Voice::start(link, keys.wakes(), me),
            heard,
        }
    }
}

#[async_trait]
impl Wakes for RedisWakes {
    async fn tell(&self, wake: Wake) {
        self.voice.tell(wake);
    }

    fn listen(&self) -> BoxStream<'static, Wake> {
        stream::unfold(self.heard.subscribe(), |mut listener| async move {
            loop {
                match listener.recv().await {
                    Ok(wake) => return Some((wake, listener)),
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return None,
                }
            }
        })
        .boxed()
    }
}
