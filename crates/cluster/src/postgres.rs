//! The store of many processes: every store port on PostgreSQL. It is the only authority; whatever is acknowledged has been
//! committed there. Must never decide anything, and never answer from memory what another process may have changed.

mod accounts;
mod activity;
mod cache;
mod calendar;
mod codec;
mod connect;
mod error;
mod facts;
mod figures;
mod ledger;
mod lines;
mod mailbox;
mod operations;
mod options;
mod saved;
mod schema;
mod settings;
mod statement;
mod store;
mod transfer;
mod upkeep;
mod views;
mod writer;

use std::sync::Arc;

use replygate_ports::clock::Clock;
use replygate_ports::store::StoreError;

use cache::Cache;
use connect::{Connector, Manner};
use error::Trouble;
use lines::Lines;
use writer::Writers;

pub(crate) use facts::Facts;
pub use options::PostgresOptions;
pub use transfer::TransferError;

/// PostgreSQL could not be taken into use.
#[derive(Debug, thiserror::Error)]
pub enum PostgresError {
    /// The address is none.
    #[error(
        "the address of PostgreSQL cannot be read, expected postgres://user:password@host:5432/database"
    )]
    Address(#[source] sqlx::Error),
    /// An option is not allowed.
    #[error("`{option}` is {value}, allowed: {allowed}")]
    Option {
        /// Its name.
        option: &'static str,
        /// The value that was given.
        value: String,
        /// What is allowed.
        allowed: &'static str,
    },
    /// It cannot be reached, or does not let us in.
    #[error("cannot reach PostgreSQL at {place}")]
    Unreachable {
        /// Host, port and database.
        place: String,
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// It is too old.
    #[error("PostgreSQL at {place} is version {found}; replygate needs version {oldest} or newer")]
    TooOld {
        /// Host, port and database.
        place: String,
        /// Its version, as it tells it.
        found: String,
        /// The oldest version that will do.
        oldest: u32,
    },
    /// Its database cannot hold every text.
    #[error(
        "the database at {place} has the encoding {found}; replygate needs UTF8, so that no text is lost"
    )]
    Encoding {
        /// Host, port and database.
        place: String,
        /// Its encoding.
        found: String,
    },
    /// A newer version has written there.
    #[error(
        "the schema `{schema}` at {place} was written by a newer replygate: its version is {found}, this one knows up to {known}; install that version or restore a backup"
    )]
    Newer {
        /// Host, port and database.
        place: String,
        /// The schema's name.
        schema: String,
        /// The version that was found.
        found: i64,
        /// The newest known version.
        known: i64,
    },
    /// The schema could not be made or brought up to date.
    #[error("cannot prepare the schema `{schema}` at {place}")]
    Schema {
        /// Host, port and database.
        place: String,
        /// The schema's name.
        schema: String,
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Something there cannot be read.
    #[error("cannot read the schema `{schema}` at {place}")]
    Content {
        /// Host, port and database.
        place: String,
        /// The schema's name.
        schema: String,
        /// Why.
        #[source]
        source: StoreError,
    },
}

/// The store of many processes: every store port on PostgreSQL. Clones share its connections.
#[derive(Clone)]
pub struct Postgres {
    inner: Arc<Inner>,
}

struct Inner {
    connector: Arc<Connector>,
    readers: Lines,
    /// Longer statements, one at a time: retention and erasure.
    keepers: Lines,
    /// Counts, which are given up early.
    counters: Lines,
    writers: Writers,
    cache: Arc<Cache>,
    installation: u128,
}

impl Postgres {
    /// Connects, makes the schema or brings it up to date, and starts the writers. Must be called inside a tokio runtime.
    /// `clock` bounds every wait.
    pub async fn open(
        options: &PostgresOptions,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, PostgresError> {
        let connector = Arc::new(Connector::new(options, clock)?);
        let installation = prepare(&connector).await?;
        let cache = Arc::new(Cache::default());
        let lines = |manner, most| Lines::new(Arc::clone(&connector), manner, most);
        let inner = Inner {
            connector: Arc::clone(&connector),
            readers: lines(Manner::Read, options.readers),
            keepers: lines(Manner::Keep, 1),
            counters: lines(Manner::Count, 1),
            writers: Writers::start(&connector, options, &cache),
            cache,
            installation,
        };
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// A number that no other installation has; every process on this schema sees the same.
    #[must_use]
    pub fn installation(&self) -> u128 {
        self.inner.installation
    }

    /// Ends every connection after what was asked for before is stored; later calls fail as unavailable. Nothing is lost
    /// without it.
    pub async fn close(&self) {
        self.inner.writers.end().await;
        for lines in [
            &self.inner.readers,
            &self.inner.keepers,
            &self.inner.counters,
        ] {
            lines.close().await;
        }
    }
}

/// Looks whether this PostgreSQL will do, and prepares the schema. Returns the installation's number.
async fn prepare(connector: &Connector) -> Result<u128, PostgresError> {
    let unreachable = |trouble: Trouble| PostgresError::Unreachable {
        place: connector.place(),
        source: Box::new(trouble),
    };
    let mut connection = connector
        .connect(Manner::Prepare)
        .await
        .map_err(unreachable)?;
    connect::refuse_unfit(connector, &mut connection).await?;
    schema::migrate(connector, &mut connection).await?;
    let installation = schema::installation(&mut connection).await;
    installation.map_err(|source| PostgresError::Content {
        place: connector.place(),
        schema: connector.schema().to_owned(),
        source,
    })
}
