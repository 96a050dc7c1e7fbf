//! Keeping the store small and lawful: retention and the erasure of a person. Must never touch open work.

use async_trait::async_trait;
use replygate_gate::At;

use crate::store::StoreError;

/// Dedupe keys live at least this long: longer than any channel repeats a webhook. Eight days in milliseconds.
pub const DEDUPE_LIFE_MS: u64 = 8 * 86_400_000;

/// What one round of retention removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Messages and replies whose texts were emptied.
    pub texts: u64,
    /// Dedupe keys.
    pub dedupe_keys: u64,
    /// Steps of event logs, replaced by the sessions' snapshots.
    pub steps: u64,
    /// Sign-ins and tokens that had ended.
    pub credentials: u64,
}

/// What is old enough to go: everything from before these instants. By default nothing is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cutoffs {
    /// Texts, by when they were received or written.
    pub texts: At,
    /// Dedupe keys, by when their messages were received; see [`DEDUPE_LIFE_MS`].
    pub dedupe_keys: At,
    /// Steps of event logs.
    pub steps: At,
    /// Sign-ins and tokens, by when they ended; those without an end stay.
    pub credentials: At,
}

/// What the erasure of a person removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// Sessions, with their events, messages and replies.
    pub sessions: u64,
    /// Messages.
    pub messages: u64,
    /// Replies.
    pub replies: u64,
}

/// Retention and erasure.
#[async_trait]
pub trait Upkeep: Send + Sync {
    /// Empties texts and removes keys, steps and credentials from before the cutoffs, at most `limit` rows of each;
    /// sessions with open work are left whole.
    async fn prune(&self, before: &Cutoffs, limit: u32) -> Result<Pruned, StoreError>;

    /// Erases every trace of `contact`, in one channel or in all.
    async fn forget(&self, channel: Option<&str>, contact: &str) -> Result<Forgotten, StoreError>;
}
