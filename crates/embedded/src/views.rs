//! What the console reads. Lists are read per channel along an index and merged, so that a page costs the same however
//! much is stored. Must never change anything.

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

pub(crate) use messages::message_view;
pub(crate) use replies::reply_view;

use crate::codec::{Columns, blob};
use crate::database::Database;
use crate::error::read_fault;
use crate::store::step;

/// The key behind which a page begins: a time, and an identifier's bytes.
type Edge = (i64, Vec<u8>);

/// The edge after `after`; without it one that nothing is behind.
fn edge(after: Option<(At, u128)>) -> Edge {
    after.map_or((i64::MAX, vec![0xff; 17]), |(at, id)| (at.0, blob(id)))
}

#[async_trait]
impl Views for Database {
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
            WHERE session = (SELECT n FROM session WHERE id = ?) AND version < ? ORDER BY version DESC LIMIT ?";
        let before = before
            .and_then(|before| i64::try_from(before).ok())
            .unwrap_or(i64::MAX);
        let query = sqlx::query(sql)
            .bind(blob(session.0))
            .bind(before)
            .bind(limit);
        let rows = query
            .fetch_all(&self.inner.viewers)
            .await
            .map_err(read_fault)?;
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
        // The condition is the index's own, word for word, so that the index is read and nothing else.
        let sql = "SELECT session.id, step.version, step.at, step.actor, step.events
            FROM step INDEXED BY step_judged CROSS JOIN session ON session.n = step.session
            WHERE instr(step.events, '\"event\":\"judged\"') > 0
            AND (step.at, step.session, step.version) < (?1, coalesce((SELECT n FROM session WHERE id = ?2), ?3), ?4)
            AND (?5 IS NULL OR session.channel = ?5)
            ORDER BY step.at DESC, step.session DESC, step.version DESC LIMIT ?6";
        let (at, session, version) = query.after.map_or((i64::MAX, None, i64::MAX), |after| {
            let (at, session, version) = after;
            (
                at.0,
                Some(blob(session.0)),
                i64::try_from(version).unwrap_or(i64::MAX),
            )
        });
        let rows = sqlx::query(sql)
            .bind(at)
            .bind(session)
            .bind(i64::MAX)
            .bind(version)
            .bind(query.channel.as_deref())
            .bind(query.limit)
            .fetch_all(&self.inner.viewers)
            .await
            .map_err(read_fault)?;
        let found = |row| {
            Ok(JudgedStep {
                session: SessionId(Columns(row).id("id")?),
                step: step(row)?,
            })
        };
        rows.iter().map(found).collect()
    }

    async fn channel_figures(&self, channel: &str) -> Result<ChannelFigures, StoreError> {
        let sql = "SELECT (SELECT max(received_at) FROM message WHERE channel = ?1) AS last_inbound,
            (SELECT max(changed_at) FROM reply WHERE channel = ?1 AND status = 'DELIVERED') AS last_delivery,
            (SELECT count(*) FROM reply WHERE channel = ?1 AND status = 'PARKED') AS parked";
        let row = sqlx::query(sql)
            .bind(channel)
            .fetch_one(&self.inner.viewers)
            .await
            .map_err(read_fault)?;
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

impl Database {
    /// The channels that have sessions, or the one that is asked for. Skips along the index instead of reading it.
    pub(crate) async fn channels(&self, only: Option<&str>) -> Result<Vec<String>, StoreError> {
        if let Some(channel) = only {
            return Ok(vec![channel.to_owned()]);
        }
        let sql = "WITH RECURSIVE known (channel) AS (
                SELECT min(channel) FROM session
                UNION ALL
                SELECT (SELECT min(channel) FROM session WHERE channel > known.channel) FROM known
                WHERE known.channel IS NOT NULL
            ) SELECT channel FROM known WHERE channel IS NOT NULL";
        let rows = sqlx::query(sql)
            .fetch_all(&self.inner.viewers)
            .await
            .map_err(read_fault)?;
        rows.iter().map(|row| Columns(row).get("channel")).collect()
    }
}
