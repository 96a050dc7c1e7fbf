//! Faults of the file in the words of the ports. Must never carry a user's text.

use replygate_ports::store::StoreError;

/// SQLite's code for a statement that was told to stop.
const INTERRUPTED: &str = "9";

/// The writer has ended, so nothing more can be stored.
#[derive(Debug, thiserror::Error)]
#[error("the database is closed")]
pub(crate) struct Closed;

pub(crate) fn unavailable(error: impl std::error::Error + Send + Sync + 'static) -> StoreError {
    StoreError::Unavailable(Box::new(error))
}

pub(crate) fn corrupt(
    what: impl Into<String>,
    error: impl std::error::Error + Send + Sync + 'static,
) -> StoreError {
    StoreError::Corrupt {
        what: what.into(),
        source: Box::new(error),
    }
}

/// A fault of a read: what came back wrong is corrupt, everything else may pass.
pub(crate) fn read_fault(error: sqlx::Error) -> StoreError {
    match error {
        sqlx::Error::Decode(_) | sqlx::Error::ColumnDecode { .. } => corrupt("row", error),
        sqlx::Error::Database(ref said) if said.code().as_deref() == Some(INTERRUPTED) => {
            StoreError::TookTooLong(Box::new(error))
        }
        other => unavailable(other),
    }
}
