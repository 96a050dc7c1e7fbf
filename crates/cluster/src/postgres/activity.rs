//! The log of what people did.

use async_trait::async_trait;
use replygate_gate::At;
use replygate_ports::activity::{Activity, ActivityLog, ActivityQuery, Entry};
use replygate_ports::store::StoreError;
use sqlx::AssertSqlSafe;
use sqlx::postgres::PgRow;

use super::Postgres;
use super::codec::{Columns, escaped};
use super::error::{Trouble, unavailable};

/// The row of `meta` hands the places out, so that entries of several processes come one after the other.
const RECORD: &str = "WITH next AS (UPDATE meta SET activities = activities + 1 RETURNING activities AS place)
    INSERT INTO activity (place, at, by, role, verb, object, before, after, reason, request_id, result)
    SELECT place, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10 FROM next RETURNING place";

#[async_trait]
impl ActivityLog for Postgres {
    async fn record(&self, activity: Activity) -> Result<u64, StoreError> {
        let query = sqlx::query(RECORD)
            .bind(activity.at.0)
            .bind(escaped(&activity.by))
            .bind(escaped(&activity.role))
            .bind(escaped(&activity.verb))
            .bind(escaped(&activity.object))
            .bind(activity.before.as_deref().map(escaped))
            .bind(activity.after.as_deref().map(escaped))
            .bind(activity.reason.as_deref().map(escaped))
            .bind(activity.request_id.as_deref().map(escaped))
            .bind(activity.result.as_str());
        match self.inner.readers.row(query).await? {
            Some(row) => Columns(&row).number("place"),
            None => Err(unavailable(Trouble::Sql(sqlx::Error::RowNotFound))),
        }
    }

    async fn entries(&self, query: &ActivityQuery) -> Result<Vec<Entry>, StoreError> {
        // Each term that is not asked for is left out, so that the one that is asked for chooses the index.
        let terms = [
            ("by", &query.by),
            ("verb", &query.verb),
            ("object", &query.object),
        ];
        let asked = terms
            .iter()
            .filter_map(|(term, value)| Some((*term, value.as_ref()?)));
        let asked: Vec<_> = asked.collect();
        let which = asked
            .iter()
            .zip(3..)
            .map(|((term, _), mark)| format!("{term} = ${mark} AND "));
        let which: String = which.collect();
        let sql =
            format!("SELECT * FROM activity WHERE {which}place < $1 ORDER BY place DESC LIMIT $2");
        let before = query.before.and_then(|before| i64::try_from(before).ok());
        let rows = sqlx::query(AssertSqlSafe(sql))
            .bind(before.unwrap_or(i64::MAX))
            .bind(i64::from(query.limit));
        let rows = asked
            .into_iter()
            .fold(rows, |rows, (_, value)| rows.bind(escaped(value)));
        self.inner
            .readers
            .rows(rows)
            .await?
            .iter()
            .map(entry)
            .collect()
    }
}

/// A row of the table.
pub(super) fn entry(row: &PgRow) -> Result<Entry, StoreError> {
    let row = Columns(row);
    Ok(Entry {
        place: row.number("place")?,
        activity: Activity {
            at: At(row.get("at")?),
            by: row.text("by")?,
            role: row.text("role")?,
            verb: row.text("verb")?,
            object: row.text("object")?,
            before: row.text_or_none("before")?,
            after: row.text_or_none("after")?,
            reason: row.text_or_none("reason")?,
            request_id: row.text_or_none("request_id")?,
            result: row.word("result")?,
        },
    })
}
