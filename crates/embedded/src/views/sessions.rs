//! Lists of sessions, each with its newest message and reply.

use std::cmp::Reverse;
use std::collections::HashMap;

use replygate_gate::{At, SessionId};
use replygate_ports::store::{StoreError, Stored};
use replygate_ports::views::{Search, SessionQuery, SessionSummary};
use sqlx::AssertSqlSafe;
use sqlx::sqlite::SqliteRow;

use super::messages::{MESSAGE_COLUMNS, message_view};
use super::replies::{REPLY_COLUMNS, reply_view};
use super::{Edge, edge};
use crate::codec::{Columns, blob};
use crate::database::Database;
use crate::error::read_fault;
use crate::store::known_session;

const COLUMNS: &str =
    "n, id, channel, account, conversation, contact, version, state, last_activity";

struct Row {
    n: i64,
    id: SessionId,
    last_activity: At,
    stored: Stored,
}

impl Database {
    pub(super) async fn session_list(
        &self,
        query: &SessionQuery,
    ) -> Result<Vec<SessionSummary>, StoreError> {
        let mut found = Vec::new();
        for channel in self.channels(query.channel.as_deref()).await? {
            found.extend(self.sessions_of(&channel, query).await?);
        }
        found.sort_by_key(|row| Reverse((row.last_activity, row.id)));
        found.truncate(query.limit as usize);
        self.summaries(found).await
    }

    pub(super) async fn summaries_by_id(
        &self,
        sessions: &[SessionId],
    ) -> Result<Vec<SessionSummary>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM session WHERE id");
        let rows = self
            .rows_by_id(&sql, sessions.iter().map(|id| id.0))
            .await?;
        self.summaries(rows.iter().map(session_row).collect::<Result<_, _>>()?)
            .await
    }

    async fn sessions_of(
        &self,
        channel: &str,
        query: &SessionQuery,
    ) -> Result<Vec<Row>, StoreError> {
        let search = Search::new(query.contact.as_deref());
        let open = if query.open_only { "AND open = 1" } else { "" };
        let sql = format!(
            "SELECT {COLUMNS} FROM session WHERE channel = ? AND (last_activity, id) < (?, ?)
             AND instr(lower(contact), ?) > 0 {open} ORDER BY last_activity DESC, id DESC LIMIT ?"
        );
        let limit = query.limit as usize;
        let mut behind: Edge = edge(query.after.map(|(at, id)| (at, id.0)));
        let mut found: Vec<Row> = Vec::new();
        loop {
            let page = sqlx::query(AssertSqlSafe(sql.clone()))
                .bind(channel)
                .bind(behind.0)
                .bind(behind.1);
            let page = page.bind(search.ascii()).bind(query.limit);
            let page = page
                .fetch_all(&self.inner.viewers)
                .await
                .map_err(read_fault)?;
            let rows = page
                .iter()
                .map(session_row)
                .collect::<Result<Vec<_>, _>>()?;
            let Some(last) = rows.last() else { break };
            behind = (last.last_activity.0, blob(last.id.0));
            found.extend(
                rows.into_iter()
                    .filter(|row| search.matches(&row.stored.key.contact)),
            );
            if page.len() < limit || found.len() >= limit {
                break;
            }
        }
        Ok(found)
    }

    async fn summaries(&self, rows: Vec<Row>) -> Result<Vec<SessionSummary>, StoreError> {
        let numbers: Vec<i64> = rows.iter().map(|row| row.n).collect();
        let mut messages = HashMap::new();
        for row in &self
            .newest(&newest_messages(numbers.len()), &numbers)
            .await?
        {
            let message = message_view(row)?;
            messages.insert(message.session, message);
        }
        let mut replies = HashMap::new();
        for row in &self
            .newest(&newest_replies(numbers.len()), &numbers)
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

    async fn newest(&self, sql: &str, sessions: &[i64]) -> Result<Vec<SqliteRow>, StoreError> {
        let padding = sessions.len().next_power_of_two() - sessions.len();
        let numbers = sessions
            .iter()
            .copied()
            .chain(std::iter::repeat_n(0, padding));
        let query = numbers.fold(
            sqlx::query(AssertSqlSafe(sql.to_owned())),
            sqlx::query::Query::bind,
        );
        query
            .fetch_all(&self.inner.viewers)
            .await
            .map_err(read_fault)
    }
}

fn newest_messages(sessions: usize) -> String {
    let list = vec!["?"; sessions.next_power_of_two()].join(",");
    format!(
        "SELECT {MESSAGE_COLUMNS} FROM session JOIN message ON message.n = (
            SELECT n FROM message WHERE message.session = session.n ORDER BY at DESC, id DESC LIMIT 1
         ) WHERE session.n IN ({list})"
    )
}

fn newest_replies(sessions: usize) -> String {
    let list = vec!["?"; sessions.next_power_of_two()].join(",");
    format!(
        "SELECT {REPLY_COLUMNS} FROM session JOIN reply ON reply.n = (
            SELECT n FROM reply WHERE reply.session = session.n ORDER BY created_at DESC, id DESC LIMIT 1
         ) WHERE session.n IN ({list})"
    )
}

fn session_row(row: &SqliteRow) -> Result<Row, StoreError> {
    let known = known_session(row)?;
    let row = Columns(row);
    Ok(Row {
        n: known.n,
        id: SessionId(row.id("id")?),
        last_activity: At(row.get("last_activity")?),
        stored: known.stored,
    })
}
