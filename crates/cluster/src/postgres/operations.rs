//! Operations and their items.

use std::collections::{BTreeMap, HashMap};

use async_trait::async_trait;
use replygate_gate::{At, OperationId, ReplyId, SessionId};
use replygate_ports::operations::{
    ChangeError, Item, ItemState, Operation, Operations, Pace, PlanError, Settled,
};
use replygate_ports::store::StoreError;
use sqlx::postgres::PgRow;
use sqlx::types::Uuid;

use super::Postgres;
use super::codec::{Columns, escaped, uuid};
use super::error::{Trouble, unavailable};
use super::store::uuids;

/// A plan with its items, unless its request is known.
const PLAN: &str = "WITH made AS (
        INSERT INTO operation (id, version, request_id, verb, state, by, reason, per_minute, first, halt_percent, planned_at,
            started_at, ended_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
        ON CONFLICT (request_id) DO NOTHING RETURNING id),
    items AS (
        INSERT INTO operation_item (operation, place, reply, generation, session, channel, state, code, at)
        SELECT made.id, v.* FROM made CROSS JOIN unnest($14, $15, $16, $17, $18, $19, $20, $21)
            AS v (place, reply, generation, session, channel, state, code, at))
    SELECT id FROM made";

/// What became of items; the operation first, so that it keeps two who settle apart.
const SETTLE: &str = "WITH settled AS (
        UPDATE operation_item SET state = v.state, code = v.code, at = v.at
        FROM unnest($2, $3, $4, $5) AS v (place, state, code, at)
        WHERE operation_item.operation = $1 AND operation_item.place = v.place)
    UPDATE operation SET version = version + 1 WHERE id = $1 RETURNING version";

#[async_trait]
impl Operations for Postgres {
    async fn plan(&self, operation: Operation, items: Vec<Item>) -> Result<(), PlanError> {
        let each = || items.iter();
        let codes: Vec<_> = each()
            .map(|item| item.code.as_deref().map(escaped))
            .collect();
        let query = sqlx::query(PLAN)
            .bind(uuid(operation.id.0))
            .bind(operation.version as i64)
            .bind(escaped(&operation.request_id))
            .bind(operation.verb.as_str())
            .bind(operation.state.as_str())
            .bind(escaped(&operation.by))
            .bind(operation.reason.as_deref().map(escaped))
            .bind(i64::from(operation.pace.per_minute))
            .bind(i64::from(operation.pace.first))
            .bind(i64::from(operation.pace.halt_percent))
            .bind(operation.planned_at.0)
            .bind(operation.started_at.map(|at| at.0))
            .bind(operation.ended_at.map(|at| at.0))
            .bind(each().map(|item| i64::from(item.place)).collect::<Vec<_>>())
            .bind(uuids(each().map(|item| item.reply.0)))
            .bind(
                each()
                    .map(|item| i64::from(item.generation))
                    .collect::<Vec<_>>(),
            )
            .bind(uuids(each().map(|item| item.session.0)))
            .bind(
                each()
                    .map(|item| escaped(&item.channel))
                    .collect::<Vec<_>>(),
            )
            .bind(each().map(|item| item.state.as_str()).collect::<Vec<_>>())
            .bind(codes)
            .bind(each().map(|item| item.at.0).collect::<Vec<_>>());
        if self.inner.readers.row(query).await?.is_some() {
            return Ok(());
        }
        let query = sqlx::query("SELECT id FROM operation WHERE request_id = $1");
        let known = self
            .inner
            .readers
            .row(query.bind(escaped(&operation.request_id)))
            .await?;
        let known = known.ok_or_else(|| unavailable(Trouble::Outrun))?;
        Err(PlanError::Repeated(OperationId(Columns(&known).id("id")?)))
    }

    async fn operation(&self, id: OperationId) -> Result<Option<Operation>, StoreError> {
        let query = sqlx::query("SELECT * FROM operation WHERE id = $1").bind(uuid(id.0));
        let rows = self.inner.readers.rows(query).await?;
        Ok(self.with_counts(&rows).await?.pop())
    }

    async fn operations(
        &self,
        after: Option<(At, OperationId)>,
        limit: u32,
    ) -> Result<Vec<Operation>, StoreError> {
        let sql = "SELECT * FROM operation WHERE (planned_at, id) < ($1, $2)
            ORDER BY planned_at DESC, id DESC LIMIT $3";
        let (at, id) = after.map_or((i64::MAX, Uuid::max()), |(at, id)| (at.0, uuid(id.0)));
        let query = sqlx::query(sql).bind(at).bind(id).bind(i64::from(limit));
        let rows = self.inner.readers.rows(query).await?;
        self.with_counts(&rows).await
    }

    async fn active(&self) -> Result<Vec<Operation>, StoreError> {
        let sql =
            "SELECT * FROM operation WHERE state IN ('running', 'waiting') ORDER BY started_at, id";
        let rows = self.inner.readers.rows(sqlx::query(sql)).await?;
        self.with_counts(&rows).await
    }

    async fn items(
        &self,
        id: OperationId,
        state: Option<ItemState>,
        after: Option<u32>,
        limit: u32,
    ) -> Result<Vec<Item>, StoreError> {
        let sql = "SELECT * FROM operation_item
            WHERE operation = $1 AND state = coalesce($2, state) AND place > $3 ORDER BY place LIMIT $4";
        let query = sqlx::query(sql)
            .bind(uuid(id.0))
            .bind(state.map(ItemState::as_str))
            .bind(after.map_or(-1, i64::from))
            .bind(i64::from(limit));
        self.inner
            .readers
            .rows(query)
            .await?
            .iter()
            .map(item)
            .collect()
    }

    async fn change(&self, operation: Operation) -> Result<u64, ChangeError> {
        let sql = "UPDATE operation SET version = version + 1, state = $1, reason = $2, per_minute = $3, first = $4,
            halt_percent = $5, started_at = $6, ended_at = $7 WHERE id = $8 AND version = $9";
        let query = sqlx::query(sql)
            .bind(operation.state.as_str())
            .bind(operation.reason.as_deref().map(escaped))
            .bind(i64::from(operation.pace.per_minute))
            .bind(i64::from(operation.pace.first))
            .bind(i64::from(operation.pace.halt_percent))
            .bind(operation.started_at.map(|at| at.0))
            .bind(operation.ended_at.map(|at| at.0))
            .bind(uuid(operation.id.0))
            .bind(operation.version as i64);
        match self.inner.readers.change(query).await? {
            0 => Err(ChangeError::Conflict),
            _ => Ok(operation.version + 1),
        }
    }

    async fn settle(&self, id: OperationId, settled: Vec<Settled>) -> Result<u64, StoreError> {
        let each = || settled.iter();
        let codes: Vec<_> = each().map(|one| one.code.as_deref().map(escaped)).collect();
        let query = sqlx::query(SETTLE)
            .bind(uuid(id.0))
            .bind(each().map(|one| i64::from(one.place)).collect::<Vec<_>>())
            .bind(each().map(|one| one.state.as_str()).collect::<Vec<_>>())
            .bind(codes)
            .bind(each().map(|one| one.at.0).collect::<Vec<_>>());
        match self.inner.readers.row(query).await? {
            Some(row) => Columns(&row).number("version"),
            None => Err(unavailable(Trouble::Sql(sqlx::Error::RowNotFound))),
        }
    }
}

impl Postgres {
    async fn with_counts(&self, rows: &[PgRow]) -> Result<Vec<Operation>, StoreError> {
        let operations = rows.iter().map(operation);
        let mut operations: Vec<Operation> = operations.collect::<Result<_, _>>()?;
        let sql = "SELECT operation, state, count(*) AS many FROM operation_item
            WHERE operation = ANY($1) GROUP BY operation, state";
        let ids = uuids(operations.iter().map(|operation| operation.id.0));
        let mut counts: HashMap<u128, BTreeMap<ItemState, u32>> = HashMap::new();
        for row in &self.inner.readers.rows(sqlx::query(sql).bind(ids)).await? {
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

/// A row of the table; the items are counted elsewhere.
pub(super) fn operation(row: &PgRow) -> Result<Operation, StoreError> {
    let row = Columns(row);
    Ok(Operation {
        id: OperationId(row.id("id")?),
        version: row.number("version")?,
        request_id: row.text("request_id")?,
        verb: row.word("verb")?,
        state: row.word("state")?,
        by: row.text("by")?,
        reason: row.text_or_none("reason")?,
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
pub(super) fn item(row: &PgRow) -> Result<Item, StoreError> {
    let row = Columns(row);
    Ok(Item {
        place: row.number("place")?,
        reply: ReplyId(row.id("reply")?),
        generation: row.number("generation")?,
        session: SessionId(row.id("session")?),
        channel: row.text("channel")?,
        state: row.word("state")?,
        code: row.text_or_none("code")?,
        at: At(row.get("at")?),
    })
}
