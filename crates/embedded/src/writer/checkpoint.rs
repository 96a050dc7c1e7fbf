//! Moves the write-ahead log into the file, beside the commits. Must never make a commit wait for more than the last bit.

use std::sync::Arc;

use replygate_ports::store::StoreError;
use sqlx::sqlite::SqliteRow;
use sqlx::{ConnectOptions, Row, SqliteConnection};
use tokio::sync::mpsc;

use super::WriteSide;
use crate::error::{read_fault, unavailable};

/// A checkpoint is worth while after about so many bytes.
pub(super) const AFTER_BYTES: usize = 8 << 20;
/// A log of so many pages is begun anew, for which the commits pause: 64 MiB.
const LONG: i64 = 16_384;

/// Starts the task, which is asked by whoever writes; it ends when the write side is closed.
pub(super) fn start(side: &Arc<WriteSide>) {
    let (wanted, mut asked) = mpsc::channel(1);
    side.moved_by(wanted);
    let side = Arc::downgrade(side);
    tokio::spawn(async move {
        let mut own = None;
        while asked.recv().await.is_some() {
            let Some(side) = side.upgrade() else { return };
            if let Err(error) = checkpoint(&side, &mut own).await {
                tracing::warn!(%error, "the write-ahead log was not moved; it stays until the next time");
                own = None;
            }
        }
    });
}

const PASSIVE: &str = "PRAGMA wal_checkpoint(PASSIVE)";

async fn checkpoint(
    side: &WriteSide,
    own: &mut Option<SqliteConnection>,
) -> Result<(), StoreError> {
    let connection = match own {
        Some(connection) => connection,
        None => own.insert(side.options().connect().await.map_err(unavailable)?),
    };
    let row = sqlx::query(PASSIVE)
        .fetch_one(connection)
        .await
        .map_err(read_fault)?;
    if pages(&row)? >= LONG {
        // Nobody writes meanwhile, so it reaches the end, and the next commit begins the log anew.
        side.alone(PASSIVE).await?;
    }
    Ok(())
}

/// Pages in the log.
fn pages(row: &SqliteRow) -> Result<i64, StoreError> {
    row.try_get(1).map_err(read_fault)
}
