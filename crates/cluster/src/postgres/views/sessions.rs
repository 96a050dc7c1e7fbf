//! Lists of sessions, each with its newest message and reply.

use std::collections::HashMap;

use replygate_gate::{At, SessionId};
use replygate_ports::store::{StoreError, Stored};
use replygate_ports::views::{Search, SessionQuery, SessionSummary};
use sqlx::AssertSqlSafe;
use sqlx::postgres::PgRow;
use sqlx::types::Uuid;

use super::messages::{MESSAGE_COLUMNS, message_view};
use super::replies::{REPLY_COLUMNS, reply_view};
use super::{CHANNELS, Edge, edge};
use crate::postgres::Postgres;
use crate::postgres::codec::{Columns, escaped, uuid};
use crate::postgres::store::{known_session, uuids};

struct Row {
    id: SessionId,
    last_activity: At,
    stored: Stored,
}

/// A session's columns and those of its agenda.
const COLUMNS: &str = "session.id, session.life, session.channel, session.account, session.conversation, session.contact,
    session.version, session.state, agenda.last_activity";

impl Postgres {
    pub(super) async fn session_list(
        &self,
        query: &SessionQuery,
    ) -> Result<Vec<SessionSummary>, StoreError> {
        let search = Search::new(query.contact.as_deref());
        let limit = query.limit as usize;
        let mut behind = edge(query.after.map(|(at, id)| (at, id.0)));
        let mut found: Vec<Row> = Vec::new();
        loop {
            let page = self.session_page(query, &search, behind).await?;
            let is_full = page.len() == limit;
            let Some(last) = page.last() else { break };
            behind = (last.last_activity.0, uuid(last.id.0));
            found.extend(
                page.into_iter()
                    .filter(|row| search.matches(&row.stored.key.contact)),
            );
            if !is_full || found.len() >= limit {
                break;
            }
        }
        found.truncate(limit);
        self.summaries(found).await
    }

    pub(super) async fn summaries_by_id(
        &self,
        sessions: &[SessionId],
    ) -> Result<Vec<SessionSummary>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM session JOIN agenda ON agenda.session = session.id WHERE session.id = ANY($1)"
        );
        let query = sqlx::query(AssertSqlSafe(sql)).bind(uuids(sessions.iter().map(|id| id.0)));
        let rows = self.inner.readers.rows(query).await?;
        self.summaries(rows.iter().map(session_row).collect::<Result<_, _>>()?)
            .await
    }

    async fn session_page(
        &self,
        query: &SessionQuery,
        search: &Search,
        behind: Edge,
    ) -> Result<Vec<Row>, StoreError> {
        let open = if query.open_only {
            "AND agenda.open"
        } else {
            ""
        };
        let sql = format!(
            "{CHANNELS} SELECT page.* FROM channels CROSS JOIN LATERAL (
                SELECT {COLUMNS} FROM agenda JOIN session ON session.id = agenda.session
                WHERE agenda.channel = channels.channel AND (agenda.last_activity, agenda.session) < ($2, $3) {open}
                AND ($4 = '' OR position($4 in lower(session.contact)) > 0)
                ORDER BY agenda.last_activity DESC, agenda.session DESC LIMIT $5
             ) AS page ORDER BY last_activity DESC, id DESC LIMIT $5"
        );
        let page = sqlx::query(AssertSqlSafe(sql))
            .bind(query.channel.as_deref().map(escaped))
            .bind(behind.0)
            .bind(behind.1)
            .bind(escaped(search.ascii()))
            .bind(i64::from(query.limit));
        let rows = self.inner.readers.rows(page).await?;
        rows.iter().map(session_row).collect()
    }

    async fn summaries(&self, rows: Vec<Row>) -> Result<Vec<SessionSummary>, StoreError> {
        let ids = uuids(rows.iter().map(|row| row.id.0));
        let mut messages = HashMap::new();
        for row in &self.newest("message", MESSAGE_COLUMNS, "at", &ids).await? {
            let message = message_view(row)?;
            messages.insert(message.session, message);
        }
        let mut replies = HashMap::new();
        for row in &self
            .newest("reply", REPLY_COLUMNS, "created_at", &ids)
            .await?
        {
            let reply = reply_view(row)?;
            replies.insert(reply.session, reply);
        }
        let summary = |row: Row| SessionSummary {
            id: row.id,
            stored: row.stored,
            last_activity: row.last_activity,
            last_message: messages.remove(&row.id),
            last_reply: replies.remove(&row.id),
        };
        Ok(rows.into_iter().map(summary).collect())
    }

    /// Each session's newest row of a table.
    async fn newest(
        &self,
        table: &'static str,
        columns: &'static str,
        by: &'static str,
        sessions: &[Uuid],
    ) -> Result<Vec<PgRow>, StoreError> {
        let sql = format!(
            "SELECT newest.* FROM unnest($1) AS asked (id) CROSS JOIN LATERAL (
                SELECT {columns} FROM {table} WHERE session = asked.id ORDER BY {by} DESC, {table}.id DESC LIMIT 1
             ) AS newest"
        );
        self.inner
            .readers
            .rows(sqlx::query(AssertSqlSafe(sql)).bind(sessions))
            .await
    }
}

fn session_row(row: &PgRow) -> Result<Row, StoreError> {
    let known = known_session(row)?;
    let row = Columns(row);
    Ok(Row {
        id: SessionId(row.id("id")?),
        last_activity: At(row.get("last_activity")?),
        stored: known.stored,
    })
}
