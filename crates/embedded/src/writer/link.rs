//! The writer's own connection. Must never be used again after a fault: the next batch opens another.

use std::path::PathBuf;

use rusqlite::{Connection, OpenFlags};

use crate::database::{BUSY, WRITING};

/// 4 MiB; the operating system keeps the rest of the file at hand.
const PAGES_KIB: &str = "-4096";
/// Statements that stay prepared: all of the writer's, and room.
const PREPARED: usize = 64;

/// The writer's connection, opened when it is needed.
pub(super) struct Link {
    file: PathBuf,
    open: Option<Connection>,
}

impl Link {
    pub fn new(file: PathBuf) -> Self {
        Self { file, open: None }
    }

    pub fn connection(&mut self) -> rusqlite::Result<&mut Connection> {
        if self.open.is_none() {
            self.open = Some(self.connect()?);
        }
        self.open.as_mut().ok_or(rusqlite::Error::InvalidQuery)
    }

    /// Closes it.
    pub fn cut(&mut self) {
        self.open = None;
    }

    fn connect(&self) -> rusqlite::Result<Connection> {
        // Used by this thread only. The file is there: whoever opened the database made it.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.file, flags)?;
        connection.busy_timeout(BUSY)?;
        for (name, value) in WRITING.into_iter().chain([("cache_size", PAGES_KIB)]) {
            connection.pragma_update(None, name, value)?;
        }
        connection.set_prepared_statement_cache_capacity(PREPARED);
        Ok(connection)
    }
}
