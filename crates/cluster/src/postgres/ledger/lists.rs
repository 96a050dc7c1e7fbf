//! What is read of the ledger, one call or record, or pages of them.

use std::collections::HashMap;

use replygate_gate::{ActionId, At, DuplicateId, SessionId};
use replygate_ports::ledger::{Call, CallQuery, Duplicate, DuplicateQuery};
use replygate_ports::store::StoreError;
use sqlx::types::Uuid;
use sqlx::{AssertSqlSafe, QueryBuilder};

use super::rows::{self, CALL, RECORD};
use crate::postgres::Postgres;
use crate::postgres::codec::{escaped, uuid};
use crate::postgres::figures::counted;

type Sql = QueryBuilder<sqlx::Postgres>;

/// What a count begins with; it ends with its bound and a parenthesis.
const COUNTED: &str = "SELECT count(*) AS many FROM (SELECT 1 FROM";

impl Postgres {
    pub(super) async fn find_call(&self, action: ActionId) -> Result<Option<Call>, StoreError> {
        Ok(self.calls_by_id(&[action]).await?.remove(&action))
    }

    async fn calls_by_id(&self, ids: &[ActionId]) -> Result<HashMap<ActionId, Call>, StoreError> {
        let sql = format!("SELECT {CALL} FROM tool_call WHERE id = ANY($1)");
        let ids: Vec<Uuid> = ids.iter().map(|id| uuid(id.0)).collect();
        let query = sqlx::query(AssertSqlSafe(sql)).bind(ids);
        let rows = self.inner.readers.rows(query).await?;
        let calls = rows.iter().map(rows::call);
        calls
            .map(|call| call.map(|call| (call.entry.action, call)))
            .collect()
    }

    pub(super) async fn list_calls(&self, query: &CallQuery) -> Result<Vec<Call>, StoreError> {
        let mut sql = Sql::new(format!("SELECT {CALL} FROM tool_call WHERE true"));
        behind(
            &mut sql,
            "reserved_at",
            query.after.map(|(at, id)| (at, id.0)),
        );
        asked_of_calls(&mut sql, query);
        sql.push(" ORDER BY reserved_at DESC, id DESC LIMIT ")
            .push_bind(i64::from(query.limit));
        let rows = self.inner.readers.rows(sql.build()).await?;
        rows.iter().map(rows::call).collect()
    }

    pub(super) async fn number_of_calls(
        &self,
        query: &CallQuery,
        most: u32,
    ) -> Result<u32, StoreError> {
        let mut sql = Sql::new(format!("{COUNTED} tool_call WHERE true"));
        asked_of_calls(&mut sql, query);
        self.number(sql, most).await
    }

    pub(super) async fn find_duplicate(
        &self,
        id: DuplicateId,
    ) -> Result<Option<Duplicate>, StoreError> {
        let sql = format!("SELECT {RECORD} FROM tool_duplicate WHERE id = $1");
        let query = sqlx::query(AssertSqlSafe(sql)).bind(uuid(id.0));
        let row = self.inner.readers.row(query).await?;
        let record = row.as_ref().map(rows::record).transpose()?;
        let found = self.with_first(record.into_iter().collect()).await?;
        Ok(found.into_iter().next())
    }

    pub(super) async fn list_duplicates(
        &self,
        query: &DuplicateQuery,
    ) -> Result<Vec<Duplicate>, StoreError> {
        let mut sql = Sql::new(format!("SELECT {RECORD} FROM tool_duplicate WHERE true"));
        behind(&mut sql, "at", query.after.map(|(at, id)| (at, id.0)));
        asked_of_duplicates(&mut sql, query);
        sql.push(" ORDER BY at DESC, id DESC LIMIT ")
            .push_bind(i64::from(query.limit));
        let rows = self.inner.readers.rows(sql.build()).await?;
        let records: Result<Vec<Duplicate>, StoreError> = rows.iter().map(rows::record).collect();
        self.with_first(records?).await
    }

    pub(super) async fn number_of_duplicates(
        &self,
        query: &DuplicateQuery,
        most: u32,
    ) -> Result<u32, StoreError> {
        let mut sql = Sql::new(format!("{COUNTED} tool_duplicate WHERE true"));
        asked_of_duplicates(&mut sql, query);
        self.number(sql, most).await
    }

    async fn number(&self, mut sql: Sql, most: u32) -> Result<u32, StoreError> {
        sql.push(" LIMIT ")
            .push_bind(i64::from(most))
            .push(") AS counted");
        let row = self.inner.counters.row(sql.build()).await?;
        counted(row.as_ref())
    }

    async fn with_first(&self, mut records: Vec<Duplicate>) -> Result<Vec<Duplicate>, StoreError> {
        if records.is_empty() {
            return Ok(records);
        }
        let mut ids: Vec<ActionId> = records.iter().map(|record| record.call.first).collect();
        ids.sort_unstable();
        ids.dedup();
        let calls = self.calls_by_id(&ids).await?;
        for record in &mut records {
            record.first = calls.get(&record.call.first).cloned();
        }
        Ok(records)
    }
}

fn asked_of_calls(sql: &mut Sql, query: &CallQuery) {
    of(sql, query.tool.as_deref(), query.channel.as_deref());
    between(sql, "reserved_at", query.from, query.to);
    in_session(sql, query.session);
    if let Some(turn) = query.turn {
        sql.push(" AND turn = ").push_bind(uuid(turn.0));
    }
    if query.live_only {
        sql.push(" AND live");
    }
    if query.is_of_open() {
        // Names the index of the few that are open.
        sql.push(" AND open");
    }
    let states = query.states.iter().map(|state| state.as_str());
    one_of(sql, "state", states);
}

fn asked_of_duplicates(sql: &mut Sql, query: &DuplicateQuery) {
    of(sql, query.tool.as_deref(), query.channel.as_deref());
    between(sql, "at", query.from, query.to);
    in_session(sql, query.session);
    if let Some(opinion) = query.opinion {
        sql.push(" AND opinion = ").push_bind(opinion.as_str());
    }
    if query.unjudged_only {
        sql.push(" AND opinion IS NULL");
    }
    let avoided = query.avoided.iter().map(|word| word.as_str());
    one_of(sql, "avoided", avoided);
}

/// Only behind the last row seen.
fn behind(sql: &mut Sql, column: &str, after: Option<(At, u128)>) {
    if let Some((at, id)) = after {
        sql.push(format!(" AND ({column}, id) < (")).push_bind(at.0);
        sql.push(", ").push_bind(uuid(id)).push(")");
    }
}

fn of(sql: &mut Sql, tool: Option<&str>, channel: Option<&str>) {
    for (column, wanted) in [("tool", tool), ("channel", channel)] {
        if let Some(wanted) = wanted {
            sql.push(format!(" AND {column} = "))
                .push_bind(escaped(wanted).into_owned());
        }
    }
}

fn between(sql: &mut Sql, column: &str, from: Option<At>, to: Option<At>) {
    for (compares, edge) in [(">=", from), ("<", to)] {
        if let Some(edge) = edge {
            sql.push(format!(" AND {column} {compares} "))
                .push_bind(edge.0);
        }
    }
}

fn in_session(sql: &mut Sql, session: Option<SessionId>) {
    if let Some(session) = session {
        sql.push(" AND session = ").push_bind(uuid(session.0));
    }
}

fn one_of(sql: &mut Sql, column: &str, words: impl Iterator<Item = &'static str>) {
    let words: Vec<&str> = words.collect();
    if !words.is_empty() {
        sql.push(format!(" AND {column} = ANY("))
            .push_bind(words)
            .push(")");
    }
}
