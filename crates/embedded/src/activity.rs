//! The log of what people did.

use async_trait::async_trait;
use replygate_gate::At;
use replygate_ports::activity::{Activity, ActivityLog, ActivityQuery, Entry};
use replygate_ports::store::StoreError;
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, SqliteConnection};

use crate::codec::Columns;
use crate::database::Database;
use crate::error::{read_fault, unavailable};

const COLUMNS: &str =
    "place, at, by, role, verb, object, before, after, reason, request_id, result";

#[async_trait]
impl ActivityLog for Database {
    async fn record(&self, activity: Activity) -> Result<u64, StoreError> {
        let mut write = self.inner.side.begin().await?;
        let place = record(write.connection(), &activity).await?;
        write.commit().await.map_err(unavailable)?;
        Ok(place)
    }

    async fn entries(&self, query: &ActivityQuery) -> Result<Vec<Entry>, StoreError> {
        // Each term that is not asked for is left out, so that the one that is asked for chooses the index.
        let terms = [
            ("by = ? AND ", &query.by),
            ("verb = ? AND ", &query.verb),
            ("object = ? AND ", &query.object),
        ];
        let asked: Vec<_> = terms
            .iter()
            .filter_map(|(term, value)| Some((*term, value.as_ref()?)))
            .collect();
        let which: String = asked.iter().map(|(term, _)| *term).collect();
        let sql = format!(
            "SELECT {COLUMNS} FROM activity WHERE {which}place < ? ORDER BY place DESC LIMIT ?"
        );
        let mut rows = sqlx::query(AssertSqlSafe(sql));
        for (_, value) in asked {
            rows = rows.bind(value);
        }
        let before = query.before.and_then(|before| i64::try_from(before).ok());
        let rows = rows.bind(before.unwrap_or(i64::MAX)).bind(query.limit);
        let rows = rows
            .fetch_all(&self.inner.viewers)
            .await
            .map_err(read_fault)?;
        rows.iter().map(entry).collect()
    }
}

async fn record(connection: &mut SqliteConnection, activity: &Activity) -> Result<u64, StoreError> {
    let sql = "INSERT INTO activity (at, by, role, verb, object, before, after, reason, request_id, result)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING place";
    let query = sqlx::query(sql)
        .bind(activity.at.0)
        .bind(&activity.by)
        .bind(&activity.role)
        .bind(&activity.verb)
        .bind(&activity.object)
        .bind(&activity.before)
        .bind(&activity.after)
        .bind(&activity.reason)
        .bind(&activity.request_id)
        .bind(activity.result.as_str());
    let row = query.fetch_one(connection).await.map_err(unavailable)?;
    Columns(&row).number("place")
}

/// A row of the table.
pub(crate) fn entry(row: &SqliteRow) -> Result<Entry, StoreError> {
    let row = Columns(row);
    Ok(Entry {
        place: row.number("place")?,
        activity: Activity {
            at: At(row.get("at")?),
            by: row.get("by")?,
            role: row.get("role")?,
            verb: row.get("verb")?,
            object: row.get("object")?,
            before: row.get("before")?,
            after: row.get("after")?,
            reason: row.get("reason")?,
            request_id: row.get("request_id")?,
            result: row.word("result")?,
        },
    })
}
