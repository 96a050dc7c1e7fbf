//! Figures, read along the indexes that the lists use, channel by channel.

use async_trait::async_trait;
use replygate_gate::{At, ReplyStatus};
use replygate_ports::figures::{Figures, Outcomes, ReplyTime, Stretch};
use replygate_ports::store::StoreError;
use replygate_ports::views::MessageQuery;
use sqlx::AssertSqlSafe;

use crate::codec::{Columns, blob};
use crate::database::Database;
use crate::error::read_fault;

#[async_trait]
impl Figures for Database {
    async fn outcomes(&self, stretch: &Stretch, step_ms: u64) -> Result<Vec<Outcomes>, StoreError> {
        let sql = "SELECT (changed_at - ?1) / ?2 AS part, count(*) AS many FROM reply
            WHERE channel = ?3 AND status = ?4 AND changed_at >= ?1 AND changed_at < ?5 GROUP BY part";
        let step = step_ms.max(1) as i64;
        let mut parts: Vec<Outcomes> = Vec::new();
        for channel in self.channels(stretch.channel.as_deref()).await? {
            for status in ReplyStatus::ALL {
                let query = sqlx::query(sql).bind(stretch.from.0).bind(step);
                let query = query.bind(&channel).bind(status.as_str());
                let rows = query
                    .bind(stretch.to.0)
                    .fetch_all(&self.inner.viewers)
                    .await
                    .map_err(read_fault)?;
                for row in &rows {
                    let row = Columns(row);
                    let part: i64 = row.get("part")?;
                    parts.push(Outcomes {
                        at: At(stretch.from.0 + part * step),
                        status: *status,
                        count: row.number("many")?,
                    });
                }
            }
        }
        parts.sort_by_key(|part| (part.at, part.status));
        Ok(joined(parts))
    }

    async fn reply_times(
        &self,
        stretch: &Stretch,
        limit: u32,
    ) -> Result<Vec<ReplyTime>, StoreError> {
        let sql = "SELECT reply.changed_at, message.received_at FROM reply CROSS JOIN message
            ON message.id = substr(reply.covers, -16)
            WHERE reply.channel = ? AND reply.status = 'DELIVERED' AND reply.generation = 0
            AND reply.changed_at >= ? AND reply.changed_at < ?
            ORDER BY reply.changed_at DESC, reply.id DESC LIMIT ?";
        let mut times = Vec::new();
        for channel in self.channels(stretch.channel.as_deref()).await? {
            let query = sqlx::query(sql).bind(&channel).bind(stretch.from.0);
            let rows = query
                .bind(stretch.to.0)
                .bind(limit)
                .fetch_all(&self.inner.viewers)
                .await
                .map_err(read_fault)?;
            for row in &rows {
                let row = Columns(row);
                let at = At(row.get("changed_at")?);
                times.push(ReplyTime {
                    at,
                    waited_ms: at.since(At(row.get("received_at")?)),
                });
            }
        }
        times.sort_by_key(|time| std::cmp::Reverse(time.at));
        times.truncate(limit as usize);
        Ok(times)
    }

    async fn count_sessions(
        &self,
        channel: Option<&str>,
        open_only: bool,
        most: u32,
    ) -> Result<u32, StoreError> {
        let open = if open_only { "AND open = 1" } else { "" };
        let sql = format!(
            "SELECT count(*) AS many FROM (SELECT 1 FROM session WHERE channel = ? {open} LIMIT ?)"
        );
        let mut many = 0;
        for channel in self.channels(channel).await? {
            let counted = sqlx::query(AssertSqlSafe(sql.clone())).bind(&channel);
            let row = counted
                .bind(most.saturating_sub(many))
                .fetch_one(&self.inner.viewers)
                .await
                .map_err(read_fault)?;
            many += Columns(&row).number::<u32>("many")?;
        }
        Ok(many)
    }

    async fn count_messages(&self, query: &MessageQuery, most: u32) -> Result<u32, StoreError> {
        let (from, to) = (
            query.from.map_or(i64::MIN, |at| at.0),
            query.to.map_or(i64::MAX, |at| at.0),
        );
        if let Some(session) = query.session {
            let sql = "SELECT count(*) AS many FROM (SELECT 1 FROM message
                WHERE session = (SELECT n FROM session WHERE id = ?) AND received_at >= ? AND received_at < ? LIMIT ?)";
            let counted = sqlx::query(sql).bind(blob(session.0)).bind(from).bind(to);
            let row = counted
                .bind(most)
                .fetch_one(&self.inner.viewers)
                .await
                .map_err(read_fault)?;
            return Columns(&row).number("many");
        }
        let sql = "SELECT count(*) AS many FROM (SELECT 1 FROM message
            WHERE channel = ? AND received_at >= ? AND received_at < ? LIMIT ?)";
        let mut many = 0;
        for channel in self.channels(query.channel.as_deref()).await? {
            let counted = sqlx::query(sql).bind(&channel).bind(from).bind(to);
            let row = counted
                .bind(most.saturating_sub(many))
                .fetch_one(&self.inner.viewers)
                .await
                .map_err(read_fault)?;
            many += Columns(&row).number::<u32>("many")?;
        }
        Ok(many)
    }
}

/// The counts of several channels as one.
fn joined(sorted: Vec<Outcomes>) -> Vec<Outcomes> {
    let mut joined: Vec<Outcomes> = Vec::with_capacity(sorted.len());
    for part in sorted {
        match joined.last_mut() {
            Some(last) if last.at == part.at && last.status == part.status => {
                last.count += part.count;
            }
            _ => joined.push(part),
        }
    }
    joined
}
