//! The built-in calendar in the file.

use async_trait::async_trait;
use replygate_gate::{ActionId, At};
use replygate_ports::calendar::{Calendar, CalendarEvent, EventQuery};
use replygate_ports::store::StoreError;
use sqlx::QueryBuilder;
use sqlx::sqlite::SqliteRow;

use crate::codec::{Columns, blob};
use crate::database::Database;
use crate::error::{corrupt, read_fault, unavailable};

const COLUMNS: &str = "id, channel, account, conversation, contact, title, start, end, guests, created_at, cancelled_at";

#[async_trait]
impl Calendar for Database {
    async fn add_event(&self, event: CalendarEvent) -> Result<(), StoreError> {
        let guests =
            serde_json::to_string(&event.guests).map_err(|error| corrupt("guests", error))?;
        let sql = "INSERT INTO calendar_event (id, channel, account, conversation, contact, title, start, end, guests,
            created_at, cancelled_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";
        let query = sqlx::query(sql)
            .bind(blob(event.id.0))
            .bind(event.whom.channel)
            .bind(event.whom.account)
            .bind(event.whom.conversation)
            .bind(event.whom.contact)
            .bind(event.title)
            .bind(event.start.0)
            .bind(event.end.map(|at| at.0))
            .bind(guests)
            .bind(event.created_at.0)
            .bind(event.cancelled_at.map(|at| at.0));
        self.change(query).await.map(drop)
    }

    async fn cancel_event(
        &self,
        id: ActionId,
        at: At,
    ) -> Result<Option<CalendarEvent>, StoreError> {
        let sql = "UPDATE calendar_event SET cancelled_at = coalesce(cancelled_at, ?) WHERE id = ?
            RETURNING id, channel, account, conversation, contact, title, start, end, guests, created_at, cancelled_at";
        let mut write = self.inner.side.begin().await?;
        let query = sqlx::query(sql).bind(at.0).bind(blob(id.0));
        let row = query.fetch_optional(write.connection()).await;
        let row = row.map_err(unavailable)?;
        write.commit().await.map_err(unavailable)?;
        row.as_ref().map(calendar_event).transpose()
    }

    async fn prune_events(&self, before: At, limit: u32) -> Result<u64, StoreError> {
        let sql = "DELETE FROM calendar_event WHERE id IN (
            SELECT id FROM calendar_event WHERE start < ? ORDER BY start, id LIMIT ?)";
        self.change(sqlx::query(sql).bind(before.0).bind(limit))
            .await
    }

    async fn events(&self, query: &EventQuery) -> Result<Vec<CalendarEvent>, StoreError> {
        let mut sql = QueryBuilder::new(format!("SELECT {COLUMNS} FROM calendar_event WHERE true"));
        for (column, wanted) in [("channel", &query.channel), ("contact", &query.contact)] {
            if let Some(wanted) = wanted {
                sql.push(format!(" AND {column} = "))
                    .push_bind(wanted.clone());
            }
        }
        if let Some(from) = query.from {
            sql.push(" AND start >= ").push_bind(from.0);
        }
        if let Some(to) = query.to {
            sql.push(" AND start < ").push_bind(to.0);
        }
        if query.standing_only {
            sql.push(" AND cancelled_at IS NULL");
        }
        if let Some((start, id)) = query.after {
            sql.push(" AND (start, id) > (").push_bind(start.0);
            sql.push(", ").push_bind(blob(id.0)).push(")");
        }
        sql.push(" ORDER BY start, id LIMIT ")
            .push_bind(query.limit);
        let rows = sql.build().fetch_all(&self.inner.readers).await;
        rows.map_err(read_fault)?
            .iter()
            .map(calendar_event)
            .collect()
    }
}

/// A row of the table.
pub(crate) fn calendar_event(row: &SqliteRow) -> Result<CalendarEvent, StoreError> {
    let row = Columns(row);
    Ok(CalendarEvent {
        id: ActionId(row.id("id")?),
        whom: row.session_key()?,
        title: row.get("title")?,
        start: At(row.get("start")?),
        end: row.get::<Option<i64>>("end")?.map(At),
        guests: row.json("guests")?,
        created_at: At(row.get("created_at")?),
        cancelled_at: row.get::<Option<i64>>("cancelled_at")?.map(At),
    })
}
