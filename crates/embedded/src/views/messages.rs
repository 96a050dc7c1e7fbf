//! Lists of messages.

use std::cmp::Reverse;

use replygate_gate::{At, MessageId, SessionId};
use replygate_ports::store::StoreError;
use replygate_ports::views::{MessageQuery, MessageView, Search};
use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{AssertSqlSafe, Sqlite};

use super::{Edge, edge};
use crate::codec::{Columns, blob};
use crate::database::Database;
use crate::error::read_fault;

pub(super) const MESSAGE_COLUMNS: &str = "message.id, session.id AS session_id, message.provider_id, message.kind,
    message.text, message.sent_at, message.received_at, message.state, message.covered_by, message.drop_reason,
    message.edit_of";

/// Along which index a list is read.
enum Along<'a> {
    Channel(&'a str),
    /// The index has the order of writing, so that one person's messages are sorted by their receipt.
    Session(SessionId),
}

/// Which of the rows along an index a query is about.
const RANGE: &str = "(message.received_at, message.id) < (?, ?) AND (message.received_at, message.id) > (?, ?)
    AND message.received_at >= ? AND message.received_at < ? AND message.channel = coalesce(?, message.channel)";
const NEWEST: &str = "ORDER BY message.received_at DESC, message.id DESC";

type Bound<'q> = Query<'q, Sqlite, SqliteArguments>;

impl Along<'_> {
    const fn which(&self) -> &'static str {
        match self {
            Self::Channel(_) => "message.channel = ?",
            Self::Session(_) => "message.session = (SELECT n FROM session WHERE id = ?)",
        }
    }

    /// The statement with what [`Along::which`] and [`RANGE`] ask for.
    fn bound(&self, sql: &str, query: &MessageQuery, behind: Edge) -> Bound<'static> {
        let bound = sqlx::query(AssertSqlSafe(sql.to_owned()));
        let bound = match self {
            Self::Channel(channel) => bound.bind((*channel).to_owned()),
            Self::Session(session) => bound.bind(blob(session.0)),
        };
        let above = query
            .above
            .map_or((i64::MIN, Vec::new()), |(at, id)| (at.0, blob(id.0)));
        bound
            .bind(behind.0)
            .bind(behind.1)
            .bind(above.0)
            .bind(above.1)
            .bind(query.from.map_or(i64::MIN, |at| at.0))
            .bind(query.to.map_or(i64::MAX, |at| at.0))
            .bind(query.channel.clone())
    }
}

impl Database {
    pub(super) async fn message_list(
        &self,
        query: &MessageQuery,
    ) -> Result<Vec<MessageView>, StoreError> {
        if let Some(session) = query.session {
            return self.messages_along(&Along::Session(session), query).await;
        }
        let mut found = Vec::new();
        for channel in self.channels(query.channel.as_deref()).await? {
            found.extend(
                self.messages_along(&Along::Channel(&channel), query)
                    .await?,
            );
        }
        found.sort_by_key(|message| Reverse((message.received_at, message.id)));
        found.truncate(query.limit as usize);
        Ok(found)
    }

    /// The newest message that is not among the first `effort` of its channel.
    pub(super) async fn left_out(
        &self,
        query: &MessageQuery,
        effort: u32,
    ) -> Result<Option<(At, MessageId)>, StoreError> {
        // How far an earlier stretch came says nothing about this one.
        let query = &MessageQuery {
            above: None,
            ..query.clone()
        };
        if let Some(session) = query.session {
            return self
                .left_out_along(&Along::Session(session), query, effort)
                .await;
        }
        let mut newest = None;
        for channel in self.channels(query.channel.as_deref()).await? {
            let along = Along::Channel(&channel);
            newest = newest.max(self.left_out_along(&along, query, effort).await?);
        }
        Ok(newest)
    }

    async fn left_out_along(
        &self,
        along: &Along<'_>,
        query: &MessageQuery,
        effort: u32,
    ) -> Result<Option<(At, MessageId)>, StoreError> {
        let sql = format!(
            "SELECT message.received_at, message.id FROM message WHERE {} AND {RANGE} {NEWEST} LIMIT 1 OFFSET ?",
            along.which()
        );
        let behind = edge(query.after.map(|(at, id)| (at, id.0)));
        let found = along.bound(&sql, query, behind).bind(effort);
        let row = found
            .fetch_optional(&self.inner.viewers)
            .await
            .map_err(read_fault)?;
        row.map(|row| {
            let row = Columns(&row);
            Ok((At(row.get("received_at")?), MessageId(row.id("id")?)))
        })
        .transpose()
    }

    /// A session's messages, the last written first.
    pub(super) async fn session_messages(
        &self,
        session: SessionId,
        after: Option<(At, u128)>,
        limit: u32,
    ) -> Result<Vec<MessageView>, StoreError> {
        let sql = format!(
            "SELECT {MESSAGE_COLUMNS} FROM message CROSS JOIN session ON session.n = message.session
             WHERE message.session = (SELECT n FROM session WHERE id = ?) AND (message.at, message.id) < (?, ?)
             ORDER BY message.at DESC, message.id DESC LIMIT ?"
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
        rows.iter().map(message_view).collect()
    }

    pub(super) async fn message_views(
        &self,
        messages: &[MessageId],
    ) -> Result<Vec<MessageView>, StoreError> {
        let sql = format!(
            "SELECT {MESSAGE_COLUMNS} FROM message JOIN session ON session.n = message.session WHERE message.id"
        );
        let rows = self
            .rows_by_id(&sql, messages.iter().map(|id| id.0))
            .await?;
        rows.iter().map(message_view).collect()
    }

    async fn messages_along(
        &self,
        along: &Along<'_>,
        query: &MessageQuery,
    ) -> Result<Vec<MessageView>, StoreError> {
        let search = Search::new(query.text.as_deref());
        let limit = query.limit as usize;
        let mut behind = edge(query.after.map(|(at, id)| (at, id.0)));
        let mut found: Vec<MessageView> = Vec::new();
        loop {
            let page = self.message_page(along, query, &search, behind).await?;
            let full = page.len() == limit;
            let Some(last) = page.last() else { break };
            behind = (last.received_at.0, blob(last.id.0));
            found.extend(
                page.into_iter()
                    .filter(|message| search.matches(&message.text)),
            );
            if !full || found.len() >= limit {
                break;
            }
        }
        found.truncate(limit);
        Ok(found)
    }

    async fn message_page(
        &self,
        along: &Along<'_>,
        query: &MessageQuery,
        search: &Search,
        behind: Edge,
    ) -> Result<Vec<MessageView>, StoreError> {
        let text = if search.ascii().is_empty() {
            "? = ''"
        } else {
            "instr(lower(message.text), ?) > 0"
        };
        let sql = format!(
            "SELECT {MESSAGE_COLUMNS} FROM message CROSS JOIN session ON session.n = message.session
             WHERE {} AND {RANGE} AND {text} {NEWEST} LIMIT ?",
            along.which()
        );
        let page = along.bound(&sql, query, behind);
        let page = page.bind(search.ascii().to_owned()).bind(query.limit);
        let rows = page
            .fetch_all(&self.inner.viewers)
            .await
            .map_err(read_fault)?;
        rows.iter().map(message_view).collect()
    }
}

/// A row with [`MESSAGE_COLUMNS`].
pub(crate) fn message_view(row: &SqliteRow) -> Result<MessageView, StoreError> {
    let row = Columns(row);
    Ok(MessageView {
        id: MessageId(row.id("id")?),
        session: SessionId(row.id("session_id")?),
        provider_id: row.get("provider_id")?,
        kind: row.word("kind")?,
        text: row.get("text")?,
        sent_at: row.get::<Option<i64>>("sent_at")?.map(At),
        received_at: At(row.get("received_at")?),
        state: row.message_state()?,
        edit_of: row.id_or_none("edit_of")?.map(MessageId),
    })
}
