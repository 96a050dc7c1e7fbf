//! Operations and their items.

use std::collections::{BTreeMap, HashMap};

use async_trait::async_trait;
use replygate_gate::{At, OperationId, ReplyId, SessionId};
use replygate_ports::operations::{
    ChangeError, Item, ItemState, Operation, Operations, Pace, PlanError, Settled,
};
use replygate_ports::store::StoreError;
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, SqliteConnection};

use crate::codec::{Columns, blob};
use crate::database::Database;
use crate::error::{read_fault, unavailable};

const COLUMNS: &str =
    "id, version, request_id, verb, state, by, reason, per_minute, first, halt_percent, planned_at,
    started_at, ended_at";

#[async_trait]
impl Operations for Database {
    async fn plan(&self, operation: Operation, items: Vec<Item>) -> Result<(), PlanError> {
        let mut write = self.inner.side.begin().await?;
        if let Err(refusal) = plan(write.connection(), &operation, &items).await {
            write.rollback().await;
            return Err(refusal);
        }
        Ok(write.commit().await.map_err(unavailable)?)
    }

    async fn operation(&self, id: OperationId) -> Result<Option<Operation>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM operation WHERE id = ?");
        let query = sqlx::query(AssertSqlSafe(sql)).bind(blob(id.0));
        let rows = query
            .fetch_all(&self.inner.readers)
            .await
            .map_err(read_fault)?;
        Ok(self.with_counts(&rows).await?.pop())
    }

    async fn operations(
        &self,
        after: Option<(At, OperationId)>,
        limit: u32,
    ) -> Result<Vec<Operation>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM operation WHERE (planned_at, id) < (?, ?)
             ORDER BY planned_at DESC, id DESC LIMIT ?"
        );
        // Seventeen bytes sort behind every id.
        let (at, id) = after.map_or((i64::MAX, vec![0xff; 17]), |(at, id)| (at.0, blob(id.0)));
        let query = sqlx::query(AssertSqlSafe(sql))
            .bind(at)
            .bind(id)
            .bind(limit);
        let rows = query
            .fetch_all(&self.inner.readers)
            .await
            .map_err(read_fault)?;
        self.with_counts(&rows).await
    }

    async fn active(&self) -> Result<Vec<Operation>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM operation WHERE state IN ('running', 'waiting') ORDER BY started_at, id"
        );
        let rows = sqlx::query(AssertSqlSafe(sql))
            .fetch_all(&self.inner.readers)
            .await
            .map_err(read_fault)?;
        self.with_counts(&rows).await
    }

    async fn items(
        &self,
        id: OperationId,
        state: Option<ItemState>,
        after: Option<u32>,
        limit: u32,
    ) -> Result<Vec<Item>, StoreError> {
        let which = if state.is_some() {
            "state = ?"
        } else {
            "? IS NULL"
        };
        let sql = format!(
            "SELECT place, reply, generation, session, channel, state, code, at FROM operation_item
             WHERE operation = ? AND {which} AND place > ? ORDER BY place LIMIT ?"
        );
        let query = sqlx::query(AssertSqlSafe(sql))
            .bind(blob(id.0))
            .bind(state.map(ItemState::as_str));
        let query = query.bind(after.map_or(-1, i64::from)).bind(limit);
        let rows = query
            .fetch_all(&self.inner.readers)
            .await
            .map_err(read_fault)?;
        rows.iter().map(item).collect()
    }

    async fn change(&self, operation: Operation) -> Result<u64, ChangeError> {
        let sql = "UPDATE operation SET version = version + 1, state = ?, reason = ?, per_minute = ?, first = ?,
            halt_percent = ?, started_at = ?, ended_at = ? WHERE id = ? AND version = ?";
        let query = sqlx::query(sql)
            .bind(operation.state.as_str())
            .bind(&operation.reason)
            .bind(operation.pace.per_minute)
            .bind(operation.pace.first)
            .bind(operation.pace.halt_percent)
            .bind(operation.started_at.map(|at| at.0))
            .bind(operation.ended_at.map(|at| at.0))
            .bind(blob(operation.id.0))
            .bind(operation.version as i64);
        let mut write = self.inner.side.begin().await?;
        let done = query
            .execute(write.connection())
            .await
            .map_err(unavailable)?;
        write.commit().await.map_err(unavailable)?;
        if done.rows_affected() == 0 {
            return Err(ChangeError::Conflict);
        }
        Ok(operation.version + 1)
    }

    async fn settle(&self, id: OperationId, settled: Vec<Settled>) -> Result<u64, StoreError> {
        let mut write = self.inner.side.begin().await?;
        let version = settle(write.connection(), id, &settled).await?;
        write.commit().await.map_err(unavailable)?;
        Ok(version)
    }
}

impl Database {
    async fn with_counts(&self, rows: &[SqliteRow]) -> Result<Vec<Operation>, StoreError> {
        let mut operations: Vec<Operation> =
            rows.iter().map(operation).collect::<Result<_, _>>()?;
        let ids = operations.iter().map(|operation| operation.id.0);
        let sql = "SELECT operation, state, many FROM
            (SELECT operation, state, count(*) AS many FROM operation_item GROUP BY operation, state) AS counted
            WHERE counted.operation";
        let counted = self.rows_by_id(sql, ids).await?;
        let mut counts: HashMap<u128, BTreeMap<ItemState, u32>> = HashMap::new();
        for row in &counted {
            let row = Columns(row);
            let of = counts.entry(row.id("operation")?).or_default();
            of.insert(row.word("state")?, row.number("many")?);
        }
        for operation in &mut operations {
            operation.counts = counts.remove(&operation.id.0).unwrap_or_default();
        }
        Ok(operations)
    }
}

async fn plan(
    connection: &mut SqliteConnection,
    operation: &Operation,
    items: &[Item],
) -> Result<(), PlanError> {
    let known = sqlx::query("SELECT id FROM operation WHERE request_id = ?")
        .bind(&operation.request_id)
        .fetch_optional(&mut *connection)
        .await
        .map_err(read_fault)?;
    if let Some(row) = known {
        return Err(PlanError::Repeated(OperationId(Columns(&row).id("id")?)));
    }
    let sql =
        format!("INSERT INTO operation ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    let query = sqlx::query(AssertSqlSafe(sql))
        .bind(blob(operation.id.0))
        .bind(operation.version as i64)
        .bind(&operation.request_id)
        .bind(operation.verb.as_str())
        .bind(operation.state.as_str())
        .bind(&operation.by)
        .bind(&operation.reason)
        .bind(operation.pace.per_minute)
        .bind(operation.pace.first)
        .bind(operation.pace.halt_percent)
        .bind(operation.planned_at.0)
        .bind(operation.started_at.map(|at| at.0))
        .bind(operation.ended_at.map(|at| at.0));
    query.execute(&mut *connection).await.map_err(unavailable)?;
    let sql = "INSERT INTO operation_item (operation, place, reply, generation, session, channel, state, code, at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
    for item in items {
        let query = sqlx::query(sql)
            .bind(blob(operation.id.0))
            .bind(item.place)
            .bind(blob(item.reply.0))
            .bind(item.generation)
            .bind(blob(item.session.0))
            .bind(&item.channel)
            .bind(item.state.as_str())
            .bind(&item.code)
            .bind(item.at.0);
        query.execute(&mut *connection).await.map_err(unavailable)?;
    }
    Ok(())
}

async fn settle(
    connection: &mut SqliteConnection,
    id: OperationId,
    settled: &[Settled],
) -> Result<u64, StoreError> {
    let sql =
        "UPDATE operation_item SET state = ?, code = ?, at = ? WHERE operation = ? AND place = ?";
    for one in settled {
        let query = sqlx::query(sql)
            .bind(one.state.as_str())
            .bind(&one.code)
            .bind(one.at.0)
            .bind(blob(id.0))
            .bind(one.place);
        query.execute(&mut *connection).await.map_err(unavailable)?;
    }
    let sql = "UPDATE operation SET version = version + 1 WHERE id = ? RETURNING version";
    let row = sqlx::query(sql)
        .bind(blob(id.0))
        .fetch_one(&mut *connection)
        .await
        .map_err(unavailable)?;
    Columns(&row).number("version")
}

/// A row of the table.
pub(crate) fn operation(row: &SqliteRow) -> Result<Operation, StoreError> {
    let row = Columns(row);
    Ok(Operation {
        id: OperationId(row.id("id")?),
        version: row.number("version")?,
        request_id: row.get("request_id")?,
        verb: row.word("verb")?,
        state: row.word("state")?,
        by: row.get("by")?,
        reason: row.get("reason")?,
        pace: Pace {
            per_minute: row.number("per_minute")?,
            first: row.number("first")?,
            halt_percent: row.number("halt_percent")?,
        },
        planned_at: At(row.get("planned_at")?),
        started_at: row.get::<Option<i64>>("started_at")?.map(At),
        ended_at: row.get::<Option<i64>>("ended_at")?.map(At),
        counts: BTreeMap::new(),
    })
}

/// A row of the table.
pub(crate) fn item(row: &SqliteRow) -> Result<Item, StoreError> {
    let row = Columns(row);
    Ok(Item {
        place: row.number("place")?,
        reply: ReplyId(row.id("reply")?),
        generation: row.number("generation")?,
        session: SessionId(row.id("session")?),
        channel: row.get("channel")?,
        state: row.word("state")?,
        code: row.get("code")?,
        at: At(row.get("at")?),
    })
}
