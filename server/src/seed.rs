//! The configuration file against the stored settings. A file seeds a channel or a tool that is not stored; what is stored
//! is in force until somebody applies the file.

use replygate_ports::clock::Clock;
use replygate_ports::settings::{
    ChannelSettings, Kept, SettingsStore, SettingsVersion, StaleSettings,
};
use replygate_ports::store::StoreError;
use replygate_ports::tools::Tool;
use serde_json::Value;

use crate::config::{Config, keys};
use crate::service::Stores;

/// Who saved what a file says.
const BY: &str = "configuration file";

/// How a channel or a tool in the file differs from the stored one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Difference {
    /// It is not stored yet.
    New {
        /// `channels.shop`, `tools.pay`.
        thing: String,
    },
    /// It is stored and the file does not have it.
    NotInFile {
        /// `channels.shop`, `tools.pay`.
        thing: String,
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
            Self::New { thing } => write!(f, "{thing}: not stored yet"),
            Self::NotInFile { thing } => write!(f, "{thing}: stored, not in the file"),
            Self::Setting { key, stored, file } => {
                write!(f, "{key}: stored `{stored}`, file `{file}`")
            }
        }
    }
}

/// A kind of settings that a file has.
trait InFile: Kept {
    /// The section with its settings, with their values as text in one order.
    fn keys(&self) -> Vec<(String, String)>;

    /// `channels.shop`.
    fn thing(id: &str) -> String {
        format!("{}s.{id}", Self::KIND)
    }
}

impl InFile for ChannelSettings {
    fn keys(&self) -> Vec<(String, String)> {
        let kind = ("kind".to_owned(), self.kind.clone());
        let others = keys::flatten(self).into_iter();
        std::iter::once(kind)
            .chain(others.map(|(key, value)| (key.path.to_owned(), value)))
            .collect()
    }
}

impl InFile for Tool {
    fn keys(&self) -> Vec<(String, String)> {
        let known = Self {
            channels: Some(Vec::new()),
            ..self.clone()
        };
        let (all, mine) = (json(&known), json(self));
        all.as_object()
            .into_iter()
            .flatten()
            .map(|(key, _)| (key.clone(), keys::show(&mine[key.as_str()])))
            .collect()
    }
}

fn json(tool: &Tool) -> Value {
    serde_json::to_value(tool).unwrap_or_default()
}

/// Where settings are kept, and the time at which they are saved.
pub(crate) struct Shelves<'s> {
    /// Those of channels.
    pub(crate) channels: &'s dyn SettingsStore,
    /// Those of tools.
    pub(crate) tools: &'s dyn SettingsStore<Tool>,
    /// Time.
    pub(crate) clock: &'s dyn Clock,
}

impl Stores {
    /// Where this installation keeps its settings.
    pub(crate) fn shelves(&self) -> Shelves<'_> {
        Shelves {
            channels: &*self.settings,
            tools: &*self.tools,
            clock: &*self.clock,
        }
    }
}

/// Every difference, channels first.
pub(crate) async fn differences(
    config: &Config,
    shelves: Shelves<'_>,
) -> Result<Vec<Difference>, StoreError> {
    let mut found = between_all(&config.channel_settings(), shelves.channels).await?;
    found.extend(between_all(&config.tools, shelves.tools).await?);
    Ok(found)
}

async fn between_all<S: InFile>(
    file: &[S],
    settings: &dyn SettingsStore<S>,
) -> Result<Vec<Difference>, StoreError> {
    let stored = settings.all().await?;
    let mut found = Vec::new();
    for one in file {
        match stored
            .iter()
            .find(|stored| stored.settings.id() == one.id())
        {
            Some(stored) => found.extend(between(&stored.settings, one)),
            None => found.push(Difference::New {
                thing: S::thing(one.id()),
            }),
        }
    }
    let gone = stored
        .iter()
        .filter(|stored| !file.iter().any(|one| one.id() == stored.settings.id()));
    found.extend(gone.map(|stored| Difference::NotInFile {
        thing: S::thing(stored.settings.id()),
    }));
    Ok(found)
}

fn between<S: InFile>(stored: &S, file: &S) -> Vec<Difference> {
    stored
        .keys()
        .into_iter()
        .zip(file.keys())
        .filter(|((_, old), (_, new))| old != new)
        .map(|((key, old), (_, new))| Difference::Setting {
            key: format!("{}.{key}", S::thing(stored.id())),
            stored: old,
            file: new,
        })
        .collect()
}

/// Stores channels and tools that are not stored yet; how many there were.
pub(crate) async fn seed(config: &Config, shelves: Shelves<'_>) -> Result<usize, StoreError> {
    let clock = shelves.clock;
    let channels = seed_all(&config.channel_settings(), shelves.channels, clock).await?;
    let tools = seed_all(&config.tools, shelves.tools, clock).await?;
    Ok(channels + tools)
}

async fn seed_all<S: Kept>(
    file: &[S],
    settings: &dyn SettingsStore<S>,
    clock: &dyn Clock,
) -> Result<usize, StoreError> {
    let mut seeded = 0;
    for one in file {
        if settings.version(one.id(), None).await?.is_none() {
            save(one, 1, settings, clock).await?;
            seeded += 1;
        }
    }
    Ok(seeded)
}

/// Puts the file's settings into force wherever they differ; the channels and tools that changed.
pub(crate) async fn apply(
    config: &Config,
    shelves: Shelves<'_>,
) -> Result<Vec<String>, StoreError> {
    let clock = shelves.clock;
    let mut applied = apply_all(&config.channel_settings(), shelves.channels, clock).await?;
    applied.extend(apply_all(&config.tools, shelves.tools, clock).await?);
    Ok(applied)
}

async fn apply_all<S: InFile>(
    file: &[S],
    settings: &dyn SettingsStore<S>,
    clock: &dyn Clock,
) -> Result<Vec<String>, StoreError> {
    let mut applied = Vec::new();
    for one in file {
        let stored = settings.version(one.id(), None).await?;
        if stored
            .as_ref()
            .is_some_and(|stored| stored.settings == *one)
        {
            continue;
        }
        let version = stored.map_or(1, |stored| stored.version + 1);
        save(one, version, settings, clock).await?;
        applied.push(S::thing(one.id()));
    }
    Ok(applied)
}

async fn save<S: Kept>(
    settings: &S,
    version: u64,
    store: &dyn SettingsStore<S>,
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
