//! News of what changed, for consoles and for other processes. Best effort: who misses some reads the store again.

use async_trait::async_trait;
use futures::stream::BoxStream;
use replygate_gate::{At, DuplicateId, OperationId, ReplyId, SessionId};
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
    /// An operation on many replies moved to this version.
    Operation {
        /// The operation.
        operation: OperationId,
        /// Its version.
        version: u64,
    },
    /// Something for the open pages of a conversation.
    Page {
        /// The conversation's session.
        session: SessionId,
        /// What they show.
        shown: Shown,
    },
    /// So much came that some was skipped: read everything again.
    Skipped,
}

/// What the open pages of a conversation show. Texts stay in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Shown {
    /// A part of a reply that is handed over.
    Part {
        /// The reply.
        reply: ReplyId,
        /// Which part, from 0.
        part: u16,
        /// When it was handed over.
        at: At,
    },
    /// Whether somebody types.
    Typing {
        /// Somebody does.
        on: bool,
    },
    /// Whatever the history tells now.
    History,
}

/// A stream of news.
#[async_trait]
pub trait Feed: Send + Sync {
    /// Tells everybody; never waits for a slow reader.
    async fn publish(&self, news: News);

    /// All news from now on; ends when the feed does.
    fn subscribe(&self) -> BoxStream<'static, News>;
}
