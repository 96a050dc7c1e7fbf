//! Wake-ups in memory.

use async_trait::async_trait;
use futures::stream::{self, BoxStream, StreamExt};
use replygate_ports::wakes::{Wake, Wakes};
use tokio::sync::broadcast::{self, error::RecvError};

/// Wake-ups among all processes that share them; also for the one that tells.
#[derive(Clone, Debug)]
pub struct MemoryWakes {
    wakes: broadcast::Sender<Wake>,
}

impl MemoryWakes {
    /// Wake-ups of which `capacity`, at least 1, wait for a slow listener.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self {
            wakes: broadcast::Sender::new(capacity.max(1)),
        }
    }
}

#[async_trait]
impl Wakes for MemoryWakes {
    async fn tell(&self, wake: Wake) {
        // Nobody listening is no fault.
        let _ = self.wakes.send(wake);
    }

    fn listen(&self) -> BoxStream<'static, Wake> {
        stream::unfold(self.wakes.subscribe(), |mut listener| async move {
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
