//! Lists of messages.

use replygate_gate::{At, MessageId, SessionId};
use replygate_ports::store::StoreError;
use replygate_ports::views::{MessageQuery, MessageView, Search};
use sqlx::AssertSqlSafe;
use sqlx::postgres::PgRow;
use sqlx::types::Uuid;

use super::{CHANNELS, Edge, edge};
use crate::postgres::Postgres;
use crate::postgres::codec::{Columns, escaped, uuid};
use crate::postgres::store::uuids;

pub(super) const MESSAGE_COLUMNS: &str =
    "id, session, provider_id, kind, text, sent_at, received_at, state, covered_by,
    drop_reason, edit_of";

impl Postgres {
    pub(super) async fn message_list(
        &self,
        query: &MessageQuery,
    ) -> Result<Vec<MessageView>, StoreError> {
        let search = Search::new(query.text.as_deref());
        let limit = query.limit as usize;
        let mut behind = edge(query.after.map(|(at, id)| (at, id.0)));
        let mut found: Vec<MessageView> = Vec::new();
        loop {
            let page = self.message_page(query, &search, behind).await?;
            let is_full = page.len() == limit;
            let Some(last) = page.last() else { break };
            behind = (last.received_at.0, uuid(last.id.0));
            found.extend(
                page.into_iter()
                    .filter(|message| search.matches(&message.text)),
            );
            if !is_full || found.len() >= limit {
                break;
            }
        }
        found.truncate(limit);
        Ok(found)
    }

    /// The newest message that is not among the first `effort` of its channel.
    pub(super) async fn left_out(
        &self,
        query: &MessageQuery,
        effort: u32,
    ) -> Result<Option<(At, MessageId)>, StoreError> {
        let which = "(received_at, id) < ($2, $3) AND received_at >= $4 AND received_at < $5";
        let newest = "ORDER BY received_at DESC, id DESC LIMIT 1";
        let sql = match query.session {
            Some(_) => format!(
                "SELECT received_at, id FROM message
                    WHERE session = $7 AND channel = coalesce($1, channel) AND {which} {newest} OFFSET $6"
            ),
            None => format!(
                "{CHANNELS} SELECT page.* FROM channels CROSS JOIN LATERAL (
                    SELECT received_at, id FROM message WHERE channel = channels.channel AND {which} {newest} OFFSET $6
                ) AS page {newest}"
            ),
        };
        let (at, id) = edge(query.after.map(|(at, id)| (at, id.0)));
        let asked = sqlx::query(AssertSqlSafe(sql))
            .bind(query.channel.as_deref().map(escaped))
            .bind(at)
            .bind(id)
            .bind(query.from.map_or(i64::MIN, |at| at.0))
            .bind(query.to.map_or(i64::MAX, |at| at.0))
            .bind(i64::from(effort));
        let asked = match query.session {
            Some(session) => asked.bind(uuid(session.0)),
            None => asked,
        };
        let row = self.inner.readers.row(asked).await?;
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
            "SELECT {MESSAGE_COLUMNS} FROM message WHERE session = $1 AND (at, id) < ($2, $3)
                ORDER BY at DESC, id DESC LIMIT $4"
        );
        let (at, id) = edge(after);
        let page = sqlx::query(AssertSqlSafe(sql)).bind(uuid(session.0));
        let page = page.bind(at).bind(id).bind(i64::from(limit));
        let rows = self.inner.readers.rows(page).await?;
        rows.iter().map(message_view).collect()
    }

    pub(super) async fn message_views(
        &self,
        messages: &[MessageId],
    ) -> Result<Vec<MessageView>, StoreError> {
        let sql = format!("SELECT {MESSAGE_COLUMNS} FROM message WHERE id = ANY($1)");
        let query = sqlx::query(AssertSqlSafe(sql)).bind(uuids(messages.iter().map(|id| id.0)));
        let rows = self.inner.readers.rows(query).await?;
        rows.iter().map(message_view).collect()
    }

    async fn message_page(
        &self,
        query: &MessageQuery,
        search: &Search,
        behind: Edge,
    ) -> Result<Vec<MessageView>, StoreError> {
        let which = "(received_at, id) < ($2, $3) AND received_at >= $4 AND received_at < $5
            AND ($6 = '' OR position($6 in lower(text)) > 0) AND (received_at, id) > ($8, $9)";
        let newest = "ORDER BY received_at DESC, id DESC LIMIT $7";
        let sql = match query.session {
            Some(_) => format!(
                "SELECT {MESSAGE_COLUMNS} FROM message
                    WHERE session = $10 AND channel = coalesce($1, channel) AND {which} {newest}"
            ),
            None => format!(
                "{CHANNELS} SELECT * FROM channels CROSS JOIN LATERAL (
                    SELECT {MESSAGE_COLUMNS} FROM message WHERE channel = channels.channel AND {which} {newest}
                ) AS page {newest}"
            ),
        };
        let page = sqlx::query(AssertSqlSafe(sql))
            .bind(query.channel.as_deref().map(escaped))
            .bind(behind.0)
            .bind(behind.1)
            .bind(query.from.map_or(i64::MIN, |at| at.0))
            .bind(query.to.map_or(i64::MAX, |at| at.0))
            .bind(escaped(search.ascii()))
            .bind(i64::from(query.limit))
            .bind(query.above.map_or(i64::MIN, |(at, _)| at.0))
            .bind(query.above.map_or(Uuid::nil(), |(_, id)| uuid(id.0)));
        let page = match query.session {
            Some(session) => page.bind(uuid(session.0)),
            None => page,
        };
        let rows = self.inner.readers.rows(page).await?;
        rows.iter().map(message_view).collect()
    }
}

/// A row with [`MESSAGE_COLUMNS`].
pub(crate) fn message_view(row: &PgRow) -> Result<MessageView, StoreError> {
    let row = Columns(row);
    Ok(MessageView {
        id: MessageId(row.id("id")?),
        session: SessionId(row.id("session")?),
        provider_id: row.text("provider_id")?,
        kind: row.word("kind")?,
        text: row.text("text")?,
        sent_at: row.get::<Option<i64>>("sent_at")?.map(At),
        received_at: At(row.get("received_at")?),
        state: row.message_state()?,
        edit_of: row.id_or_none("edit_of")?.map(MessageId),
    })
}
