//! The demo: a day of invented traffic, played through the real pipeline in fast time, so that the console can be judged
//! at once. Must never touch a folder that holds anything else, and is always recognisable as a demo.

mod bulk;
mod cast;
mod channel;
mod clock;
mod day;
mod office;
mod play;
mod quiet;

use std::path::{Path, PathBuf};

use replygate_embedded::{Database, OpenError};
use replygate_ports::store::StoreError;

use crate::config::{Config, Environment, Problems};

/// The file that tells a demo's folder, and what it says while the day is played and afterwards.
const MARK: &str = "demo";
const PLAYING: &str = "The demo's day is being played.\n";
const PLAYED: &str = "This folder holds a demo: invented people, invented messages.\n";

/// The same day for everybody.
const SEED: u64 = 20;

/// What a demo is configured to.
const CONFIGURATION: &str = r#"
[server]
data_dir = "demo-data"

[[channels]]
id = "shop"
kind = "webchat"
agent = { kind = "demo", latency_p50_ms = 1500, latency_p99_ms = 6000, seed = 1 }
operational_delay_ms = 600

[[channels]]
id = "clinic"
kind = "webchat"
agent = { kind = "demo", latency_p50_ms = 2200, latency_p99_ms = 9000, seed = 2 }
operational_delay_ms = 900

[[channels]]
id = "support"
kind = "webchat"
agent = { kind = "demo", latency_p50_ms = 1200, latency_p99_ms = 4000, seed = 3 }
debounce = { neutral_ms = 3000 }
channel_ladder_ms = [60000, 600000, 3600000]
park_age_ms = 3600000
expire_age_ms = 3600000

[[tools]]
name = "calendar.create_event"
effect = "write"
host = "calendar.create_event"
recipe = "calendar.create_event"
"#;

/// There is no demo.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The folder holds something else.
    #[error(
        "{} is not empty and holds no demo; a demo needs a folder of its own: name an empty one with --data, or leave \
         out --demo",
        folder.display()
    )]
    Occupied {
        /// Which.
        folder: PathBuf,
    },
    /// The day was not played to its end.
    #[error("the demo in {} was interrupted while its day was played: remove the folder and start again", folder.display())]
    Interrupted {
        /// Which.
        folder: PathBuf,
    },
    /// The folder cannot be used.
    #[error("{} cannot be used", folder.display())]
    Folder {
        /// Which.
        folder: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The data file cannot be used.
    #[error(transparent)]
    Data(#[from] OpenError),
    /// The demo's settings are not allowed.
    #[error(transparent)]
    Config(#[from] Problems),
    /// The HTTP client cannot be made.
    #[error("the HTTP client cannot be made")]
    Client(#[from] reqwest::Error),
    /// The store failed.
    #[error("the demo's day cannot be stored")]
    Store(#[from] StoreError),
}

/// A demo's configuration, overridden by the environment like any other; its folder is `demo-data` unless that names one.
///
/// # Errors
/// What is wrong in the environment.
pub fn config(environment: &Environment) -> Result<Config, Problems> {
    Config::read(None, CONFIGURATION, environment)
}

/// Whether the folder holds a demo.
#[must_use]
pub fn is_demo(data_dir: &Path) -> bool {
    data_dir.join(MARK).exists()
}

/// Plays the day into the configuration's folder, unless it was played before. Must be called inside a runtime of one
/// thread: only there is it known when everything waits.
///
/// # Errors
/// When the folder holds anything else, or cannot be written to.
pub async fn prepare(config: &Config) -> Result<(), DemoError> {
    let folder = &config.server.data_dir;
    let broken = |source| DemoError::Folder {
        folder: folder.clone(),
        source,
    };
    if is_demo(folder) {
        let mark = std::fs::read_to_string(folder.join(MARK)).map_err(broken)?;
        return if mark == PLAYED {
            Ok(())
        } else {
            Err(DemoError::Interrupted {
                folder: folder.clone(),
            })
        };
    }
    if !is_empty(folder).map_err(broken)? {
        return Err(DemoError::Occupied {
            folder: folder.clone(),
        });
    }
    let database = Database::open(folder).await?;
    std::fs::write(folder.join(MARK), PLAYING).map_err(broken)?;
    let played = play::play(config, &database).await;
    database.close().await;
    played?;
    std::fs::write(folder.join(MARK), PLAYED).map_err(broken)
}

fn is_empty(folder: &Path) -> std::io::Result<bool> {
    match std::fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests;
