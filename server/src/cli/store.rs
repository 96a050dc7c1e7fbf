//! The stores for commands that change an account, a token or settings, also while servers use them.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use replygate_cluster::Postgres;
use replygate_embedded::{Database, OpenError, OsEntropy, SystemClock};
use replygate_ports::accounts::Accounts;
use replygate_ports::clock::{Clock, Entropy};
use replygate_ports::settings::SettingsStore;
use replygate_ports::tools::Tool;
use replygate_ports::views::Views;

use crate::config::Config;
use crate::seed::Shelves;

/// What such commands use.
pub(super) struct Shelf {
    pub(super) accounts: Arc<dyn Accounts>,
    pub(super) settings: Arc<dyn SettingsStore>,
    pub(super) views: Arc<dyn Views>,
    tools: Arc<dyn SettingsStore<Tool>>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
    lies_in: Place,
}

enum Place {
    File(Database),
    Postgres(Postgres),
}

impl Shelf {
    /// Opens the installation's stores for as long as one command takes: as the only user, or beside the servers that use
    /// them.
    ///
    /// Whoever is beside must write accounts, tokens and settings only: in a data directory sessions belong to the process
    /// that holds the lock.
    pub(super) async fn open(config: &Config) -> anyhow::Result<Self> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
        match &config.cluster {
            None => Ok(Self::file(open(&config.server.data_dir).await?, clock)),
            Some(section) => {
                let services = section.services();
                let postgres = Postgres::open(&services.postgres, clock.clone()).await?;
                Ok(Self::postgres(postgres, clock))
            }
        }
    }

    fn file(database: Database, clock: Arc<dyn Clock>) -> Self {
        Self {
            accounts: Arc::new(database.clone()),
            settings: Arc::new(database.clone()),
            views: Arc::new(database.clone()),
            tools: Arc::new(database.clone()),
            clock,
            entropy: Arc::new(OsEntropy),
            lies_in: Place::File(database),
        }
    }

    fn postgres(postgres: Postgres, clock: Arc<dyn Clock>) -> Self {
        Self {
            accounts: Arc::new(postgres.clone()),
            settings: Arc::new(postgres.clone()),
            views: Arc::new(postgres.clone()),
            tools: Arc::new(postgres.clone()),
            clock,
            entropy: Arc::new(OsEntropy),
            lies_in: Place::Postgres(postgres),
        }
    }

    /// Where settings are kept.
    pub(super) fn shelves(&self) -> Shelves<'_> {
        Shelves {
            channels: &*self.settings,
            tools: &*self.tools,
            clock: &*self.clock,
        }
    }

    /// Closes them, after what was asked for is stored.
    pub(super) async fn close(self) {
        match self.lies_in {
            Place::File(database) => database.close().await,
            Place::Postgres(postgres) => postgres.close().await,
        }
    }
}

async fn open(data_dir: &Path) -> anyhow::Result<Database> {
    let opened = match Database::open(data_dir).await {
        Err(OpenError::InUse { .. }) => Database::open_beside(data_dir).await,
        opened => opened,
    };
    opened.with_context(|| format!("cannot use the data in {}", data_dir.display()))
}
