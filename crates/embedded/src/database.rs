//! The file: opening, locking, closing. Must never let two processes use one data directory.

mod backup;
pub(crate) mod lock;
mod schema;
mod viewers;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use futures::TryStreamExt as _;
use replygate_gate::SessionId;
use replygate_ports::store::StoreError;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions};
use sqlx::{ConnectOptions, Connection, SqliteConnection, SqlitePool};

pub use backup::{BackupError, backup_file};

use crate::cache::{Cache, Ever};
use crate::codec::Columns;
use crate::error::read_fault;
use crate::ledger::LedgerWriter;
use crate::writer::{Numbers, WriteSide, Writer};
use lock::DataLock;
#[cfg(test)]
pub(crate) use schema::MIGRATIONS;

/// The file's name in the data directory.
const FILE: &str = "replygate.db";
/// Connections for reads, each with its own thread.
const READERS: u32 = 2;
/// How long a connection waits for another one's lock on the file. Who waits behind it fails with it, so that a webhook has
/// its 503 within two seconds.
pub(crate) const BUSY: Duration = Duration::from_millis(1_500);

/// What every connection that writes is set to; the file is in WAL mode.
pub(crate) const WRITING: [(&str, &str); 7] = [
    ("synchronous", "FULL"),
    ("foreign_keys", "OFF"),
    // The operating system keeps the file at hand.
    ("mmap_size", "0"),
    ("temp_store", "MEMORY"),
    // Checkpoints are made beside the commits, not inside them.
    ("wal_autocheckpoint", "0"),
    ("journal_size_limit", "67108864"),
    // What was deleted is overwritten: an erased person leaves nothing in free space.
    ("secure_delete", "ON"),
];

/// The data directory could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process has it.
    #[error("another replygate is using the data directory {}", .dir.display())]
    InUse {
        /// The directory.
        dir: PathBuf,
    },
    /// A newer version has written it.
    #[error(
        "{} was written by a newer replygate: its schema is {found}, this one knows up to {known}; install that version or restore a backup",
        .file.display()
    )]
    Newer {
        /// The file.
        file: PathBuf,
        /// The schema version in the file.
        found: i64,
        /// The newest known schema version.
        known: i64,
    },
    /// The directory or a file in it could not be made or opened.
    #[error("cannot use {}", .path.display())]
    Io {
        /// What could not be used.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The file is no database, or a broken one.
    #[error("cannot open the database {}", .file.display())]
    Sql {
        /// The file.
        file: PathBuf,
        /// Why.
        #[source]
        source: sqlx::Error,
    },
    /// Something in the file cannot be read.
    #[error("cannot read the database {}", .file.display())]
    Content {
        /// The file.
        file: PathBuf,
        /// Why.
        #[source]
        source: StoreError,
    },
}

/// The store of one process: every store port on one SQLite file. Clones share it.
#[derive(Clone)]
pub struct Database {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub file: PathBuf,
    /// For the pipeline.
    pub readers: SqlitePool,
    /// For people: what they ask for takes no connection from the pipeline, and ends after [`viewers::LIMIT`].
    pub viewers: SqlitePool,
    pub side: Arc<WriteSide>,
    pub writer: Writer,
    pub ledger: LedgerWriter,
    pub cache: Arc<Cache>,
    installation: u128,
}

impl Database {
    /// Opens the data directory and takes it for this process; makes what is missing (mode 0700) and brings the schema up
    /// to date. Must be called inside a tokio runtime.
    pub async fn open(data_dir: &Path) -> Result<Self, OpenError> {
        let lock = DataLock::take(data_dir)?;
        lock::make_private(&data_dir.join(FILE))?;
        Self::with(data_dir, Some(lock)).await
    }

    /// Opens a data directory that another process has taken, for the time of one command. Accounts, tokens and settings
    /// may be changed; sessions belong to the other process, which would not see a change of them.
    pub async fn open_beside(data_dir: &Path) -> Result<Self, OpenError> {
        Self::with(data_dir, None).await
    }

    async fn with(data_dir: &Path, lock: Option<DataLock>) -> Result<Self, OpenError> {
        let file = data_dir.join(FILE);
        let sql = |source| OpenError::Sql {
            file: file.clone(),
            source,
        };

        let options = write_options(&file).create_if_missing(lock.is_some());
        let mut connection = options.connect().await.map_err(sql)?;
        schema::migrate(&mut connection, &file).await?;
        let content = |source| OpenError::Content {
            file: file.clone(),
            source,
        };
        let installation = schema::installation(&mut connection)
            .await
            .map_err(content)?;
        let (numbers, ever) = begin(&mut connection).await.map_err(content)?;

        let side = Arc::new(WriteSide::new(options, connection, lock));
        let cache = Arc::new(Cache::new(ever));
        let writer = Writer::start(file.clone(), Arc::clone(&side), Arc::clone(&cache), numbers);
        let writer = writer.map_err(|source| OpenError::Io {
            path: file.clone(),
            source,
        })?;
        let inner = Inner {
            readers: readers(&file),
            viewers: viewers::open(reading(&file), viewers::LIMIT),
            file,
            ledger: LedgerWriter::start(Arc::clone(&side)),
            side,
            writer,
            cache,
            installation,
        };
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// A number that no other installation has.
    #[must_use]
    pub fn installation(&self) -> u128 {
        self.inner.installation
    }

    /// Writes a consistent copy of the present state to `target`, which must not exist; reads and writes go on meanwhile.
    pub async fn backup(&self, target: &Path) -> Result<(), BackupError> {
        backup::copy(&self.inner.file, target).await
    }

    /// Ends every connection after what was asked for before is stored, and gives the data directory free; later calls fail
    /// as unavailable. Nothing is lost without it: it only leaves the directory tidy.
    pub async fn close(&self) {
        self.inner.writer.end().await;
        self.inner.ledger.end().await;
        self.inner.readers.close().await;
        self.inner.viewers.close().await;
        self.inner.side.close().await;
    }
}

fn write_options(file: &Path) -> SqliteConnectOptions {
    let options = SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .busy_timeout(BUSY)
        // 256 KiB: what is written often is written by the writer's own connection.
        .pragma("cache_size", "-256")
        .thread_name(|_| "replygate-changes".to_owned())
        .disable_statement_logging();
    WRITING.into_iter().fold(options, |options, (name, value)| {
        options.pragma(name, value)
    })
}

fn reading(file: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(file)
        .read_only(true)
        .busy_timeout(BUSY)
        .pragma("cache_size", "-1024")
        .pragma("mmap_size", "0")
        // The driver's log stays on: a read of more than a second is a warning. It names marks, never values.
        .thread_name(|id| format!("replygate-reader-{id}"))
}

fn readers(file: &Path) -> SqlitePool {
    SqlitePoolOptions::new()
        .max_connections(READERS)
        .acquire_timeout(BUSY)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        .connect_lazy_with(reading(file))
}

/// The numbers that were given last, and which sessions there are.
async fn begin(connection: &mut SqliteConnection) -> Result<(Numbers, Ever), StoreError> {
    let last = "SELECT (SELECT coalesce(max(n), 0) FROM session) AS session,
        (SELECT coalesce(max(n), 0) FROM step) AS step,
        max((SELECT coalesce(max(n), 0) FROM message), (SELECT coalesce(max(n), 0) FROM reply),
            (SELECT coalesce(max(history_from), 0) FROM session)) AS entry";
    let row = sqlx::query(last)
        .fetch_one(&mut *connection)
        .await
        .map_err(read_fault)?;
    let row = Columns(&row);
    let numbers = Numbers {
        session: row.get("session")?,
        step: row.get("step")?,
        entry: row.get("entry")?,
    };

    let mut ever = Ever::new();
    // One by one: all at once they would take far more memory than what is made of them.
    let mut ids = sqlx::query("SELECT id FROM session").fetch(connection);
    while let Some(row) = ids.try_next().await.map_err(read_fault)? {
        ever.add(SessionId(Columns(&row).id("id")?));
    }
    drop(ids);
    Ok((numbers, ever))
}

/// Opens a second connection on a file that may be in use, without making or changing anything.
async fn beside(file: &Path) -> Result<SqliteConnection, sqlx::Error> {
    let options = SqliteConnectOptions::new()
        .filename(file)
        .busy_timeout(BUSY)
        .disable_statement_logging();
    SqliteConnection::connect_with(&options).await
}
