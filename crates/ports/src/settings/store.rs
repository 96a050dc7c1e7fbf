//! Where settings live: versioned, so that a change can be explained and taken back.

use std::fmt::Debug;

use async_trait::async_trait;
use replygate_gate::At;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::ChannelSettings;
use crate::store::StoreError;

/// Something whose settings are stored in versions: a channel, a tool.
pub trait Kept:
    Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// The name of its kind: `channel`, `tool`.
    const KIND: &'static str;

    /// Its id among its kind.
    fn id(&self) -> &str;
}

impl Kept for ChannelSettings {
    const KIND: &'static str = "channel";

    fn id(&self) -> &str {
        &self.id
    }
}

/// One version of something's settings.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingsVersion<S = ChannelSettings> {
    /// Counts from 1 for each channel or tool.
    pub version: u64,
    /// The settings.
    pub settings: S,
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
pub enum StaleSettings<S: Debug = ChannelSettings> {
    /// Somebody else saved first.
    #[error("the settings are at version {present}")]
    Conflict {
        /// The version in force.
        present: u64,
    },
    /// The same request saved this version before.
    #[error("the request was carried out before")]
    Repeated(Box<SettingsVersion<S>>),
    /// A fault.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Where the settings of channels or of tools live.
#[async_trait]
pub trait SettingsStore<S: Kept = ChannelSettings>: Send + Sync {
    /// The version in force of each, by id.
    async fn all(&self) -> Result<Vec<SettingsVersion<S>>, StoreError>;

    /// One version of its settings, without a number the one in force.
    async fn version(
        &self,
        id: &str,
        version: Option<u64>,
    ) -> Result<Option<SettingsVersion<S>>, StoreError>;

    /// Its versions, newest first, before `before`.
    async fn versions(
        &self,
        id: &str,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<SettingsVersion<S>>, StoreError>;

    /// Saves `next` durably; its version must follow the one in force, or be 1 for a new one.
    async fn save(&self, next: SettingsVersion<S>) -> Result<(), StaleSettings<S>>;
}
