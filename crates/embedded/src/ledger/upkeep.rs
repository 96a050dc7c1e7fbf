//! What time does to the ledger: leases end, a start ends what died, old rows go. Must never touch what still stands.

use replygate_gate::tools::{self, Moment};
use replygate_gate::{ActionId, At};
use replygate_ports::ledger::{Call, Runner, steps};
use replygate_ports::store::StoreError;
use sqlx::{AssertSqlSafe, SqliteConnection};

use super::bulk::Bulk;
use super::rows::{self, CALL, CALLS};
use crate::codec::blob;
use crate::database::Database;
use crate::error::{read_fault, unavailable};

/// Running calls that are looked at in one transaction.
const PAGE: i64 = 500;

const OLD_RECORDS: &str = "DELETE FROM tool_duplicate WHERE n IN (
    SELECT n FROM tool_duplicate WHERE at < ? ORDER BY at, id LIMIT ?)";
const OLD_PASSES: &str = "DELETE FROM tool_pass WHERE request_id IN (
    SELECT request_id FROM tool_pass WHERE until < ? LIMIT ?)";
const OLD_CALLS: &str = "DELETE FROM tool_call WHERE n IN (
    SELECT n FROM tool_call WHERE over_at IS NOT NULL AND over_at < ?
    AND NOT EXISTS (SELECT 1 FROM tool_duplicate WHERE first = tool_call.id)
    ORDER BY over_at LIMIT ?)";

impl Database {
    pub(super) async fn expire_calls(
        &self,
        moment: &Moment,
        limit: u32,
    ) -> Result<Vec<ActionId>, StoreError> {
        if !self.runs_any_call().await? {
            return Ok(Vec::new());
        }
        let mut write = self.inner.side.begin().await?;
        let mut dead: Vec<Call> = Vec::new();
        let mut after = None;
        while dead.len() < limit as usize {
            let page = running(write.connection(), None, after).await?;
            let Some(last) = page.last() else { break };
            after = Some((last.entry.reserved_at, last.entry.action));
            let over = page
                .iter()
                .filter(|call| tools::is_dead(&call.entry, moment))
                .take(limit as usize - dead.len());
            dead.extend(over.map(|call| steps::lost(call, steps::LEASE_OVER, moment.now)));
        }
        if dead.is_empty() {
            write.rollback().await;
            return Ok(Vec::new());
        }
        keep(write.connection(), &dead).await?;
        write.commit().await.map_err(unavailable)?;
        Ok(dead.iter().map(|call| call.entry.action).collect())
    }

    /// Whether any call runs, without keeping the writers waiting.
    async fn runs_any_call(&self) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM tool_call WHERE open = 1 AND state = 'running' LIMIT 1";
        let row = sqlx::query(sql).fetch_optional(&self.inner.readers).await;
        row.map(|row| row.is_some()).map_err(read_fault)
    }

    pub(super) async fn recover_calls(&self, moment: &Moment) -> Result<u64, StoreError> {
        let mut count = 0;
        loop {
            let mut write = self.inner.side.begin().await?;
            let running = running(write.connection(), Some(Runner::Engine), None).await?;
            if running.is_empty() {
                write.rollback().await;
                return Ok(count);
            }
            let died = |call| steps::lost(call, steps::PROCESS_DIED, moment.now);
            let dead: Vec<Call> = running.iter().map(died).collect();
            keep(write.connection(), &dead).await?;
            write.commit().await.map_err(unavailable)?;
            count += dead.len() as u64;
        }
    }

    pub(super) async fn prune_ledger(&self, before: At, limit: u32) -> Result<u64, StoreError> {
        let mut write = self.inner.side.begin().await?;
        let mut left = u64::from(limit);
        for sql in [OLD_RECORDS, OLD_PASSES, OLD_CALLS] {
            let query = sqlx::query(sql).bind(before.0).bind(left as i64);
            let done = query.execute(write.connection()).await;
            left -= done.map_err(unavailable)?.rows_affected();
        }
        let pruned = u64::from(limit) - left;
        write.is_of(pruned as usize);
        write.commit().await.map_err(unavailable)?;
        Ok(pruned)
    }
}

/// The calls that have run longest, of one runner or of all, behind the last one seen.
async fn running(
    connection: &mut SqliteConnection,
    runner: Option<Runner>,
    after: Option<(At, ActionId)>,
) -> Result<Vec<Call>, StoreError> {
    let sql = format!(
        "SELECT {CALL} FROM tool_call WHERE open = 1 AND state = 'running' AND runner = coalesce(?, runner)
         AND (reserved_at, id) > (?, ?) ORDER BY reserved_at, id LIMIT {PAGE}"
    );
    let (at, id) = after.map_or((i64::MIN, Vec::new()), |(at, id)| (at.0, blob(id.0)));
    let query = sqlx::query(AssertSqlSafe(sql))
        .bind(runner.map(Runner::as_str))
        .bind(at)
        .bind(id);
    let rows = query.fetch_all(connection).await.map_err(read_fault)?;
    rows.iter().map(rows::call).collect()
}

async fn keep(connection: &mut SqliteConnection, calls: &[Call]) -> Result<(), StoreError> {
    let mut bulk = Bulk::new(&CALLS);
    for call in calls {
        bulk.push(rows::changed_call(call, None));
    }
    bulk.write(connection).await.map(drop).map_err(unavailable)
}

/// Erases a person's calls, records and passes, and what the built-in tools did for that person.
pub(crate) async fn forget(
    connection: &mut SqliteConnection,
    channel: Option<&str>,
    contact: &str,
) -> Result<(), StoreError> {
    const THEIRS: &str = "contact = ?1 AND channel = coalesce(?2, channel)";
    let passes = format!(
        "DELETE FROM tool_pass WHERE fingerprint IN (SELECT fingerprint FROM tool_call WHERE {THEIRS})"
    );
    let tables = ["tool_duplicate", "tool_call", "calendar_event", "mail"];
    let all = tables.map(|table| format!("DELETE FROM {table} WHERE {THEIRS}"));
    for sql in std::iter::once(passes).chain(all) {
        let query = sqlx::query(AssertSqlSafe(sql)).bind(contact).bind(channel);
        query.execute(&mut *connection).await.map_err(unavailable)?;
    }
    Ok(())
}
