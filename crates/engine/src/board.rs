//! The channels' settings in force, with the live things they name. Must never serve a half-applied change: a channel's
//! settings, rules and adapters change together.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use replygate_gate::Rules;
use replygate_ports::settings::{
    ChannelSettings, SettingError, SettingsStore, SettingsVersion, StaleSettings,
};
use replygate_ports::store::StoreError;

use tokio::sync::Semaphore;

use crate::parts::{Wired, Wiring};

/// A channel's settings in force.
pub struct Live {
    /// Their version.
    pub version: u64,
    /// The settings.
    pub settings: ChannelSettings,
    /// The numbers that decisions read.
    pub rules: Rules,
    /// What they name.
    pub wired: Wired,
    /// Room for hand-overs under way, so that one channel that hangs leaves room for the others.
    pub(crate) slots: Arc<Semaphore>,
}

/// How many hand-overs of one channel may be under way at once.
const SLOTS: usize = 256;

impl std::fmt::Debug for Live {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Live")
            .field("channel", &self.settings.id)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

/// Settings were not taken into force.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// Some values are not allowed; nothing was saved.
    #[error("{} settings are not allowed: {}", .0.len(), .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Invalid(Vec<SettingError>),
    /// Not saved.
    #[error(transparent)]
    Stale(#[from] StaleSettings),
}

/// The channels' settings in force.
pub struct Board {
    store: Arc<dyn SettingsStore>,
    wiring: Arc<dyn Wiring>,
    channels: RwLock<BTreeMap<String, Arc<Live>>>,
}

impl Board {
    /// An empty board.
    #[must_use]
    pub fn new(store: Arc<dyn SettingsStore>, wiring: Arc<dyn Wiring>) -> Self {
        Self {
            store,
            wiring,
            channels: RwLock::default(),
        }
    }

    /// The channel's settings in force.
    #[must_use]
    pub fn live(&self, channel: &str) -> Option<Arc<Live>> {
        let channels = self.channels.read().unwrap_or_else(PoisonError::into_inner);
        channels.get(channel).cloned()
    }

    /// Every channel's settings in force, by id.
    #[must_use]
    pub fn channels(&self) -> Vec<Arc<Live>> {
        let channels = self.channels.read().unwrap_or_else(PoisonError::into_inner);
        channels.values().cloned().collect()
    }

    /// Reads all settings from the store. A channel whose settings cannot be wired keeps its earlier ones and is logged.
    pub async fn reload(&self) -> Result<(), StoreError> {
        for version in self.store.all().await? {
            let channel = version.settings.id.clone();
            if self
                .live(&channel)
                .is_some_and(|live| live.version == version.version)
            {
                continue;
            }
            if let Err(errors) = self.put(version) {
                tracing::error!(channel, ?errors, "stored settings are not usable");
            }
        }
        Ok(())
    }

    /// Checks, saves and takes into force. `next.version` must follow the version in force.
    pub async fn save(&self, next: SettingsVersion) -> Result<Arc<Live>, SaveError> {
        next.settings.validate().map_err(SaveError::Invalid)?;
        let wired = self
            .wiring
            .wire(&next.settings)
            .map_err(SaveError::Invalid)?;
        self.store.save(next.clone()).await?;
        Ok(self.install(next, wired))
    }

    fn put(&self, version: SettingsVersion) -> Result<Arc<Live>, Vec<SettingError>> {
        version.settings.validate()?;
        let wired = self.wiring.wire(&version.settings)?;
        Ok(self.install(version, wired))
    }

    fn install(&self, version: SettingsVersion, wired: Wired) -> Arc<Live> {
        let live = Arc::new(Live {
            version: version.version,
            rules: version.settings.rules(),
            settings: version.settings,
            wired,
            slots: Arc::new(Semaphore::new(SLOTS)),
        });
        let mut channels = self
            .channels
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let newest = channels
            .get(&live.settings.id)
            .filter(|present| present.version > live.version)
            .cloned();
        if let Some(newest) = newest {
            return newest;
        }
        channels.insert(live.settings.id.clone(), live.clone());
        live
    }
}
