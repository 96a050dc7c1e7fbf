//! Figures, read along the indexes that the lists use, channel by channel. Counts go by a connection of their own, whose
//! statements are given up early.

use async_trait::async_trait;
use replygate_gate::{At, ReplyStatus};
use replygate_ports::figures::{Figures, Outcomes, ReplyTime, Stretch};
use replygate_ports::store::StoreError;
use replygate_ports::views::MessageQuery;
use sqlx::AssertSqlSafe;

use super::Postgres;
use super::codec::{Columns, escaped, uuid};
use super::views::CHANNELS;

#[async_trait]
impl Figures for Postgres {
    async fn outcomes(&self, stretch: &Stretch, step_ms: u64) -> Result<Vec<Outcomes>, StoreError> {
        let sql = format!(
            "{CHANNELS} SELECT (changed_at - $2) / $3 AS part, reply.status AS status, count(*) AS many
             FROM channels CROSS JOIN unnest($4) AS statuses (status)
             JOIN reply ON reply.channel = channels.channel AND reply.status = statuses.status COLLATE \"C\"
             WHERE changed_at >= $2 AND changed_at < $5 GROUP BY 1, 2"
        );
        let step = step_ms.max(1) as i64;
        let statuses: Vec<&str> = ReplyStatus::ALL.iter().map(|own| own.as_str()).collect();
        let query = sqlx::query(AssertSqlSafe(sql))
            .bind(stretch.channel.as_deref().map(escaped))
            .bind(stretch.from.0)
            .bind(step)
            .bind(statuses)
            .bind(stretch.to.0);
        let rows = self.inner.readers.rows(query).await?;
        let mut parts = Vec::with_capacity(rows.len());
        for row in &rows {
            let row = Columns(row);
            parts.push(Outcomes {
                at: At(stretch.from.0 + row.get::<i64>("part")? * step),
                status: row.word("status")?,
                count: row.number("many")?,
            });
        }
        parts.sort_by_key(|part| (part.at, part.status));
        Ok(parts)
    }

    async fn reply_times(
        &self,
        stretch: &Stretch,
        limit: u32,
    ) -> Result<Vec<ReplyTime>, StoreError> {
        let sql = format!(
            "{CHANNELS} SELECT page.changed_at, message.received_at FROM channels CROSS JOIN LATERAL (
                SELECT changed_at, id, covers FROM reply WHERE channel = channels.channel AND status = 'DELIVERED'
                AND changed_at >= $2 AND changed_at < $3 AND generation = 0 AND covers <> ''
                ORDER BY changed_at DESC, id DESC LIMIT $4
             ) AS page
             JOIN message ON message.id = encode(substring(page.covers FROM octet_length(page.covers) - 15), 'hex')::uuid
             ORDER BY page.changed_at DESC, page.id DESC LIMIT $4"
        );
        let query = sqlx::query(AssertSqlSafe(sql))
            .bind(stretch.channel.as_deref().map(escaped))
            .bind(stretch.from.0)
            .bind(stretch.to.0)
            .bind(i64::from(limit));
        let rows = self.inner.readers.rows(query).await?;
        let time = |row| {
            let row = Columns(row);
            let at = At(row.get("changed_at")?);
            Ok(ReplyTime {
                at,
                waited_ms: at.since(At(row.get("received_at")?)),
            })
        };
        rows.iter().map(time).collect()
    }

    async fn count_sessions(
        &self,
        channel: Option<&str>,
        open_only: bool,
        most: u32,
    ) -> Result<u32, StoreError> {
        let open = if open_only { "AND agenda.open" } else { "" };
        let sql = format!(
            "{CHANNELS} SELECT count(*) AS many FROM (
                SELECT 1 FROM channels JOIN agenda ON agenda.channel = channels.channel WHERE true {open} LIMIT $2
             ) AS counted"
        );
        let query = sqlx::query(AssertSqlSafe(sql))
            .bind(channel.map(escaped))
            .bind(i64::from(most));
        counted(self.inner.counters.row(query).await?.as_ref())
    }

    async fn count_messages(&self, query: &MessageQuery, most: u32) -> Result<u32, StoreError> {
        let (from, to) = (
            query.from.map_or(i64::MIN, |at| at.0),
            query.to.map_or(i64::MAX, |at| at.0),
        );
        let row = if let Some(session) = query.session {
            let sql = "SELECT count(*) AS many FROM (SELECT 1 FROM message
                WHERE session = $1 AND received_at >= $2 AND received_at < $3 LIMIT $4) AS counted";
            let counted = sqlx::query(sql).bind(uuid(session.0)).bind(from).bind(to);
            let counted = counted.bind(i64::from(most));
            self.inner.counters.row(counted).await?
        } else {
            let sql = format!(
                "{CHANNELS} SELECT count(*) AS many FROM (
                    SELECT 1 FROM channels JOIN message ON message.channel = channels.channel
                    WHERE received_at >= $2 AND received_at < $3 LIMIT $4
                 ) AS counted"
            );
            let counted = sqlx::query(AssertSqlSafe(sql))
                .bind(query.channel.as_deref().map(escaped))
                .bind(from)
                .bind(to)
                .bind(i64::from(most));
            self.inner.counters.row(counted).await?
        };
        counted(row.as_ref())
    }
}

pub(super) fn counted(row: Option<&sqlx::postgres::PgRow>) -> Result<u32, StoreError> {
    row.map_or(Ok(0), |row| Columns(row).number("many"))
}
