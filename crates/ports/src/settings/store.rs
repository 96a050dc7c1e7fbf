//! Where settings live: versioned, so that a change can be explained and taken back.

use async_trait::async_trait;
use replygate_gate::At;

use super::ChannelSettings;
use crate::store::StoreError;

/// One version of a channel's settings.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingsVersion {
    /// Counts from 1 for each channel.
    pub version: u64,
    /// The settings.
    pub settings: ChannelSettings,
    /// Who saved them; `configuration file` for what a file seeded.
    pub by: String,
    /// When.
    pub at: At,
    /// Why, in the words of who saved them.
    pub reason: Option<String>,
    /// Minted with the form, so that a repeated request is recognised.
    pub request_id: Option<String>,
}

/// Settings were not saved.
#[derive(Debug, thiserror::Error)]
pub enum StaleSettings {
    /// Somebody else saved first.
    #[error("the settings are at version {present}")]
    Conflict {
        /// The version in force.
        present: u64,
    },
    /// The same request saved this version before.
    #[error("the request was carried out before")]
    Repeated(Box<SettingsVersion>),
    /// A fault.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Where settings live.
#[async_trait]
pub trait SettingsStore: Send + Sync {
    /// The version in force of every channel, by id.
    async fn all(&self) -> Result<Vec<SettingsVersion>, StoreError>;

    /// One version of a channel's settings, without a number the one in force.
    async fn version(
        &self,
        channel: &str,
        version: Option<u64>,
    ) -> Result<Option<SettingsVersion>, StoreError>;

    /// A channel's versions, newest first, before `before`.
    async fn versions(
        &self,
        channel: &str,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<SettingsVersion>, StoreError>;

    /// Saves `next` durably; its version must follow the one in force, or be 1 for a new channel.
    async fn save(&self, next: SettingsVersion) -> Result<(), StaleSettings>;
}
