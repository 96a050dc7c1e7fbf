//! What the pipeline reads.

use std::collections::HashMap;
use std::sync::Arc;

use replygate_gate::{
    AnsweredElsewhere, At, ConversationId, MessageId, Neighbours, ReplyId, SessionId,
};
use replygate_ports::store::{
    ActionRecord, DedupeKey, MessageText, ReplyText, Step, StoreError, Stored,
};
use sqlx::types::Uuid;

use super::rows::{action_record, known_session, step};
use crate::postgres::Postgres;
use crate::postgres::codec::{Columns, escaped, uuid};

/// Identifiers for `= ANY($1)`.
pub(crate) fn uuids(ids: impl Iterator<Item = u128>) -> Vec<Uuid> {
    ids.map(uuid).collect()
}

impl Postgres {
    /// Always asks the database, for other processes change sessions too; what is remembered at the version found there need
    /// not be sent and decoded again.
    pub(super) async fn read_session(
        &self,
        session: SessionId,
    ) -> Result<Option<Stored>, StoreError> {
        let remembered = self.inner.cache.get(session);
        let known = remembered.as_ref();
        let sql = "SELECT life, version, channel, account, conversation, contact,
            CASE WHEN life = $2 AND version = $3 THEN NULL ELSE state END AS state FROM session WHERE id = $1";
        let query = sqlx::query(sql)
            .bind(uuid(session.0))
            .bind(known.map(|known| known.life))
            .bind(known.map(|known| known.stored.version as i64));
        let Some(row) = self.inner.readers.row(query).await? else {
            return Ok(None);
        };
        let columns = Columns(&row);
        let is_remembered = columns.get::<Option<&str>>("state")?.is_none();
        if let Some(known) = remembered.filter(|_| is_remembered) {
            return Ok(Some(known.stored.clone()));
        }
        let known = known_session(&row)?;
        let stored = known.stored.clone();
        self.inner.cache.keep(session, Arc::new(known));
        Ok(Some(stored))
    }

    pub(super) async fn read_neighbours(
        &self,
        conversation: ConversationId,
        session: SessionId,
    ) -> Result<Neighbours, StoreError> {
        let sql = "SELECT coalesce(max(last_seq), 0) AS last_seq, min(first_open) AS first_open
            FROM session WHERE conversation_id = $1 AND conversation <> contact AND id <> $2";
        let query = sqlx::query(sql)
            .bind(uuid(conversation.0))
            .bind(uuid(session.0));
        let Some(row) = self.inner.readers.row(query).await? else {
            return Ok(Neighbours::default());
        };
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
        let sql = "SELECT next_at, session FROM agenda
            WHERE next_at IS NOT NULL AND next_at <= $1 AND (next_at, session) > ($2, $3)
            ORDER BY next_at, session LIMIT $4";
        let (at, id) = after.unwrap_or((At(i64::MIN), SessionId(0)));
        let query = sqlx::query(sql).bind(until.0).bind(at.0).bind(uuid(id.0));
        let rows = self
            .inner
            .readers
            .rows(query.bind(i64::from(limit)))
            .await?;
        let entry = |row| {
            let row = Columns(row);
            Ok((At(row.get("next_at")?), SessionId(row.id("session")?)))
        };
        rows.iter().map(entry).collect()
    }

    pub(super) async fn read_dedupe(
        &self,
        key: &DedupeKey,
    ) -> Result<Option<MessageId>, StoreError> {
        let query = sqlx::query("SELECT message FROM dedupe WHERE key = $1");
        let row = self
            .inner
            .readers
            .row(query.bind(uuid(key.digest())))
            .await?;
        row.map(|row| Columns(&row).id("message").map(MessageId))
            .transpose()
    }

    pub(super) async fn read_reply_session(
        &self,
        reply: ReplyId,
    ) -> Result<Option<SessionId>, StoreError> {
        let query = sqlx::query("SELECT session FROM reply WHERE id = $1").bind(uuid(reply.0));
        let row = self.inner.readers.row(query).await?;
        row.map(|row| Columns(&row).id("session").map(SessionId))
            .transpose()
    }

    pub(super) async fn read_answered(
        &self,
        session: SessionId,
        messages: &[MessageId],
        except: ReplyId,
    ) -> Result<Vec<AnsweredElsewhere>, StoreError> {
        let sql = "SELECT id, status, covers FROM reply WHERE session = $1
            AND status IN ('DELIVERED', 'UNKNOWN') AND id <> $2 ORDER BY created_at, id";
        let query = sqlx::query(sql).bind(uuid(session.0)).bind(uuid(except.0));
        let mut answered = Vec::new();
        for row in &self.inner.readers.rows(query).await? {
            let row = Columns(row);
            let (by, status) = (ReplyId(row.id("id")?), row.word("status")?);
            let covers = row.covers()?.into_iter();
            answered.extend(
                covers
                    .filter(|message| messages.contains(message))
                    .map(|message| AnsweredElsewhere {
                        message,
                        by,
                        status,
                    }),
            );
        }
        Ok(answered)
    }

    pub(super) async fn read_texts(
        &self,
        messages: &[MessageId],
    ) -> Result<Vec<MessageText>, StoreError> {
        if messages.is_empty() {
            return Ok(Vec::new());
        }
        let sql =
            "SELECT id, kind, text, sent_at, received_at, edit_of FROM message WHERE id = ANY($1)";
        let query = sqlx::query(sql).bind(uuids(messages.iter().map(|id| id.0)));
        let mut found = HashMap::new();
        for row in &self.inner.readers.rows(query).await? {
            let text = message_text(&Columns(row))?;
            found.insert(text.id, text);
        }
        Ok(messages
            .iter()
            .filter_map(|id| found.get(id).cloned())
            .collect())
    }

    pub(super) async fn read_reply_texts(
        &self,
        replies: &[ReplyId],
    ) -> Result<Vec<ReplyText>, StoreError> {
        if replies.is_empty() {
            return Ok(Vec::new());
        }
        let sql = "SELECT id, session, seq, parts, covers FROM reply WHERE id = ANY($1)";
        let query = sqlx::query(sql).bind(uuids(replies.iter().map(|id| id.0)));
        let mut found = HashMap::new();
        for row in &self.inner.readers.rows(query).await? {
            let text = reply_text(&Columns(row))?;
            found.insert(text.id, text);
        }
        Ok(replies
            .iter()
            .filter_map(|id| found.get(id).cloned())
            .collect())
    }

    pub(super) async fn read_steps(
        &self,
        session: SessionId,
        after_version: u64,
        limit: u32,
    ) -> Result<Vec<Step>, StoreError> {
        let sql = "SELECT version, at, actor, events FROM step
            WHERE session = $1 AND version > $2 ORDER BY version LIMIT $3";
        let after = i64::try_from(after_version).unwrap_or(i64::MAX);
        let query = sqlx::query(sql).bind(uuid(session.0)).bind(after);
        let rows = self
            .inner
            .readers
            .rows(query.bind(i64::from(limit)))
            .await?;
        rows.iter().map(step).collect()
    }

    pub(super) async fn read_action(
        &self,
        request_id: &str,
    ) -> Result<Option<ActionRecord>, StoreError> {
        let sql = "SELECT request_id, session, at, by, verb, reply, reason FROM action WHERE request_id = $1";
        let row = self
            .inner
            .readers
            .row(sqlx::query(sql).bind(escaped(request_id)))
            .await?;
        row.as_ref().map(action_record).transpose()
    }
}

fn message_text(row: &Columns<'_>) -> Result<MessageText, StoreError> {
    Ok(MessageText {
        id: MessageId(row.id("id")?),
        kind: row.word("kind")?,
        text: row.text("text")?,
        sent_at: row.get::<Option<i64>>("sent_at")?.map(At),
        received_at: At(row.get("received_at")?),
        edit_of: row.id_or_none("edit_of")?.map(MessageId),
    })
}

fn reply_text(row: &Columns<'_>) -> Result<ReplyText, StoreError> {
    Ok(ReplyText {
        id: ReplyId(row.id("id")?),
        session: SessionId(row.id("session")?),
        seq: row.number("seq")?,
        parts: row.json("parts")?,
        covers: row.covers()?,
    })
}
