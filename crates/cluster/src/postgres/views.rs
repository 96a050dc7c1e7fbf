//! What the console reads. Lists are read along an index, each channel for itself and merged, so that a page costs the same
//! however much is stored. Must never change anything.

mod messages;
mod replies;
mod sessions;

use std::cmp::Reverse;

use async_trait::async_trait;
use replygate_gate::{At, MessageId, ReplyId, ReplyStatus, SessionId};
use replygate_ports::store::{Step, StoreError};
use replygate_ports::views::{
    ChannelFigures, JudgedQuery, JudgedStep, Line, MessageQuery, MessageView, ReplyQuery,
    ReplyView, SessionQuery, SessionSummary, Views,
};
use sqlx::types::Uuid;

pub(super) use messages::message_view;
pub(super) use replies::reply_view;

use super::Postgres;
use super::codec::{Columns, escaped, uuid};
use super::store::step;

/// The key behind which a page begins: a time, and an identifier.
type Edge = (i64, Uuid);

/// The edge after `after`; without it one that nothing is behind.
fn edge(after: Option<(At, u128)>) -> Edge {
    after.map_or((i64::MAX, Uuid::max()), |(at, id)| (at.0, uuid(id)))
}

#[async_trait]
impl Views for Postgres {
    async fn sessions(&self, query: &SessionQuery) -> Result<Vec<SessionSummary>, StoreError> {
        self.session_list(query).await
    }

    async fn session_summaries(
        &self,
        sessions: &[SessionId],
    ) -> Result<Vec<SessionSummary>, StoreError> {
        self.summaries_by_id(sessions).await
    }

    async fn conversation(
        &self,
        session: SessionId,
        after: Option<(At, u128)>,
        limit: u32,
    ) -> Result<Vec<Line>, StoreError> {
        let messages = self.session_messages(session, after, limit).await?;
        let replies = self.session_replies(session, after, limit).await?;
        let mut lines: Vec<Line> = messages.into_iter().map(Line::Message).collect();
        lines.extend(replies.into_iter().map(Line::Reply));
        lines.sort_by_key(|line| Reverse(line.place()));
        lines.truncate(limit as usize);
        Ok(lines)
    }

    async fn timeline(
        &self,
        session: SessionId,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<Step>, StoreError> {
        let sql = "SELECT version, at, actor, events FROM step
            WHERE session = $1 AND version < $2 ORDER BY version DESC LIMIT $3";
        let before = before
            .and_then(|before| i64::try_from(before).ok())
            .unwrap_or(i64::MAX);
        let query = sqlx::query(sql).bind(uuid(session.0)).bind(before);
        let rows = self
            .inner
            .readers
            .rows(query.bind(i64::from(limit)))
            .await?;
        rows.iter().map(step).collect()
    }

    async fn messages(&self, query: &MessageQuery) -> Result<Vec<MessageView>, StoreError> {
        self.message_list(query).await
    }

    async fn reach(
        &self,
        query: &MessageQuery,
        effort: u32,
    ) -> Result<Option<(At, MessageId)>, StoreError> {
        self.left_out(query, effort).await
    }

    async fn messages_by_id(&self, messages: &[MessageId]) -> Result<Vec<MessageView>, StoreError> {
        self.message_views(messages).await
    }

    async fn reply_list(&self, query: &ReplyQuery) -> Result<Vec<ReplyView>, StoreError> {
        self.reply_page(query).await
    }

    async fn replies_by_id(&self, replies: &[ReplyId]) -> Result<Vec<ReplyView>, StoreError> {
        self.reply_views(replies).await
    }

    async fn replies_covering(
        &self,
        session: SessionId,
        message: MessageId,
    ) -> Result<Vec<ReplyView>, StoreError> {
        self.covering(session, message).await
    }

    async fn judged(&self, query: &JudgedQuery) -> Result<Vec<JudgedStep>, StoreError> {
        let sql = "SELECT step.session AS id, step.version, step.at, step.actor, step.events
            FROM step JOIN session ON session.id = step.session
            WHERE position('\"event\":\"judged\"' in step.events) > 0
            AND (step.at, step.session, step.version) < ($1, $2, $3)
            AND ($4 IS NULL OR session.channel = $4)
            ORDER BY step.at DESC, step.session DESC, step.version DESC LIMIT $5";
        let (at, session, version) =
            query
                .after
                .map_or((i64::MAX, Uuid::max(), i64::MAX), |after| {
                    let (at, session, version) = after;
                    (
                        at.0,
                        uuid(session.0),
                        i64::try_from(version).unwrap_or(i64::MAX),
                    )
                });
        let query = sqlx::query(sql)
            .bind(at)
            .bind(session)
            .bind(version)
            .bind(query.channel.as_deref().map(escaped))
            .bind(i64::from(query.limit));
        let rows = self.inner.readers.rows(query).await?;
        let found = |row| {
            Ok(JudgedStep {
                session: SessionId(Columns(row).id("id")?),
                step: step(row)?,
            })
        };
        rows.iter().map(found).collect()
    }

    async fn channel_figures(&self, channel: &str) -> Result<ChannelFigures, StoreError> {
        let sql = "SELECT (SELECT max(received_at) FROM message WHERE channel = $1) AS last_inbound,
            (SELECT max(changed_at) FROM reply WHERE channel = $1 AND status = 'DELIVERED') AS last_delivery,
            (SELECT count(*) FROM reply WHERE channel = $1 AND status = 'PARKED') AS parked";
        let query = sqlx::query(sql).bind(escaped(channel));
        let Some(row) = self.inner.counters.row(query).await? else {
            return Ok(ChannelFigures::default());
        };
        let row = Columns(&row);
        Ok(ChannelFigures {
            last_inbound: row.get::<Option<i64>>("last_inbound")?.map(At),
            last_delivery: row.get::<Option<i64>>("last_delivery")?.map(At),
            parked: row.number("parked")?,
        })
    }

    async fn open_counts(&self) -> Result<Vec<(ReplyStatus, u64)>, StoreError> {
        self.count_open().await
    }
}

/// The channels that have sessions, `$1` alone when it is given. Skips along the index instead of reading it.
pub(super) const CHANNELS: &str = "WITH RECURSIVE known (channel) AS (
        SELECT coalesce($1, (SELECT min(channel) FROM agenda))
        UNION ALL
        SELECT (SELECT min(channel) FROM agenda WHERE channel > known.channel) FROM known
        WHERE $1 IS NULL AND known.channel IS NOT NULL
    ), channels AS (SELECT channel FROM known WHERE channel IS NOT NULL)";
