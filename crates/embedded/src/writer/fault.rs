//! Why a batch was not stored, and how everybody in it is told. Must never carry a user's text.

use std::sync::Arc;

use replygate_ports::store::StoreError;
use rusqlite::ErrorCode;

use super::side::Held;
use crate::error::{corrupt, unavailable};

/// Why a batch was not stored.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    #[error("the database file cannot be written")]
    Sql(#[from] rusqlite::Error),
    #[error("a session that was known is gone")]
    Gone,
    /// Some of the batch waited behind somebody for whom the file was held.
    #[error(transparent)]
    Held(#[from] Held),
    #[error(transparent)]
    Store(StoreError),
}

impl Fault {
    /// Whether something in the batch is to blame, not the file.
    pub fn is_of_content(&self) -> bool {
        match self {
            Self::Sql(error) => error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation),
            Self::Gone | Self::Held(_) => false,
            Self::Store(error) => !error.may_pass(),
        }
    }

    pub fn share(self) -> SharedFault {
        SharedFault(Arc::new(self))
    }
}

/// A fault that several are told of.
pub(super) struct SharedFault(Arc<Fault>);

impl SharedFault {
    pub fn again(&self) -> StoreError {
        let told = Told(Arc::clone(&self.0));
        match self.0.as_ref() {
            Fault::Store(StoreError::Corrupt { what, .. }) => corrupt(what.clone(), told),
            Fault::Sql(_) | Fault::Gone | Fault::Held(_) | Fault::Store(_) => unavailable(told),
        }
    }
}

/// A fault that was told to several.
#[derive(Debug, thiserror::Error)]
#[error("the batch was not stored")]
struct Told(#[source] Arc<Fault>);
