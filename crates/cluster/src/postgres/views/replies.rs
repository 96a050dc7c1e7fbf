//! Lists of replies.

use replygate_gate::{At, MessageId, ReplyId, ReplyStatus, SessionId, Usage};
use replygate_ports::store::StoreError;
use replygate_ports::views::{ReplyQuery, ReplyView};
use sqlx::AssertSqlSafe;
use sqlx::postgres::PgRow;

use super::{CHANNELS, edge};
use crate::postgres::Postgres;
use crate::postgres::codec::{Columns, escaped, uuid};
use crate::postgres::store::uuids;

pub(super) const REPLY_COLUMNS: &str =
    "id, session, seq, status, parts, covers, author, effects, created_at, due_at,
    changed_at, generation, attempts, park_reason, code, superseded_by, receipt, cut, sent, input_tokens, cached_tokens,
    output_tokens, tokens_estimated";

impl Postgres {
    pub(super) async fn reply_page(
        &self,
        query: &ReplyQuery,
    ) -> Result<Vec<ReplyView>, StoreError> {
        let asked = if query.statuses.is_empty() {
            ReplyStatus::ALL
        } else {
            &query.statuses
        };
        let statuses: Vec<&str> = asked.iter().map(|status| status.as_str()).collect();
        let sql = format!(
            "{CHANNELS} SELECT page.* FROM channels CROSS JOIN (SELECT DISTINCT unnest($2) AS status) AS statuses
             CROSS JOIN LATERAL (
                SELECT {REPLY_COLUMNS} FROM reply WHERE channel = channels.channel AND status = statuses.status
                AND (changed_at, id) < ($3, $4) ORDER BY changed_at DESC, id DESC LIMIT $5
             ) AS page ORDER BY changed_at DESC, id DESC LIMIT $5"
        );
        let (at, id) = edge(query.after.map(|(at, id)| (at, id.0)));
        let page = sqlx::query(AssertSqlSafe(sql))
            .bind(query.channel.as_deref().map(escaped))
            .bind(statuses)
            .bind(at)
            .bind(id)
            .bind(i64::from(query.limit));
        let rows = self.inner.readers.rows(page).await?;
        rows.iter().map(reply_view).collect()
    }

    pub(super) async fn session_replies(
        &self,
        session: SessionId,
        after: Option<(At, u128)>,
        limit: u32,
    ) -> Result<Vec<ReplyView>, StoreError> {
        let sql = format!(
            "SELECT {REPLY_COLUMNS} FROM reply WHERE session = $1 AND (created_at, id) < ($2, $3)
             ORDER BY created_at DESC, id DESC LIMIT $4"
        );
        let (at, id) = edge(after);
        let page = sqlx::query(AssertSqlSafe(sql))
            .bind(uuid(session.0))
            .bind(at)
            .bind(id);
        let rows = self.inner.readers.rows(page.bind(i64::from(limit))).await?;
        rows.iter().map(reply_view).collect()
    }

    pub(super) async fn reply_views(
        &self,
        replies: &[ReplyId],
    ) -> Result<Vec<ReplyView>, StoreError> {
        let sql = format!("SELECT {REPLY_COLUMNS} FROM reply WHERE id = ANY($1)");
        let query = sqlx::query(AssertSqlSafe(sql)).bind(uuids(replies.iter().map(|id| id.0)));
        let rows = self.inner.readers.rows(query).await?;
        rows.iter().map(reply_view).collect()
    }

    pub(super) async fn covering(
        &self,
        session: SessionId,
        message: MessageId,
    ) -> Result<Vec<ReplyView>, StoreError> {
        let sql = format!(
            "SELECT {REPLY_COLUMNS} FROM reply WHERE session = $1 AND position($2 in covers) > 0
             ORDER BY created_at, id"
        );
        let query = sqlx::query(AssertSqlSafe(sql)).bind(uuid(session.0));
        let bytes = message.0.to_be_bytes();
        let rows = self
            .inner
            .readers
            .rows(query.bind(bytes.as_slice()))
            .await?;
        let replies: Vec<ReplyView> = rows.iter().map(reply_view).collect::<Result<_, _>>()?;
        // The bytes may also have met the end of one identifier and the beginning of the next.
        let covers = |reply: &ReplyView| reply.covers.contains(&message);
        Ok(replies.into_iter().filter(covers).collect())
    }

    pub(super) async fn count_open(&self) -> Result<Vec<(ReplyStatus, u64)>, StoreError> {
        let open = ReplyStatus::ALL.iter().filter(|status| !status.is_final());
        let words: Vec<&str> = open.map(|status| status.as_str()).collect();
        let sql = format!(
            "{CHANNELS} SELECT status, count(*) AS many FROM channels JOIN reply USING (channel)
             WHERE status = ANY($2) GROUP BY status"
        );
        let query = sqlx::query(AssertSqlSafe(sql))
            .bind(None::<&str>)
            .bind(words);
        let rows = self.inner.counters.rows(query).await?;
        let count = |row| {
            let row = Columns(row);
            Ok((row.word("status")?, row.number("many")?))
        };
        rows.iter().map(count).collect()
    }
}

/// A row with [`REPLY_COLUMNS`].
pub(crate) fn reply_view(row: &PgRow) -> Result<ReplyView, StoreError> {
    let row = Columns(row);
    Ok(ReplyView {
        id: ReplyId(row.id("id")?),
        session: SessionId(row.id("session")?),
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
        code: row.text_or_none("code")?,
        superseded_by: row.id_or_none("superseded_by")?.map(ReplyId),
        receipt: row.text_or_none("receipt")?,
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
