//! Hearing others: one connection that listens to both channels. Must never pretend to have heard everything: after a gap
//! readers are told that they missed some.

use std::collections::HashMap;
use std::time::Duration;

use ::redis::Msg;
use ::redis::aio::{PubSubSink, PubSubStream};
use futures::StreamExt;
use replygate_ports::feed::News;
use replygate_ports::wakes::Wake;
use tokio::sync::broadcast;

use super::frames::{Cargo, Head};
use super::keys::Keys;
use super::link::Link;
use crate::backoff::Backoff;
use crate::limit::within;

/// So much is kept for a slow reader.
const KEPT: usize = 1_024;
/// How long listening may take to begin.
const CONNECT: Duration = Duration::from_secs(2);
/// A connection on which nothing was heard for so long is tried.
const SILENCE: Duration = Duration::from_secs(2);
/// How long a try may take.
const ANSWER: Duration = Duration::from_secs(1);
/// Frame numbers are remembered of so many processes.
const PROCESSES: usize = 256;

/// What others tell.
pub struct Ears {
    news: broadcast::Sender<News>,
    wakes: broadcast::Sender<Wake>,
}

impl Ears {
    /// Listens; when Redis is away that goes on behind the scenes.
    pub async fn open(link: &Link, keys: &Keys, me: u128) -> Self {
        let ears = Self {
            news: broadcast::Sender::new(KEPT),
            wakes: broadcast::Sender::new(KEPT),
        };
        let mut hearing = Hearing {
            link: link.clone(),
            news_channel: keys.news(),
            wakes_channel: keys.wakes(),
            me,
            news: ears.news.clone(),
            wakes: ears.wakes.clone(),
            numbers: HashMap::new(),
        };
        let first = hearing.begin().await;
        let stop = link.stop().clone();
        tokio::spawn(async move {
            tokio::select! {
                () = stop.cancelled() => {}
                () = hearing.go_on(first) => {}
            }
        });
        ears
    }

    pub fn news(&self) -> broadcast::Sender<News> {
        self.news.clone()
    }

    pub fn wakes(&self) -> broadcast::Sender<Wake> {
        self.wakes.clone()
    }
}

type Line = (PubSubSink, PubSubStream);

struct Hearing {
    link: Link,
    news_channel: String,
    wakes_channel: String,
    me: u128,
    news: broadcast::Sender<News>,
    wakes: broadcast::Sender<Wake>,
    /// The last news frame of each process.
    numbers: HashMap<u128, u64>,
}

impl Hearing {
    async fn begin(&self) -> Option<Line> {
        let channels = [&self.news_channel, &self.wakes_channel];
        let beginning = async {
            let (mut sink, stream) = self.link.client().get_async_pubsub().await?.split();
            sink.subscribe(&channels[..]).await?;
            Ok::<_, ::redis::RedisError>((sink, stream))
        };
        match within(self.link.clock(), CONNECT, beginning).await {
            Some(Ok(line)) => Some(line),
            Some(Err(error)) => {
                tracing::debug!(%error, "cannot listen to Redis");
                None
            }
            None => None,
        }
    }

    async fn go_on(&mut self, first: Option<Line>) {
        let mut backoff = Backoff::default();
        let mut line = first;
        loop {
            if let Some(line) = line.take() {
                backoff.reset();
                self.hear(line).await;
                tracing::warn!("nothing is heard from Redis; news of others wait until it is back");
            }
            let wait = backoff.next(self.link.entropy());
            self.link.clock().sleep(wait).await;
            line = self.begin().await;
            if line.is_some() {
                self.numbers.clear();
                self.miss();
            }
        }
    }

    /// Returns when the connection is lost.
    async fn hear(&mut self, (mut sink, mut stream): Line) {
        loop {
            let heard = tokio::select! {
                biased;
                heard = stream.next() => heard,
                () = self.link.clock().sleep(SILENCE) => {
                    let answer = within(self.link.clock(), ANSWER, sink.ping::<::redis::Value>()).await;
                    if !matches!(answer, Some(Ok(_))) {
                        return;
                    }
                    continue;
                }
            };
            match heard {
                Some(message) => self.take(&message),
                None => return,
            }
        }
    }

    fn take(&mut self, message: &Msg) {
        let frame = message.get_payload_bytes();
        let is_news = message.get_channel_name() == self.news_channel;
        match Head::split(frame) {
            Some((head, _)) if head.origin == self.me => {}
            Some((head, body)) if is_news => self.take_news(head, body),
            Some((_, body)) => self.take_wakes(body),
            None if is_news => self.miss(),
            None => {}
        }
    }

    fn take_news(&mut self, head: Head, body: &[u8]) {
        if self.numbers.len() >= PROCESSES {
            self.numbers.clear();
        }
        let last = self.numbers.insert(head.origin, head.number);
        if last.is_some_and(|last| last + 1 != head.number) {
            self.miss();
        }
        match News::read(body) {
            Some(all) => {
                for news in all {
                    // Nobody listening is no fault.
                    let _ = self.news.send(news);
                }
            }
            None => self.miss(),
        }
    }

    fn take_wakes(&self, body: &[u8]) {
        if self.wakes.receiver_count() == 0 {
            return;
        }
        for wake in Wake::read(body).unwrap_or_default() {
            // The last listener may have gone meanwhile.
            let _ = self.wakes.send(wake);
        }
    }

    /// Tells readers that they missed some.
    fn miss(&self) {
        // Nobody listening is no fault.
        let _ = self.news.send(News::Skipped);
    }
}
