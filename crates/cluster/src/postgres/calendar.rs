//! The built-in calendar, for every process the same.

use async_trait::async_trait;
use replygate_gate::{ActionId, At};
use replygate_ports::calendar::{Calendar, CalendarEvent, EventQuery};
use replygate_ports::store::StoreError;
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::{AssertSqlSafe, QueryBuilder, query_with};

use super::Postgres;
use super::codec::{Columns, escaped, uuid};
use super::error::{Trouble, corrupt};
use super::statement::Statement;

const COLUMNS: &str = "id, channel, account, conversation, contact, title, starts_at, ends_at, guests, created_at, cancelled_at";

#[async_trait]
impl Calendar for Postgres {
    async fn add_event(&self, event: CalendarEvent) -> Result<(), StoreError> {
        let mut statement = Statement::default();
        let sql = insert(&mut statement, &[&event])?;
        let sql = format!("{sql} ON CONFLICT DO NOTHING");
        let (sql, arguments) = statement.finish(&sql).map_err(Trouble::Sql)?;
        let query = query_with::<_, PgArguments>(AssertSqlSafe(sql), arguments);
        self.inner.readers.change(query).await.map(drop)
    }

    async fn cancel_event(
        &self,
        id: ActionId,
        at: At,
    ) -> Result<Option<CalendarEvent>, StoreError> {
        let sql = format!(
            "UPDATE calendar_event SET cancelled_at = coalesce(cancelled_at, $1) WHERE id = $2 RETURNING {COLUMNS}"
        );
        let query = sqlx::query(AssertSqlSafe(sql)).bind(at.0).bind(uuid(id.0));
        let row = self.inner.readers.row(query).await?;
        row.as_ref().map(calendar_event).transpose()
    }

    async fn prune_events(&self, before: At, limit: u32) -> Result<u64, StoreError> {
        let sql = "DELETE FROM calendar_event WHERE id IN (
            SELECT id FROM calendar_event WHERE starts_at < $1 ORDER BY starts_at, id LIMIT $2)";
        let query = sqlx::query(sql).bind(before.0).bind(i64::from(limit));
        self.inner.keepers.change(query).await
    }

    async fn events(&self, query: &EventQuery) -> Result<Vec<CalendarEvent>, StoreError> {
        let mut sql = QueryBuilder::new(format!("SELECT {COLUMNS} FROM calendar_event WHERE true"));
        for (column, wanted) in [("channel", &query.channel), ("contact", &query.contact)] {
            if let Some(wanted) = wanted {
                sql.push(format!(" AND {column} = "))
                    .push_bind(escaped(wanted).into_owned());
            }
        }
        if let Some(from) = query.from {
            sql.push(" AND starts_at >= ").push_bind(from.0);
        }
        if let Some(to) = query.to {
            sql.push(" AND starts_at < ").push_bind(to.0);
        }
        if query.standing_only {
            sql.push(" AND cancelled_at IS NULL");
        }
        if let Some((start, id)) = query.after {
            sql.push(" AND (starts_at, id) > (").push_bind(start.0);
            sql.push(", ").push_bind(uuid(id.0)).push(")");
        }
        sql.push(" ORDER BY starts_at, id LIMIT ")
            .push_bind(i64::from(query.limit));
        let rows = self.inner.readers.rows(sql.build()).await?;
        rows.iter().map(calendar_event).collect()
    }
}

/// The insertion of these events.
pub(super) fn insert(
    statement: &mut Statement,
    events: &[&CalendarEvent],
) -> Result<String, StoreError> {
    let each = || events.iter().copied();
    let guests: Result<Vec<String>, StoreError> = each()
        .map(|event| serde_json::to_string(&event.guests).map_err(|error| corrupt("guests", error)))
        .collect();
    let table = statement
        .table()
        .column("id", each().map(|event| uuid(event.id.0)).collect())
        .whom(each().map(|event| &event.whom))
        .column("title", each().map(|event| escaped(&event.title)).collect())
        .column("starts_at", each().map(|event| event.start.0).collect())
        .column(
            "ends_at",
            each().map(|event| event.end.map(|at| at.0)).collect(),
        )
        .column("guests", guests?)
        .column(
            "created_at",
            each().map(|event| event.created_at.0).collect(),
        )
        .column(
            "cancelled_at",
            each()
                .map(|event| event.cancelled_at.map(|at| at.0))
                .collect(),
        )
        .rows();
    Ok(format!(
        "INSERT INTO calendar_event ({COLUMNS}) SELECT * FROM {table}"
    ))
}

/// A row of the table.
pub(super) fn calendar_event(row: &PgRow) -> Result<CalendarEvent, StoreError> {
    let row = Columns(row);
    Ok(CalendarEvent {
        id: ActionId(row.id("id")?),
        whom: row.session_key()?,
        title: row.text("title")?,
        start: At(row.get("starts_at")?),
        end: row.get::<Option<i64>>("ends_at")?.map(At),
        guests: row.json("guests")?,
        created_at: At(row.get("created_at")?),
        cancelled_at: row.get::<Option<i64>>("cancelled_at")?.map(At),
    })
}
