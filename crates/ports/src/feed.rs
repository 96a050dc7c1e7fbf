//! News of what changed, for consoles and for other processes. Best effort: who misses some reads the store again.

use async_trait::async_trait;
use futures::stream::BoxStream;
use replygate_gate::{At, DuplicateId, SessionId};
use serde::{Deserialize, Serialize};

/// Something changed. Carries ids and versions only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "changed", rename_all = "snake_case")]
pub enum News {
    /// A session moved to this version.
    Session {
        /// The session.
        session: SessionId,
        /// Its channel.
        channel: String,
        /// Its version.
        version: u64,
        /// When.
        at: At,
        /// The names of the events, in order.
        events: Vec<String>,
        /// When the session needs attention next.
        next_at: Option<At>,
    },
    /// A channel's settings moved to this version.
    Settings {
        /// The channel.
        channel: String,
        /// Their version.
        version: u64,
    },
    /// A tool's settings moved to this version.
    Tool {
        /// The tool.
        tool: String,
        /// Their version.
        version: u64,
    },
    /// A tool call was not carried out, because its work was done or may have been.
    Duplicate {
        /// The record of it.
        duplicate: DuplicateId,
        /// In whose conversation.
        session: SessionId,
        /// The channel.
        channel: String,
        /// When.
        at: At,
    },
    /// So much came that some was skipped: read everything again.
    Skipped,
}

/// A stream of news.
#[async_trait]
pub trait Feed: Send + Sync {
    /// Tells everybody; never waits for a slow reader.
    async fn publish(&self, news: News);

    /// All news from now on; ends when the feed does.
    fn subscribe(&self) -> BoxStream<'static, News>;
}
