//! What the pipeline reads.

use replygate_gate::{
    AnsweredElsewhere, At, ConversationId, MessageId, Neighbours, ReplyId, SessionId,
};
use replygate_ports::store::{ActionRecord, DedupeKey, MessageText, ReplyText, Step, StoreError};
use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{AssertSqlSafe, Sqlite};

use super::rows::{action_record, known_session, step};
use crate::cache::Known;
use crate::codec::{Columns, blob};
use crate::database::Database;
use crate::error::read_fault;

/// A list of identifiers for `IN` and `NOT IN`; padded by repetition, so that few statements have to be prepared.
pub(crate) struct Keys(Vec<Vec<u8>>);

impl Keys {
    pub fn new(ids: impl Iterator<Item = u128>) -> Self {
        Self(ids.map(blob).collect())
    }

    /// `(?,?,?,?)`
    pub fn list(&self) -> String {
        format!(
            "({})",
            vec!["?"; self.0.len().next_power_of_two()].join(",")
        )
    }

    pub fn bind<'q>(
        &self,
        query: Query<'q, Sqlite, SqliteArguments>,
    ) -> Query<'q, Sqlite, SqliteArguments> {
        let missing = self.0.len().next_power_of_two() - self.0.len();
        // An empty identifier is nobody's.
        let padding = self.0.last().cloned().unwrap_or_default();
        self.0
            .iter()
            .cloned()
            .chain(std::iter::repeat_n(padding, missing))
            .fold(query, Query::bind)
    }
}

impl Database {
    /// The rows whose identifier, in the column that `sql` ends with, is among `ids`.
    pub(crate) async fn rows_by_id(
        &self,
        sql: &str,
        ids: impl Iterator<Item = u128>,
    ) -> Result<Vec<SqliteRow>, StoreError> {
        let keys = Keys::new(ids);
        let query = sqlx::query(AssertSqlSafe(format!("{sql} IN {}", keys.list())));
        keys.bind(query)
            .fetch_all(&self.inner.readers)
            .await
            .map_err(read_fault)
    }

    pub(super) async fn read_session(
        &self,
        session: SessionId,
    ) -> Result<Option<Known>, StoreError> {
        let sql = "SELECT n, channel, account, conversation, contact, version, state FROM session WHERE id = ?";
        let row = sqlx::query(sql)
            .bind(blob(session.0))
            .fetch_optional(&self.inner.readers)
            .await;
        row.map_err(read_fault)?
            .as_ref()
            .map(known_session)
            .transpose()
    }

    pub(super) async fn read_neighbours(
        &self,
        conversation: ConversationId,
        session: SessionId,
    ) -> Result<Neighbours, StoreError> {
        let sql = "SELECT coalesce(max(last_seq), 0) AS last_seq, min(first_open) AS first_open
            FROM session WHERE conversation_id = ? AND id <> ?";
        let query = sqlx::query(sql)
            .bind(blob(conversation.0))
            .bind(blob(session.0));
        let row = query
            .fetch_one(&self.inner.readers)
            .await
            .map_err(read_fault)?;
        let row = Columns(&row);
        let first_open = row.get::<Option<i64>>("first_open")?.map(|seq| seq as u64);
        Ok(Neighbours {
            last_seq: row.number("last_seq")?,
            first_open,
        })
    }

    pub(super) async fn read_scheduled(
        &self,
        until: At,
        after: Option<(At, SessionId)>,
        limit: u32,
    ) -> Result<Vec<(At, SessionId)>, StoreError> {
        let sql = "SELECT next_at, id FROM session
            WHERE next_at IS NOT NULL AND next_at <= ? AND (next_at, id) > (?, ?) ORDER BY next_at, id LIMIT ?";
        // No identifier is before the empty one, so that without `after` nothing is passed over.
        let (at, id) = after.map_or((i64::MIN, Vec::new()), |(at, id)| (at.0, blob(id.0)));
        let query = sqlx::query(sql).bind(until.0).bind(at).bind(id).bind(limit);
        let rows = query
            .fetch_all(&self.inner.readers)
            .await
            .map_err(read_fault)?;
        rows.iter()
            .map(|row| {
                Ok((
                    At(Columns(row).get("next_at")?),
                    SessionId(Columns(row).id("id")?),
                ))
            })
            .collect()
    }

    pub(super) async fn read_dedupe(
        &self,
        key: &DedupeKey,
    ) -> Result<Option<MessageId>, StoreError> {
        let query =
            sqlx::query("SELECT message FROM dedupe WHERE key = ?").bind(blob(key.digest()));
        let row = query
            .fetch_optional(&self.inner.readers)
            .await
            .map_err(read_fault)?;
        row.map(|row| Columns(&row).id("message").map(MessageId))
            .transpose()
    }

    pub(super) async fn read_reply_session(
        &self,
        reply: ReplyId,
    ) -> Result<Option<SessionId>, StoreError> {
        let sql = "SELECT session.id FROM reply JOIN session ON session.n = reply.session WHERE reply.id = ?";
        let row = sqlx::query(sql)
            .bind(blob(reply.0))
            .fetch_optional(&self.inner.readers)
            .await
            .map_err(read_fault)?;
        row.map(|row| Columns(&row).id("id").map(SessionId))
            .transpose()
    }

    pub(super) async fn read_answered(
        &self,
        session: SessionId,
        messages: &[MessageId],
        except: ReplyId,
    ) -> Result<Vec<AnsweredElsewhere>, StoreError> {
        let sql = "SELECT id, status, covers FROM reply WHERE session = (SELECT n FROM session WHERE id = ?)
            AND status IN ('DELIVERED', 'UNKNOWN') AND id <> ? ORDER BY created_at, id";
        let query = sqlx::query(sql).bind(blob(session.0)).bind(blob(except.0));
        let rows = query
            .fetch_all(&self.inner.readers)
            .await
            .map_err(read_fault)?;
        let mut answered = Vec::new();
        for row in &rows {
            let row = Columns(row);
            for message in row
                .covers()?
                .into_iter()
                .filter(|message| messages.contains(message))
            {
                let (by, status) = (ReplyId(row.id("id")?), row.word("status")?);
                answered.push(AnsweredElsewhere {
                    message,
                    by,
                    status,
                });
            }
        }
        Ok(answered)
    }

    pub(super) async fn read_texts(
        &self,
        messages: &[MessageId],
    ) -> Result<Vec<MessageText>, StoreError> {
        let mut found = self.inner.cache.messages(messages);
        let missing = missing(messages, &found, |id| id.0);
        if !missing.is_empty() {
            let sql = "SELECT id, kind, text, sent_at, received_at, edit_of FROM message WHERE id";
            let rows = self.rows_by_id(sql, missing.into_iter()).await?;
            for row in &rows {
                let text = message_text(&Columns(row))?;
                put(messages, &mut found, &text.id, &text);
            }
        }
        Ok(found.into_iter().flatten().collect())
    }

    pub(super) async fn read_reply_texts(
        &self,
        replies: &[ReplyId],
    ) -> Result<Vec<ReplyText>, StoreError> {
        let mut found = self.inner.cache.replies(replies);
        let missing = missing(replies, &found, |id| id.0);
        if !missing.is_empty() {
            let sql =
                "SELECT reply.id, session.id AS session_id, reply.seq, reply.parts, reply.covers
                FROM reply JOIN session ON session.n = reply.session WHERE reply.id";
            let rows = self.rows_by_id(sql, missing.into_iter()).await?;
            for row in &rows {
                let text = reply_text(&Columns(row))?;
                put(replies, &mut found, &text.id, &text);
            }
        }
        Ok(found.into_iter().flatten().collect())
    }

    pub(super) async fn read_steps(
        &self,
        session: SessionId,
        after_version: u64,
        limit: u32,
    ) -> Result<Vec<Step>, StoreError> {
        let sql = "SELECT version, at, actor, events FROM step
            WHERE session = (SELECT n FROM session WHERE id = ?) AND version > ? ORDER BY version LIMIT ?";
        let after = i64::try_from(after_version).unwrap_or(i64::MAX);
        let query = sqlx::query(sql)
            .bind(blob(session.0))
            .bind(after)
            .bind(limit);
        let rows = query
            .fetch_all(&self.inner.readers)
            .await
            .map_err(read_fault)?;
        rows.iter().map(step).collect()
    }

    pub(super) async fn read_action(
        &self,
        request_id: &str,
    ) -> Result<Option<ActionRecord>, StoreError> {
        let sql = "SELECT request_id, session_id, at, by, verb, reply, reason FROM action WHERE request_id = ?";
        let row = sqlx::query(sql)
            .bind(request_id)
            .fetch_optional(&self.inner.readers)
            .await
            .map_err(read_fault)?;
        row.as_ref().map(action_record).transpose()
    }
}

/// The identifiers whose place in `found` is empty.
fn missing<I: Copy, T>(ids: &[I], found: &[Option<T>], bits: impl Fn(I) -> u128) -> Vec<u128> {
    let places = ids.iter().zip(found);
    let empty = places.filter(|(_, place)| place.is_none());
    empty.map(|(id, _)| bits(*id)).collect()
}

/// Puts what was found in every place that asks for it.
fn put<I: PartialEq, T: Clone>(ids: &[I], found: &mut [Option<T>], id: &I, value: &T) {
    for (_, place) in ids.iter().zip(found).filter(|(asked, _)| *asked == id) {
        *place = Some(value.clone());
    }
}

fn message_text(row: &Columns<'_>) -> Result<MessageText, StoreError> {
    Ok(MessageText {
        id: MessageId(row.id("id")?),
        kind: row.word("kind")?,
        text: row.get("text")?,
        sent_at: row.get::<Option<i64>>("sent_at")?.map(At),
        received_at: At(row.get("received_at")?),
        edit_of: row.id_or_none("edit_of")?.map(MessageId),
    })
}

fn reply_text(row: &Columns<'_>) -> Result<ReplyText, StoreError> {
    Ok(ReplyText {
        id: ReplyId(row.id("id")?),
        session: SessionId(row.id("session_id")?),
        seq: row.number("seq")?,
        parts: row.json("parts")?,
        covers: row.covers()?,
    })
}
