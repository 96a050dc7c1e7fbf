//! Faults of PostgreSQL in the words of the ports. Must never carry a user's text.

use std::sync::Arc;
use std::time::Duration;

use replygate_ports::store::StoreError;

/// `query_canceled`: the statement's time was over.
const CANCELED: &str = "57014";

/// Why PostgreSQL did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    /// It said so, or the connection to it broke.
    #[error("PostgreSQL cannot be used")]
    Sql(#[from] sqlx::Error),
    /// It says nothing.
    #[error("PostgreSQL did not answer within {} ms", .0.as_millis())]
    Silent(Duration),
    /// Too many others ask it.
    #[error("every connection to PostgreSQL was in use for {} ms", .0.as_millis())]
    Busy(Duration),
    /// It was told to end.
    #[error("the store is closed")]
    Closed,
    /// What it holds cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Others always changed first what was about to be stored.
    #[error("others kept changing what was to be stored")]
    Outrun,
}

/// What can be done about a trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remedy {
    /// Nothing happened, and it may go well when it is tried again at once: somebody else was faster, or in the way.
    Again,
    /// Nothing happened, and a part of what was asked is to blame.
    Divide,
    /// What was asked took too long; nothing happened.
    Keep,
    /// Whether anything happened is not known, and the connection is of no more use.
    Reconnect,
}

impl Trouble {
    pub fn remedy(&self) -> Remedy {
        let error = match self {
            Self::Sql(sqlx::Error::Database(error)) => error,
            Self::Store(_) => return Remedy::Divide,
            _ => return Remedy::Reconnect,
        };
        let code = error.code().unwrap_or_default();
        match (&*code, code.get(..2).unwrap_or_default()) {
            // Unique violation, serialization failure, deadlock.
            ("23505" | "40001" | "40P01", _) => Remedy::Again,
            // Data exception, integrity violation, limits of an index row or a text.
            (_, "22" | "23" | "54") => Remedy::Divide,
            (CANCELED, _) => Remedy::Keep,
            _ => Remedy::Reconnect,
        }
    }
}

impl From<Trouble> for StoreError {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Sql(error) => read_fault(error),
            Trouble::Store(error) => error,
            other => Self::Unavailable(Box::new(other)),
        }
    }
}

pub(super) fn unavailable(error: impl std::error::Error + Send + Sync + 'static) -> StoreError {
    StoreError::Unavailable(Box::new(error))
}

pub(super) fn corrupt(
    what: impl Into<String>,
    error: impl std::error::Error + Send + Sync + 'static,
) -> StoreError {
    StoreError::Corrupt {
        what: what.into(),
        source: Box::new(error),
    }
}

/// A fault of a read: what came back wrong is corrupt, everything else may pass.
pub(super) fn read_fault(error: sqlx::Error) -> StoreError {
    match error {
        sqlx::Error::Decode(_) | sqlx::Error::ColumnDecode { .. } => corrupt("row", error),
        sqlx::Error::Database(ref said)
            if matches!(said.code().as_deref(), Some("XX001" | "XX002")) =>
        {
            corrupt("page", error)
        }
        sqlx::Error::Database(ref said) if said.code().as_deref() == Some(CANCELED) => {
            StoreError::TookTooLong(Box::new(error))
        }
        other => unavailable(Trouble::Sql(other)),
    }
}

/// One trouble that many waiters are told of.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the batch was not stored")]
pub(super) struct Shared(#[source] Arc<StoreError>);

impl Shared {
    pub fn new(error: StoreError) -> Self {
        Self(Arc::new(error))
    }

    pub fn again(&self) -> StoreError {
        match &*self.0 {
            StoreError::Corrupt { what, .. } => corrupt(what.clone(), self.clone()),
            StoreError::Unavailable(_) | StoreError::TookTooLong(_) => unavailable(self.clone()),
        }
    }
}
