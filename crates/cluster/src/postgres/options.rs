//! How PostgreSQL is reached and how long it is waited for.

use std::fmt;
use std::time::Duration;

/// How PostgreSQL is reached and how long it is waited for.
#[derive(Clone)]
pub struct PostgresOptions {
    /// `postgres://user:password@host:5432/database`, with `sslmode`, `sslrootcert` and the like behind a `?`.
    pub url: String,
    /// The schema with the tables, made when it is missing: 1 to 63 of `a-z`, `0-9` and `_`, no digit first.
    pub schema: String,
    /// What the server's lists of connections call this process, cut to 63 bytes there.
    pub application_name: String,
    /// Connections for reads, 1 to 100; opened when they are needed.
    pub readers: usize,
    /// Connections for appends, 1 to 16, each with batches of its own. More than one lets the next batch be written while
    /// the one before is on its way to the disk.
    pub writers: usize,
    /// Appends in one transaction, 1 to 4096 at most.
    pub batch: usize,
    /// How long making a connection may take.
    pub connect_timeout: Duration,
    /// How long a statement may take; what takes longer is given up on both sides.
    pub statement_timeout: Duration,
    /// How long counting for the console may take.
    pub count_timeout: Duration,
}

impl PostgresOptions {
    /// The defaults for this address: schema `replygate`, eight readers, two writers, two seconds for everything and
    /// 300 ms for counts.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            schema: "replygate".to_owned(),
            application_name: "replygate".to_owned(),
            readers: 8,
            writers: 2,
            batch: 512,
            connect_timeout: Duration::from_secs(2),
            statement_timeout: Duration::from_secs(2),
            count_timeout: Duration::from_millis(300),
        }
    }
}

/// The address may hold a password, so it is left out.
impl fmt::Debug for PostgresOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresOptions")
            .field("schema", &self.schema)
            .field("application_name", &self.application_name)
            .field("readers", &self.readers)
            .field("writers", &self.writers)
            .field("batch", &self.batch)
            .field("connect_timeout", &self.connect_timeout)
            .field("statement_timeout", &self.statement_timeout)
            .field("count_timeout", &self.count_timeout)
            .finish_non_exhaustive()
    }
}
