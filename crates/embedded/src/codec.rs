//! How values lie in the file. Must never lose a bit: what goes in comes out.

use std::str::FromStr;

use replygate_gate::{DropReason, MessageId, ReplyId, SessionKey};
use replygate_ports::changes::MessageState;
use replygate_ports::store::StoreError;
use serde_json::Error as JsonError;
use sqlx::sqlite::SqliteRow;
use sqlx::{Decode, Row, Sqlite, Type};

use crate::error::{corrupt, read_fault};

/// An identifier's 16 bytes; they sort like the identifier.
pub(crate) fn bytes(id: u128) -> [u8; 16] {
    id.to_be_bytes()
}

/// The same, to be kept.
pub(crate) fn blob(id: u128) -> Vec<u8> {
    bytes(id).to_vec()
}

#[derive(Debug, thiserror::Error)]
#[error("{0} bytes, expected 16")]
struct BadLength(usize);

#[derive(Debug, thiserror::Error)]
#[error("{0} is negative or too large")]
struct BadNumber(i64);

pub(crate) fn id(what: &str, bytes: &[u8]) -> Result<u128, StoreError> {
    let bytes: [u8; 16] = bytes
        .try_into()
        .map_err(|_| corrupt(what, BadLength(bytes.len())))?;
    Ok(u128::from_be_bytes(bytes))
}

/// Reads a row's columns by name.
pub(crate) struct Columns<'r>(pub &'r SqliteRow);

impl<'r> Columns<'r> {
    pub fn get<T: Decode<'r, Sqlite> + Type<Sqlite>>(&self, column: &str) -> Result<T, StoreError> {
        self.0.try_get(column).map_err(read_fault)
    }

    pub fn id(&self, column: &str) -> Result<u128, StoreError> {
        id(column, self.get(column)?)
    }

    pub fn id_or_none(&self, column: &str) -> Result<Option<u128>, StoreError> {
        self.get::<Option<&[u8]>>(column)?
            .map(|bytes| id(column, bytes))
            .transpose()
    }

    pub fn number<T: TryFrom<i64>>(&self, column: &str) -> Result<T, StoreError> {
        let value: i64 = self.get(column)?;
        T::try_from(value).map_err(|_| corrupt(column, BadNumber(value)))
    }

    pub fn word<T: FromStr<Err: std::error::Error + Send + Sync + 'static>>(
        &self,
        column: &str,
    ) -> Result<T, StoreError> {
        self.get::<&str>(column)?
            .parse()
            .map_err(|error| corrupt(column, error))
    }

    pub fn word_or_none<T: FromStr<Err: std::error::Error + Send + Sync + 'static>>(
        &self,
        column: &str,
    ) -> Result<Option<T>, StoreError> {
        let word = self.get::<Option<&str>>(column)?;
        word.map(str::parse)
            .transpose()
            .map_err(|error| corrupt(column, error))
    }

    pub fn json<T: serde::de::DeserializeOwned>(&self, column: &str) -> Result<T, StoreError> {
        serde_json::from_str(self.get(column)?).map_err(|error: JsonError| corrupt(column, error))
    }

    /// The columns of a session's natural key.
    pub fn session_key(&self) -> Result<SessionKey, StoreError> {
        Ok(SessionKey {
            channel: self.get("channel")?,
            account: self.get("account")?,
            conversation: self.get("conversation")?,
            contact: self.get("contact")?,
        })
    }

    pub fn covers(&self) -> Result<Vec<MessageId>, StoreError> {
        self.get::<&[u8]>("covers")?
            .chunks(16)
            .map(|bytes| id("covers", bytes).map(MessageId))
            .collect()
    }

    pub fn message_state(&self) -> Result<MessageState, StoreError> {
        let reply = self.id_or_none("covered_by")?.map(ReplyId);
        let reason = self.word_or_none::<DropReason>("drop_reason")?;
        MessageState::from_columns(self.get("state")?, reply, reason)
            .map_err(|error| corrupt("state", error))
    }
}

/// A message's state as its three columns: word, covering reply, reason.
pub(crate) fn state_columns(
    state: MessageState,
) -> (&'static str, Option<[u8; 16]>, Option<&'static str>) {
    let (word, reply, reason) = state.columns();
    (
        word,
        reply.map(|reply| bytes(reply.0)),
        reason.map(DropReason::as_str),
    )
}

pub(crate) fn covers_blob(covers: &[MessageId]) -> Vec<u8> {
    covers
        .iter()
        .flat_map(|message| message.0.to_be_bytes())
        .collect()
}
