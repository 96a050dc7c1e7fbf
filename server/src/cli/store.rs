//! The database for commands that change an account, a token or settings, also while a server uses it.

use std::path::Path;

use anyhow::Context as _;
use replygate_embedded::{Database, OpenError};

/// Opens the data directory for as long as one command takes: as its only user, or beside the server that uses it.
///
/// Whoever is beside must write accounts, tokens and settings only: sessions belong to the process that holds the lock.
pub(super) async fn open(data_dir: &Path) -> anyhow::Result<Database> {
    let opened = match Database::open(data_dir).await {
        Err(OpenError::InUse { .. }) => Database::open_beside(data_dir).await,
        opened => opened,
    };
    opened.with_context(|| format!("cannot use the data in {}", data_dir.display()))
}
