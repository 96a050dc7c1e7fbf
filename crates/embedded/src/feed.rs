//! News inside one process. Must never wait for a reader.

use async_trait::async_trait;
use futures::stream::{self, BoxStream, StreamExt};
use replygate_ports::feed::{Feed, News};
use tokio::sync::broadcast::{self, error::RecvError};

/// So much news is kept for a slow reader before it is told to read everything again.
const KEPT: usize = 1_024;

/// News for every reader in this process.
#[derive(Clone, Debug)]
pub struct LocalFeed {
    news: broadcast::Sender<News>,
}

impl LocalFeed {
    /// A feed without readers.
    #[must_use]
    pub fn new() -> Self {
        Self {
            news: broadcast::Sender::new(KEPT),
        }
    }
}

impl Default for LocalFeed {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl Feed for LocalFeed {
    async fn publish(&self, news: News) {
        // Nobody listening is no fault.
        let _ = self.news.send(news);
    }

    fn subscribe(&self) -> BoxStream<'static, News> {
        stream::unfold(self.news.subscribe(), |mut reader| async move {
            match reader.recv().await {
                Ok(news) => Some((news, reader)),
                Err(RecvError::Lagged(_)) => Some((News::Skipped, reader)),
                Err(RecvError::Closed) => None,
            }
        })
        .boxed()
    }
}
