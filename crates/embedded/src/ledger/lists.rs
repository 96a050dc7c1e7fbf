//! What is read of the ledger, one call or record, or pages of them.

use std::collections::HashMap;

use replygate_gate::{ActionId, At, DuplicateId};
use replygate_ports::ledger::{Call, CallQuery, Duplicate, DuplicateQuery};
use replygate_ports::store::StoreError;
use sqlx::query_builder::Separated;
use sqlx::{QueryBuilder, Sqlite};

use super::rows::{self, CALL, RECORD};
use crate::codec::{Columns, blob};
use crate::database::Database;
use crate::error::read_fault;

type Conditions<'q, 'b> = Separated<'q, Sqlite, &'b str>;

/// What a count begins with; it ends with its bound and a parenthesis.
const COUNTED: &str = "SELECT count(*) AS many FROM (SELECT 1 FROM";

impl Database {
    pub(super) async fn find_call(&self, action: ActionId) -> Result<Option<Call>, StoreError> {
        Ok(self.calls_by_id(&[action]).await?.remove(&action))
    }

    async fn calls_by_id(&self, ids: &[ActionId]) -> Result<HashMap<ActionId, Call>, StoreError> {
        let mut sql = QueryBuilder::new(format!("SELECT {CALL} FROM tool_call WHERE id IN ("));
        let mut list = sql.separated(", ");
        for id in ids {
            list.push_bind(blob(id.0));
        }
        sql.push(")");
        let rows = sql.build().fetch_all(&self.inner.viewers).await;
        let calls = rows.map_err(read_fault)?;
        let calls = calls.iter().map(rows::call);
        calls
            .map(|call| call.map(|call| (call.entry.action, call)))
            .collect()
    }

    pub(super) async fn list_calls(&self, query: &CallQuery) -> Result<Vec<Call>, StoreError> {
        let mut sql = QueryBuilder::new(format!("SELECT {CALL} FROM tool_call WHERE "));
        let after = query.after.map(|(at, id)| (at, id.0));
        asked_of_calls(&mut sql, query, after);
        sql.push(" ORDER BY reserved_at DESC, id DESC LIMIT ")
            .push_bind(query.limit);
        let rows = sql.build().fetch_all(&self.inner.viewers).await;
        rows.map_err(read_fault)?.iter().map(rows::call).collect()
    }

    pub(super) async fn number_of_calls(
        &self,
        query: &CallQuery,
        most: u32,
    ) -> Result<u32, StoreError> {
        let mut sql = QueryBuilder::new(format!("{COUNTED} tool_call WHERE "));
        asked_of_calls(&mut sql, query, None);
        self.number(sql, most).await
    }

    pub(super) async fn find_duplicate(
        &self,
        id: DuplicateId,
    ) -> Result<Option<Duplicate>, StoreError> {
        let mut sql = QueryBuilder::new(format!("SELECT {RECORD} FROM tool_duplicate WHERE id = "));
        sql.push_bind(blob(id.0));
        let row = sql.build().fetch_optional(&self.inner.viewers).await;
        let record = row
            .map_err(read_fault)?
            .as_ref()
            .map(rows::record)
            .transpose()?;
        let found = self.with_first(record.into_iter().collect()).await?;
        Ok(found.into_iter().next())
    }

    pub(super) async fn list_duplicates(
        &self,
        query: &DuplicateQuery,
    ) -> Result<Vec<Duplicate>, StoreError> {
        let mut sql = QueryBuilder::new(format!("SELECT {RECORD} FROM tool_duplicate WHERE "));
        let after = query.after.map(|(at, id)| (at, id.0));
        asked_of_duplicates(&mut sql, query, after);
        sql.push(" ORDER BY at DESC, id DESC LIMIT ")
            .push_bind(query.limit);
        let rows = sql.build().fetch_all(&self.inner.viewers).await;
        let records: Result<Vec<Duplicate>, StoreError> =
            rows.map_err(read_fault)?.iter().map(rows::record).collect();
        self.with_first(records?).await
    }

    pub(super) async fn number_of_duplicates(
        &self,
        query: &DuplicateQuery,
        most: u32,
    ) -> Result<u32, StoreError> {
        let mut sql = QueryBuilder::new(format!("{COUNTED} tool_duplicate WHERE "));
        asked_of_duplicates(&mut sql, query, None);
        self.number(sql, most).await
    }

    async fn number(&self, mut sql: QueryBuilder<Sqlite>, most: u32) -> Result<u32, StoreError> {
        sql.push(" LIMIT ").push_bind(most).push(")");
        let row = sql.build().fetch_one(&self.inner.readers).await;
        Columns(&row.map_err(read_fault)?).number("many")
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

fn asked_of_calls(sql: &mut QueryBuilder<Sqlite>, query: &CallQuery, after: Option<(At, u128)>) {
    let mut conditions = sql.separated(" AND ");
    behind(&mut conditions, "reserved_at", after);
    of(
        &mut conditions,
        query.tool.as_deref(),
        query.channel.as_deref(),
    );
    between(&mut conditions, "reserved_at", query.from, query.to);
    if let Some(session) = query.session {
        conditions
            .push("session = ")
            .push_bind_unseparated(blob(session.0));
    }
    if let Some(turn) = query.turn {
        conditions
            .push("turn = ")
            .push_bind_unseparated(blob(turn.0));
    }
    if query.live_only {
        conditions.push("live = 1");
    }
    if query.is_of_open() {
        // Names the index of the few that are open.
        conditions.push("open = 1");
    }
    let states: Vec<&str> = query.states.iter().map(|state| state.as_str()).collect();
    one_of(&mut conditions, "state", &states);
}

fn asked_of_duplicates(
    sql: &mut QueryBuilder<Sqlite>,
    query: &DuplicateQuery,
    after: Option<(At, u128)>,
) {
    let mut conditions = sql.separated(" AND ");
    behind(&mut conditions, "at", after);
    of(
        &mut conditions,
        query.tool.as_deref(),
        query.channel.as_deref(),
    );
    between(&mut conditions, "at", query.from, query.to);
    if let Some(session) = query.session {
        conditions
            .push("session = ")
            .push_bind_unseparated(blob(session.0));
    }
    if let Some(opinion) = query.opinion {
        conditions
            .push("opinion = ")
            .push_bind_unseparated(opinion.as_str());
    }
    if query.unjudged_only {
        conditions.push("opinion IS NULL");
    }
    let avoided: Vec<&str> = query.avoided.iter().map(|word| word.as_str()).collect();
    one_of(&mut conditions, "avoided", &avoided);
}

/// Only behind the last row seen. Always the first condition, so that there is one.
fn behind(conditions: &mut Conditions<'_, '_>, column: &str, after: Option<(At, u128)>) {
    let Some((at, id)) = after else {
        conditions.push("true");
        return;
    };
    conditions
        .push(format!("({column}, id) < ("))
        .push_bind_unseparated(at.0)
        .push_unseparated(", ")
        .push_bind_unseparated(blob(id))
        .push_unseparated(")");
}

fn of(conditions: &mut Conditions<'_, '_>, tool: Option<&str>, channel: Option<&str>) {
    for (column, wanted) in [("tool", tool), ("channel", channel)] {
        if let Some(wanted) = wanted {
            conditions
                .push(format!("{column} = "))
                .push_bind_unseparated(wanted.to_owned());
        }
    }
}

fn between(conditions: &mut Conditions<'_, '_>, column: &str, from: Option<At>, to: Option<At>) {
    if let Some(from) = from {
        conditions
            .push(format!("{column} >= "))
            .push_bind_unseparated(from.0);
    }
    if let Some(to) = to {
        conditions
            .push(format!("{column} < "))
            .push_bind_unseparated(to.0);
    }
}

fn one_of(conditions: &mut Conditions<'_, '_>, column: &str, words: &[&str]) {
    if words.is_empty() {
        return;
    }
    conditions.push(format!("{column} IN ("));
    for (place, word) in words.iter().enumerate() {
        if place > 0 {
            conditions.push_unseparated(", ");
        }
        conditions.push_bind_unseparated((*word).to_owned());
    }
    conditions.push_unseparated(")");
}
