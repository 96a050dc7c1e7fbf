//! Whose turn it is to write: the writer's, or that of somebody with a small change of something else, for whom a
//! connection lies ready. Must never be left inside a transaction: a connection in doubt is closed and the next one who
//! needs it opens another.

use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use replygate_ports::store::StoreError;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};
use tokio::sync::{Mutex, MutexGuard, mpsc};

use super::checkpoint::AFTER_BYTES;
use crate::database::lock::DataLock;
use crate::error::{Closed, unavailable};

/// Somebody else held the file for as long as anybody waits for it.
#[derive(Debug, thiserror::Error)]
#[error("the database file is held by somebody else")]
pub(crate) struct Held;

/// How often the file had been found held when somebody asked to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Asked(u64);

enum Slot {
    Open(SqliteConnection),
    Broken,
    Closed,
}

/// The turns to write, one at a time in the order of asking, and a connection for whoever has none.
pub(crate) struct WriteSide {
    options: SqliteConnectOptions,
    slot: Mutex<Slot>,
    /// Held as long as anybody can write; nothing beside the process that holds it.
    lock: Mutex<Option<DataLock>>,
    /// How often the file was found held. Whoever asked before that and waited behind has waited long enough.
    held: AtomicU64,
    /// About so many bytes were added to the write-ahead log since somebody was asked to move it.
    unsaved: AtomicUsize,
    /// The way to whoever moves it; nobody once it is closed.
    checkpoints: std::sync::Mutex<Option<mpsc::Sender<()>>>,
}

/// About so many bytes a small change adds to the write-ahead log: three or four pages.
pub(crate) const PAGES: usize = 12 << 10;

impl WriteSide {
    pub fn new(
        options: SqliteConnectOptions,
        connection: SqliteConnection,
        lock: Option<DataLock>,
    ) -> Self {
        Self {
            options,
            slot: Mutex::new(Slot::Open(connection)),
            lock: Mutex::new(lock),
            held: AtomicU64::new(0),
            unsaved: AtomicUsize::new(0),
            checkpoints: std::sync::Mutex::new(None),
        }
    }

    /// Names who moves the write-ahead log into the file.
    pub fn moved_by(&self, checkpoints: mpsc::Sender<()>) {
        let slot = self.checkpoints.lock();
        *slot.unwrap_or_else(PoisonError::into_inner) = Some(checkpoints);
    }

    /// Notes that about so many bytes were added to the write-ahead log, and has it moved when that is worth while. Whoever
    /// writes says so: nobody else looks, and the log would grow for ever.
    pub fn wrote(&self, bytes: usize) {
        let before = self.unsaved.fetch_add(bytes, Ordering::Relaxed);
        let unsaved = before.saturating_add(bytes);
        if unsaved < AFTER_BYTES {
            return;
        }
        let checkpoints = self.checkpoints.lock();
        let checkpoints = checkpoints.unwrap_or_else(PoisonError::into_inner);
        if checkpoints
            .as_ref()
            .is_some_and(|mover| mover.try_send(()).is_ok())
        {
            self.unsaved.store(0, Ordering::Relaxed);
        }
    }

    /// To be taken by whoever is about to wait for a turn.
    pub fn asked(&self) -> Asked {
        Asked(self.held.load(Ordering::Acquire))
    }

    /// Whether the file was found held since then.
    pub fn was_held_since(&self, asked: Asked) -> bool {
        self.asked() != asked
    }

    /// Notes that a transaction could not begin.
    pub fn found_held(&self) {
        self.held.fetch_add(1, Ordering::Release);
    }

    /// Waits for the writer's turn, which has a connection of its own. Must be called outside the runtime.
    pub fn turn(&self) -> Result<Turn<'_>, StoreError> {
        let slot = self.slot.blocking_lock();
        if matches!(*slot, Slot::Closed) {
            return Err(unavailable(Closed));
        }
        Ok(Turn { _slot: slot })
    }

    /// Waits for the connection and begins a transaction.
    pub async fn begin(&self) -> Result<Write<'_>, StoreError> {
        let asked = self.asked();
        let mut slot = self.open().await?;
        if self.was_held_since(asked) {
            return Err(unavailable(Held));
        }
        if !matches!(*slot, Slot::Open(_)) {
            return Err(unavailable(Closed));
        }
        // Whoever gives up while it begins leaves a connection in doubt: it is out of its slot until it has begun.
        if let Slot::Open(mut connection) = std::mem::replace(&mut *slot, Slot::Broken) {
            let begun = sqlx::query("BEGIN IMMEDIATE")
                .execute(&mut connection)
                .await;
            if let Err(error) = begun {
                self.found_held();
                return Err(unavailable(error));
            }
            *slot = Slot::Open(connection);
        }
        Ok(Write {
            slot,
            side: self,
            bytes: PAGES,
            done: false,
        })
    }

    /// Runs one statement outside a transaction while nobody writes.
    pub async fn alone(
        &self,
        sql: &'static str,
    ) -> Result<Vec<sqlx::sqlite::SqliteRow>, StoreError> {
        match &mut *self.open().await? {
            Slot::Open(connection) => sqlx::query(sql)
                .fetch_all(connection)
                .await
                .map_err(unavailable),
            Slot::Broken | Slot::Closed => Err(unavailable(Closed)),
        }
    }

    pub fn options(&self) -> &SqliteConnectOptions {
        &self.options
    }

    pub async fn close(&self) {
        let mover = self.checkpoints.lock();
        drop(mover.unwrap_or_else(PoisonError::into_inner).take());
        let slot = std::mem::replace(&mut *self.slot.lock().await, Slot::Closed);
        if let Slot::Open(connection) = slot
            && let Err(error) = connection.close().await
        {
            tracing::warn!(%error, "the database did not close in order; nothing is lost");
        }
        drop(self.lock.lock().await.take());
    }

    async fn open(&self) -> Result<MutexGuard<'_, Slot>, StoreError> {
        let mut slot = self.slot.lock().await;
        if matches!(*slot, Slot::Broken) {
            *slot = Slot::Open(self.options.connect().await.map_err(unavailable)?);
        }
        Ok(slot)
    }
}

/// The writer's turn, as long as it is kept.
pub(crate) struct Turn<'a> {
    _slot: MutexGuard<'a, Slot>,
}

/// A transaction. Dropped before its end, it takes its connection with it.
pub(crate) struct Write<'a> {
    slot: MutexGuard<'a, Slot>,
    side: &'a WriteSide,
    /// About so many bytes it adds to the write-ahead log.
    bytes: usize,
    done: bool,
}

impl Write<'_> {
    pub fn connection(&mut self) -> &mut SqliteConnection {
        match &mut *self.slot {
            Slot::Open(connection) => connection,
            Slot::Broken | Slot::Closed => {
                unreachable!("a transaction begins on an open connection and keeps it")
            }
        }
    }

    /// Says that it is as many small changes as that.
    pub fn is_of(&mut self, changes: usize) {
        self.bytes = changes.max(1).saturating_mul(PAGES);
    }

    /// Commits. The connection stays taken until this is dropped, so that the cache can be told before anybody else writes.
    pub async fn commit(&mut self) -> Result<(), sqlx::Error> {
        sqlx::query("COMMIT").execute(self.connection()).await?;
        self.done = true;
        self.side.wrote(self.bytes);
        Ok(())
    }

    pub async fn rollback(mut self) {
        self.done = sqlx::query("ROLLBACK")
            .execute(self.connection())
            .await
            .is_ok();
    }
}

impl Drop for Write<'_> {
    fn drop(&mut self) {
        if !self.done {
            *self.slot = Slot::Broken;
        }
    }
}
