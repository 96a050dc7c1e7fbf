//! News in memory.

use async_trait::async_trait;
use futures::stream::{self, BoxStream, StreamExt};
use replygate_ports::feed::{Feed, News};
use tokio::sync::broadcast::{self, error::RecvError};

/// News for everybody in this process. A reader that falls behind by more than the capacity gets [`News::Skipped`].
#[derive(Clone, Debug)]
pub struct MemoryFeed {
    news: broadcast::Sender<News>,
}

impl MemoryFeed {
    /// A feed that keeps `capacity` news for slow readers, at least 1.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self {
            news: broadcast::Sender::new(capacity.max(1)),
        }
    }
}

#[async_trait]
impl Feed for MemoryFeed {
    async fn publish(&self, news: News) {
        // Nobody listening is no fault.
        let _ = self.news.send(news);
    }

    fn subscribe(&self) -> BoxStream<'static, News> {
        let reader = self.news.subscribe();
        stream::unfold(reader, |mut reader| async move {
            match reader.recv().await {
                Ok(news) => Some((news, reader)),
                Err(RecvError::Lagged(_)) => Some((News::Skipped, reader)),
                Err(RecvError::Closed) => None,
            }
        })
        .boxed()
    }
}
