//! How values lie in PostgreSQL. Must never lose a bit: what goes in comes out.

use std::borrow::Cow;
use std::str::FromStr;

use replygate_gate::{DropReason, MessageId, ReplyId, SessionKey};
use replygate_ports::changes::MessageState;
use replygate_ports::store::StoreError;
use sqlx::postgres::PgRow;
use sqlx::types::Uuid;
use sqlx::{Decode, Postgres, Row, Type};

use super::error::{corrupt, read_fault};

pub(super) fn uuid(id: u128) -> Uuid {
    Uuid::from_u128(id)
}

/// A column of texts that need not be there.
pub(super) type Texts<'a> = Vec<Option<Cow<'a, str>>>;

/// Stands before a digit for NUL, and twice for itself.
const MARK: char = '\u{1a}';

/// A text as a column holds it: PostgreSQL's text has no NUL.
pub(super) fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(['\0', MARK]) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        match letter {
            '\0' => escaped.extend([MARK, '0']),
            MARK => escaped.extend([MARK, MARK]),
            other => escaped.push(other),
        }
    }
    Cow::Owned(escaped)
}

#[derive(Debug, thiserror::Error)]
#[error("U+001A is followed by {found}, expected 0 or U+001A")]
struct BadMark {
    found: String,
}

/// The text that a column holds.
fn unescaped(column: &str, text: &str) -> Result<String, StoreError> {
    if !text.contains(MARK) {
        return Ok(text.to_owned());
    }
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (letter, letter == MARK) {
            (other, false) => plain.push(other),
            (_, true) => match letters.next() {
                Some('0') => plain.push('\0'),
                Some(MARK) => plain.push(MARK),
                other => {
                    let found =
                        other.map_or("nothing".to_owned(), |c| format!("U+{:04X}", u32::from(c)));
                    return Err(corrupt(column, BadMark { found }));
                }
            },
        }
    }
    Ok(plain)
}

#[derive(Debug, thiserror::Error)]
#[error("{0} bytes, expected 16 for each identifier")]
struct BadLength(usize);

#[derive(Debug, thiserror::Error)]
#[error("{0} is negative or too large")]
struct BadNumber(i64);

/// Reads a row's columns by name.
pub(super) struct Columns<'r>(pub &'r PgRow);

impl<'r> Columns<'r> {
    pub fn get<T: Decode<'r, Postgres> + Type<Postgres>>(
        &self,
        column: &str,
    ) -> Result<T, StoreError> {
        self.0.try_get(column).map_err(read_fault)
    }

    pub fn id(&self, column: &str) -> Result<u128, StoreError> {
        Ok(self.get::<Uuid>(column)?.as_u128())
    }

    pub fn id_or_none(&self, column: &str) -> Result<Option<u128>, StoreError> {
        Ok(self.get::<Option<Uuid>>(column)?.map(|id| id.as_u128()))
    }

    pub fn number<T: TryFrom<i64>>(&self, column: &str) -> Result<T, StoreError> {
        let value: i64 = self.get(column)?;
        T::try_from(value).map_err(|_| corrupt(column, BadNumber(value)))
    }

    pub fn text(&self, column: &str) -> Result<String, StoreError> {
        unescaped(column, self.get(column)?)
    }

    pub fn text_or_none(&self, column: &str) -> Result<Option<String>, StoreError> {
        let text = self.get::<Option<&str>>(column)?;
        text.map(|text| unescaped(column, text)).transpose()
    }

    pub fn word<T: FromStr<Err: std::error::Error + Send + Sync + 'static>>(
        &self,
        column: &str,
    ) -> Result<T, StoreError> {
        let word: &str = self.get(column)?;
        word.parse().map_err(|error| corrupt(column, error))
    }

    pub fn word_or_none<T: FromStr<Err: std::error::Error + Send + Sync + 'static>>(
        &self,
        column: &str,
    ) -> Result<Option<T>, StoreError> {
        let word = self.get::<Option<&str>>(column)?;
        let word = word.map(str::parse).transpose();
        word.map_err(|error| corrupt(column, error))
    }

    pub fn json<T: serde::de::DeserializeOwned>(&self, column: &str) -> Result<T, StoreError> {
        serde_json::from_str(self.get(column)?).map_err(|error| corrupt(column, error))
    }

    pub fn session_key(&self) -> Result<SessionKey, StoreError> {
        Ok(SessionKey {
            channel: self.text("channel")?,
            account: self.text("account")?,
            conversation: self.text("conversation")?,
            contact: self.text("contact")?,
        })
    }

    pub fn covers(&self) -> Result<Vec<MessageId>, StoreError> {
        let bytes: &[u8] = self.get("covers")?;
        let (ids, rest) = bytes.as_chunks::<16>();
        if !rest.is_empty() {
            return Err(corrupt("covers", BadLength(bytes.len())));
        }
        Ok(ids
            .iter()
            .map(|id| MessageId(u128::from_be_bytes(*id)))
            .collect())
    }

    pub fn message_state(&self) -> Result<MessageState, StoreError> {
        let reply = self.id_or_none("covered_by")?.map(ReplyId);
        let reason = self.word_or_none::<DropReason>("drop_reason")?;
        MessageState::from_columns(self.get("state")?, reply, reason)
            .map_err(|error| corrupt("state", error))
    }
}

/// Identifiers as the column `covers` holds them.
pub(super) fn covers(messages: &[MessageId]) -> Vec<u8> {
    let bytes = messages.iter().flat_map(|message| message.0.to_be_bytes());
    bytes.collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_text_survives_its_column(text in "[\0\u{1a}0aé🙂]{0,12}") {
            let stored = escaped(&text).into_owned();
            prop_assert!(!stored.contains('\0'));
            prop_assert_eq!(unescaped("text", &stored).unwrap(), text);
        }

        #[test]
        fn a_part_of_a_text_is_a_part_of_its_column(before in "[\0\u{1a}0a]{0,4}", part in "[\0\u{1a}0a]{0,4}", after in "[\0\u{1a}0a]{0,4}") {
            let whole = format!("{before}{part}{after}");
            prop_assert!(escaped(&whole).contains(&*escaped(&part)));
        }
    }

    #[test]
    fn a_mark_that_stands_for_nothing_is_corrupt() {
        for text in ["\u{1a}", "a\u{1a}1"] {
            assert!(matches!(
                unescaped("text", text),
                Err(StoreError::Corrupt { .. })
            ));
        }
    }
}
