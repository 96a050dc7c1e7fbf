//! A copy of the list of parked replies for tools that watch the broker. Must never be read by the pipeline: the store
//! has the list.

use async_trait::async_trait;
use replygate_gate::{At, ParkReason, ReplyId, SessionId};
use serde::{Deserialize, Serialize};

/// A reply was parked. Carries ids and words only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parked {
    /// The reply.
    pub reply: ReplyId,
    /// Its session.
    pub session: SessionId,
    /// Its channel.
    pub channel: String,
    /// Why.
    pub reason: ParkReason,
    /// The generation that an operator has to name.
    pub generation: u32,
    /// When.
    pub at: At,
}

/// Where parked replies are told. Best effort.
#[async_trait]
pub trait ParkedMirror: Send + Sync {
    /// Tells that a reply was parked; never waits for readers.
    async fn tell(&self, parked: Parked);
}
