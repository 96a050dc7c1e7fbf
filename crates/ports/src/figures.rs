//! Figures of what happened in a stretch of time, for charts and counts. Must never scan more than it is asked for: every
//! question has a bound.

use async_trait::async_trait;
use replygate_gate::{At, ReplyStatus};

use crate::store::StoreError;
use crate::views::MessageQuery;

/// A stretch of time on some channels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Only on this channel.
    pub channel: Option<String>,
    /// From then on.
    pub from: At,
    /// Before.
    pub to: At,
}

/// So many replies came to a status in a part of a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcomes {
    /// The beginning of the part.
    pub at: At,
    /// The status that they have now; it changed last in this part.
    pub status: ReplyStatus,
    /// How many.
    pub count: u64,
}

/// How long a customer waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplyTime {
    /// When the channel accepted the reply.
    pub at: At,
    /// From the receipt of the newest message that it answers, in milliseconds.
    pub waited_ms: u64,
}

/// The figures of an installation.
#[async_trait]
pub trait Figures: Send + Sync {
    /// How many replies came to which status in each part of `step_ms` milliseconds, counted from the beginning of the
    /// stretch; parts and statuses with none are left out. By time, then by status.
    async fn outcomes(&self, stretch: &Stretch, step_ms: u64) -> Result<Vec<Outcomes>, StoreError>;

    /// How long customers waited for what was delivered in the stretch, newest first, at most `limit`. A reply that
    /// waited for a person on its way is left out: its wait says when somebody looked.
    async fn reply_times(
        &self,
        stretch: &Stretch,
        limit: u32,
    ) -> Result<Vec<ReplyTime>, StoreError>;

    /// How many sessions there are, of one channel or of all, with open work only or whatever they do; counted up to `most`.
    async fn count_sessions(
        &self,
        channel: Option<&str>,
        open_only: bool,
        most: u32,
    ) -> Result<u32, StoreError>;

    /// How many messages a query finds, counted up to `most`; `after`, `limit` and `text` are not read.
    async fn count_messages(&self, query: &MessageQuery, most: u32) -> Result<u32, StoreError>;
}
