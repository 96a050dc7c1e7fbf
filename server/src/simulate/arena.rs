//! A server of our own to play against: the whole installation in this process, on a folder that is removed afterwards.

use std::path::Path;

use replygate_channels::generic::{BadSecret, Secret};
use replygate_embedded::OsEntropy;
use replygate_ports::clock::Entropy;
use replygate_ports::store::StoreError;
use tempfile::TempDir;

use super::customer::Place;
use crate::auth::tokens;
use crate::config::{Config, Environment, Problems};
use crate::{Running, Server, StartError, seed};

/// A server of our own did not start or stop.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// Its configuration is wrong.
    #[error(transparent)]
    Config(#[from] Problems),
    /// Its secret is wrong.
    #[error(transparent)]
    Secret(#[from] BadSecret),
    /// There is no folder for its data.
    #[error("no temporary folder can be made")]
    Folder(#[from] std::io::Error),
    /// It does not start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// Its store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A signing secret that nobody knows: `whsec_` and 48 random bytes.
#[must_use]
pub fn new_secret() -> String {
    // Hexadecimal digits are base64 too.
    format!("whsec_{:032x}{:032x}", OsEntropy.bits(), OsEntropy.bits())
}

/// A running server of our own.
pub struct Arena {
    running: Running,
    place: Place,
    _folder: Option<TempDir>,
}

impl Arena {
    /// Starts a server with these channels on a port of its own; in a temporary folder unless `data` names one.
    pub async fn start(
        channels: &str,
        secret: &str,
        data: Option<&Path>,
    ) -> Result<Self, ArenaError> {
        let mut config = Config::read(
            Some(Path::new("simulation")),
            channels,
            &Environment::default(),
        )?;
        let folder = match data {
            Some(_) => None,
            None => Some(TempDir::with_prefix("replygate-")?),
        };
        let path = folder.as_ref().map(TempDir::path).or(data);
        config.server.data_dir = path.unwrap_or(Path::new("data")).to_owned();
        config.server.listen = ([127, 0, 0, 1], 0).into();
        let running = Server::start(config.clone()).await?;
        let service = running.service();
        let stores = &service.stores;
        // A folder of an earlier play knows an earlier deliver address.
        seed::apply(&config, stores.shelves()).await?;
        service.engine.board().reload().await?;
        let (accounts, entropy) = (&*stores.accounts, &*stores.entropy);
        let token = tokens::create(accounts, entropy, tokens::OPERATE, "simulation").await?;
        let place = Place {
            url: running.url(),
            secret: Secret::parse(secret)?,
            token,
        };
        Ok(Self {
            running,
            place,
            _folder: folder,
        })
    }

    /// Where it is to be found.
    #[must_use]
    pub fn place(&self) -> Place {
        self.place.clone()
    }

    /// Stops it.
    pub async fn stop(self) -> Result<(), ArenaError> {
        Ok(self.running.stop().await?)
    }
}
