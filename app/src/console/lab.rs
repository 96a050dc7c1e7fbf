//! The area of the debounce lab: the setting in force, and what was recorded under another one.

use crate::view::{Caller, ChannelId, ConsoleError, LabSetting, Replay, ReplayAsked};
use async_trait::async_trait;

/// Trying settings out. Both need [`Permission::Lab`](crate::view::Permission::Lab); what is found good is saved through
/// [`Channels::save_settings`](super::Channels::save_settings).
#[async_trait]
pub trait Lab: Send + Sync {
    /// The setting in force on a channel, or [`ConsoleError::NotFound`].
    async fn lab(&self, who: &Caller, channel: ChannelId) -> Result<LabSetting, ConsoleError>;

    /// Recorded messages under the setting in force and under another one. Reads at most 5,000 messages, newest first.
    async fn replay(&self, who: &Caller, asked: ReplayAsked) -> Result<Replay, ConsoleError>;
}
