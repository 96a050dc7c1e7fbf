//! The area of channels: what they are set to, and changing it.

use crate::view::{
    Caller, Channel, ChannelId, ChannelSettings, ConsoleError, Page, PageQuery, RollBack,
    SaveSettings, SavedVersion,
};
use async_trait::async_trait;

/// Channels and their settings. Reading needs [`Permission::See`](crate::view::Permission::See), changing needs
/// [`Permission::SaveSettings`](crate::view::Permission::SaveSettings).
#[async_trait]
pub trait Channels: Send + Sync {
    /// All channels, by name.
    async fn channels(&self, who: &Caller) -> Result<Vec<Channel>, ConsoleError>;

    /// The settings of a channel as `version` has them, without it those in force; or [`ConsoleError::NotFound`].
    async fn settings(
        &self,
        who: &Caller,
        channel: ChannelId,
        version: Option<u32>,
    ) -> Result<ChannelSettings, ConsoleError>;

    /// The versions of a channel's settings with what each changed, newest first.
    async fn settings_versions(
        &self,
        who: &Caller,
        channel: ChannelId,
        page: PageQuery,
    ) -> Result<Page<SavedVersion>, ConsoleError>;

    /// Checks and saves; in force for the next message. The first setting that is not allowed is a
    /// [`ConsoleError::Invalid`] whose `field` is its key, and nothing is saved; nor is
    /// anything where nothing changes.
    async fn save_settings(
        &self,
        who: &Caller,
        save: SaveSettings,
    ) -> Result<ChannelSettings, ConsoleError>;

    /// Brings back the settings of an earlier version, as a new version.
    async fn roll_back(
        &self,
        who: &Caller,
        back: RollBack,
    ) -> Result<ChannelSettings, ConsoleError>;
}
