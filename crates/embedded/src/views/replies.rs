//! Lists of replies.

use std::cmp::Reverse;

use replygate_gate::{At, MessageId, ReplyId, ReplyStatus, SessionId, Usage};
use replygate_ports::store::StoreError;
use replygate_ports::views::{ReplyQuery, ReplyView};
use sqlx::AssertSqlSafe;
use sqlx::sqlite::SqliteRow;

use super::edge;
use crate::codec::{Columns, blob};
use crate::database::Database;
use crate::error::read_fault;

pub(super) const REPLY_COLUMNS: &str = "reply.id, session.id AS session_id, reply.seq, reply.status, reply.parts,
    reply.covers, reply.author, reply.effects, reply.created_at, reply.due_at, reply.changed_at, reply.generation,
    reply.attempts, reply.park_reason, reply.code, reply.superseded_by, reply.receipt, reply.cut, reply.sent,
    reply.input_tokens, reply.cached_tokens, reply.output_tokens, reply.tokens_estimated";

impl Database {
    pub(super) async fn reply_page(
        &self,
        query: &ReplyQuery,
    ) -> Result<Vec<ReplyView>, StoreError> {
        let statuses = if query.statuses.is_empty() {
            ReplyStatus::ALL
        } else {
            &query.statuses
        };
        let mut found = Vec::new();
        for channel in self.channels(query.channel.as_deref()).await? {
            for status in statuses {
                found.extend(self.replies_in(&channel, *status, query).await?);
            }
        }
        found.sort_by_key(|reply| Reverse((reply.changed_at, reply.id)));
        found.dedup_by_key(|reply| reply.id);
        found.truncate(query.limit as usize);
        Ok(found)
    }

    async fn replies_in(
        &self,
        channel: &str,
        status: ReplyStatus,
        query: &ReplyQuery,
    ) -> Result<Vec<ReplyView>, StoreError> {
        let sql = format!(
            "SELECT {REPLY_COLUMNS} FROM reply CROSS JOIN session ON session.n = reply.session
             WHERE reply.channel = ? AND reply.status = ? AND (reply.changed_at, reply.id) < (?, ?)
             ORDER BY reply.changed_at DESC, reply.id DESC LIMIT ?"
        );
        let (at, id) = edge(query.after.map(|(at, id)| (at, id.0)));
        let page = sqlx::query(AssertSqlSafe(sql))
            .bind(channel)
            .bind(status.as_str());
        let page = page.bind(at).bind(id).bind(query.limit);
        let rows = page
            .fetch_all(&self.inner.viewers)
            .await
            .map_err(read_fault)?;
        rows.iter().map(reply_view).collect()
    }

    pub(super) async fn session_replies(
        &self,
        session: SessionId,
        after: Option<(At, u128)>,
        limit: u32,
    ) -> Result<Vec<ReplyView>, StoreError> {
        let sql = format!(
            "SELECT {REPLY_COLUMNS} FROM reply CROSS JOIN session ON session.n = reply.session
             WHERE reply.session = (SELECT n FROM session WHERE id = ?) AND (reply.created_at, reply.id) < (?, ?)
             ORDER BY reply.created_at DESC, reply.id DESC LIMIT ?"
        );
        let (at, id) = edge(after);
        let page = sqlx::query(AssertSqlSafe(sql))
            .bind(blob(session.0))
            .bind(at)
            .bind(id)
            .bind(limit);
        let rows = page
            .fetch_all(&self.inner.viewers)
            .await
            .map_err(read_fault)?;
        rows.iter().map(reply_view).collect()
    }

    pub(super) async fn reply_views(
        &self,
        replies: &[ReplyId],
    ) -> Result<Vec<ReplyView>, StoreError> {
        let sql = format!(
            "SELECT {REPLY_COLUMNS} FROM reply JOIN session ON session.n = reply.session WHERE reply.id"
        );
        let rows = self.rows_by_id(&sql, replies.iter().map(|id| id.0)).await?;
        rows.iter().map(reply_view).collect()
    }

    pub(super) async fn covering(
        &self,
        session: SessionId,
        message: MessageId,
    ) -> Result<Vec<ReplyView>, StoreError> {
        let sql = format!(
            "SELECT {REPLY_COLUMNS} FROM reply CROSS JOIN session ON session.n = reply.session
             WHERE reply.session = (SELECT n FROM session WHERE id = ?) AND instr(reply.covers, ?) > 0
             ORDER BY reply.created_at, reply.id"
        );
        let query = sqlx::query(AssertSqlSafe(sql))
            .bind(blob(session.0))
            .bind(blob(message.0));
        let rows = query
            .fetch_all(&self.inner.viewers)
            .await
            .map_err(read_fault)?;
        let replies: Vec<ReplyView> = rows.iter().map(reply_view).collect::<Result<_, _>>()?;
        Ok(replies
            .into_iter()
            .filter(|reply| reply.covers.contains(&message))
            .collect())
    }

    pub(super) async fn count_open(&self) -> Result<Vec<(ReplyStatus, u64)>, StoreError> {
        let sql = "SELECT count(*) AS many FROM reply WHERE channel = ? AND status = ?";
        let channels = self.channels(None).await?;
        let mut counts = Vec::new();
        for status in ReplyStatus::ALL.iter().filter(|status| !status.is_final()) {
            let mut many = 0;
            for channel in &channels {
                let query = sqlx::query(sql).bind(channel).bind(status.as_str());
                let row = query
                    .fetch_one(&self.inner.viewers)
                    .await
                    .map_err(read_fault)?;
                many += Columns(&row).number::<u64>("many")?;
            }
            counts.extend((many > 0).then_some((*status, many)));
        }
        Ok(counts)
    }
}

/// A row with [`REPLY_COLUMNS`].
pub(crate) fn reply_view(row: &SqliteRow) -> Result<ReplyView, StoreError> {
    let row = Columns(row);
    Ok(ReplyView {
        id: ReplyId(row.id("id")?),
        session: SessionId(row.id("session_id")?),
        seq: row.number("seq")?,
        status: row.word("status")?,
        parts: row.json("parts")?,
        covers: row.covers()?,
        author: row.word("author")?,
        effects: row.get("effects")?,
        created_at: At(row.get("created_at")?),
        due_at: At(row.get("due_at")?),
        changed_at: At(row.get("changed_at")?),
        generation: row.number("generation")?,
        attempts: row.number("attempts")?,
        park_reason: row.word_or_none("park_reason")?,
        code: row.get("code")?,
        superseded_by: row.id_or_none("superseded_by")?.map(ReplyId),
        receipt: row.get("receipt")?,
        cut: row.get("cut")?,
        sent: row.number("sent")?,
        usage: Usage {
            input: row.number("input_tokens")?,
            cached: row.number("cached_tokens")?,
            output: row.number("output_tokens")?,
            estimated: row.get("tokens_estimated")?,
        },
    })
}
