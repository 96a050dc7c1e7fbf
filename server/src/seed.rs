//! The configuration file against the stored settings. A file seeds a channel that is not stored; what is stored is in
//! force until somebody applies the file.

use replygate_ports::clock::Clock;
use replygate_ports::settings::{ChannelSettings, SettingsStore, SettingsVersion, StaleSettings};
use replygate_ports::store::StoreError;

use crate::config::{Config, keys};

/// Who saved what a file says.
const BY: &str = "configuration file";

/// How a channel in the file differs from the stored one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Difference {
    /// It is not stored yet.
    New {
        /// The channel.
        channel: String,
    },
    /// It is stored and the file does not have it.
    NotInFile {
        /// The channel.
        channel: String,
    },
    /// A setting differs.
    Setting {
        /// `channels.shop.operational_delay_ms`.
        key: String,
        /// The stored value, in force.
        stored: String,
        /// The file's.
        file: String,
    },
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::New { channel } => write!(f, "channels.{channel}: not stored yet"),
            Self::NotInFile { channel } => write!(f, "channels.{channel}: stored, not in the file"),
            Self::Setting { key, stored, file } => {
                write!(f, "{key}: stored `{stored}`, file `{file}`")
            }
        }
    }
}

/// Every difference, by channel.
pub(crate) async fn differences(
    config: &Config,
    settings: &dyn SettingsStore,
) -> Result<Vec<Difference>, StoreError> {
    let stored = settings.all().await?;
    let mut found = Vec::new();
    for channel in &config.channels {
        let id = &channel.settings.id;
        match stored.iter().find(|stored| stored.settings.id == *id) {
            Some(stored) => found.extend(between(&stored.settings, &channel.settings)),
            None => found.push(Difference::New {
                channel: id.clone(),
            }),
        }
    }
    let gone = stored
        .iter()
        .filter(|stored| config.channel(&stored.settings.id).is_none());
    found.extend(gone.map(|stored| Difference::NotInFile {
        channel: stored.settings.id.clone(),
    }));
    Ok(found)
}

fn between(stored: &ChannelSettings, file: &ChannelSettings) -> Vec<Difference> {
    let pairs = keys::flatten(stored).into_iter().zip(keys::flatten(file));
    let kind = ("kind", stored.kind.clone(), file.kind.clone());
    std::iter::once(kind)
        .chain(pairs.map(|((key, old), (_, new))| (key.path, old, new)))
        .filter(|(_, old, new)| old != new)
        .map(|(path, stored_text, file_text)| Difference::Setting {
            key: format!("channels.{}.{path}", stored.id),
            stored: stored_text,
            file: file_text,
        })
        .collect()
}

/// Stores channels that are not stored yet; how many there were.
pub(crate) async fn seed(
    config: &Config,
    settings: &dyn SettingsStore,
    clock: &dyn Clock,
) -> Result<usize, StoreError> {
    let mut seeded = 0;
    for channel in &config.channels {
        if settings
            .version(&channel.settings.id, None)
            .await?
            .is_none()
        {
            save(&channel.settings, 1, settings, clock).await?;
            seeded += 1;
        }
    }
    Ok(seeded)
}

/// Puts the file's settings into force wherever they differ; the ids of the channels that changed.
pub(crate) async fn apply(
    config: &Config,
    settings: &dyn SettingsStore,
    clock: &dyn Clock,
) -> Result<Vec<String>, StoreError> {
    let mut applied = Vec::new();
    for channel in &config.channels {
        let stored = settings.version(&channel.settings.id, None).await?;
        if stored
            .as_ref()
            .is_some_and(|stored| stored.settings == channel.settings)
        {
            continue;
        }
        let version = stored.map_or(1, |stored| stored.version + 1);
        save(&channel.settings, version, settings, clock).await?;
        applied.push(channel.settings.id.clone());
    }
    Ok(applied)
}

async fn save(
    settings: &ChannelSettings,
    version: u64,
    store: &dyn SettingsStore,
    clock: &dyn Clock,
) -> Result<(), StoreError> {
    let next = SettingsVersion {
        version,
        settings: settings.clone(),
        by: BY.to_owned(),
        at: clock.now(),
        reason: None,
        request_id: None,
    };
    match store.save(next).await {
        // Somebody saved at the same moment: their version stands, and the difference is reported next time.
        Ok(()) | Err(StaleSettings::Conflict { .. } | StaleSettings::Repeated(_)) => Ok(()),
        Err(StaleSettings::Store(error)) => Err(error),
    }
}
