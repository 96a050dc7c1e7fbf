//! Wake-ups between processes: one that changed a session and does not work on sessions itself tells those that do when
//! it needs attention. Best effort: the sweeper finds what nobody was told.

use async_trait::async_trait;
use futures::stream::BoxStream;
use replygate_gate::{At, SessionId};

/// A session will need attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wake {
    /// The session.
    pub session: SessionId,
    /// Its version when that was known.
    pub version: u64,
    /// When.
    pub at: At,
}

/// Wake-ups between processes.
#[async_trait]
pub trait Wakes: Send + Sync {
    /// Tells everybody else, who then agree among each other by a lease; never waits for them.
    async fn tell(&self, wake: Wake);

    /// All wake-ups of others from now on; ends when they do. One that does not keep up misses some.
    fn listen(&self) -> BoxStream<'static, Wake>;
}
