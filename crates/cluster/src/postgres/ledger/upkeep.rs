//! What time does to the ledger: leases end, a start ends what died, old rows go. Must never touch what still stands, nor a
//! call that another process is settling.

use replygate_gate::tools::{self, Moment};
use replygate_gate::{ActionId, At};
use replygate_ports::ledger::{Call, Runner, steps};
use replygate_ports::store::StoreError;
use sqlx::AssertSqlSafe;
use sqlx::types::Uuid;

use super::rows::{self, CALL};
use super::write::change;
use crate::postgres::Postgres;
use crate::postgres::codec::{escaped, uuid};
use crate::postgres::error::Trouble;
use crate::postgres::lines::Line;

/// Running calls that are looked at together.
const PAGE: i64 = 500;

const OLD_RECORDS: &str = "DELETE FROM tool_duplicate WHERE id IN (
    SELECT id FROM tool_duplicate WHERE at < $1 ORDER BY at, id LIMIT $2 FOR UPDATE SKIP LOCKED)";
const OLD_PASSES: &str = "DELETE FROM tool_pass WHERE request_id IN (
    SELECT request_id FROM tool_pass WHERE until < $1 ORDER BY until LIMIT $2 FOR UPDATE SKIP LOCKED)";
const OLD_CALLS: &str = "DELETE FROM tool_call WHERE id IN (
    SELECT id FROM tool_call WHERE over_at IS NOT NULL AND over_at < $1
    AND NOT EXISTS (SELECT FROM tool_duplicate WHERE first = tool_call.id)
    ORDER BY over_at LIMIT $2 FOR UPDATE SKIP LOCKED)";

/// A person's passes are known by the calls that they were given for.
const FORGET: [&str; 4] = [
    "WITH gone AS (DELETE FROM tool_call WHERE contact = $1 AND channel = coalesce($2, channel) RETURNING fingerprint)
        DELETE FROM tool_pass USING gone WHERE tool_pass.fingerprint = gone.fingerprint",
    "DELETE FROM tool_duplicate WHERE contact = $1 AND channel = coalesce($2, channel)",
    "DELETE FROM calendar_event WHERE contact = $1 AND channel = coalesce($2, channel)",
    "DELETE FROM mail WHERE contact = $1 AND channel = coalesce($2, channel)",
];

impl Postgres {
    pub(super) async fn expire_calls(
        &self,
        moment: &Moment,
        limit: u32,
    ) -> Result<Vec<ActionId>, StoreError> {
        let mut dead = Vec::new();
        let mut after = None;
        while dead.len() < limit as usize {
            let page = self.running(None, after).await?;
            let Some(last) = page.last() else { break };
            after = Some((last.entry.reserved_at, last.entry.action));
            let over = page
                .iter()
                .filter(|call| tools::is_dead(&call.entry, moment))
                .take(limit as usize - dead.len());
            dead.extend(over.map(|call| call.entry.action));
        }
        let is_dead = |call: &Call| tools::is_dead(&call.entry, moment);
        self.lose(&dead, is_dead, steps::LEASE_OVER, moment).await
    }

    pub(super) async fn recover_calls(&self, moment: &Moment) -> Result<u64, StoreError> {
        let mut count = 0;
        loop {
            let running = self.running(Some(Runner::Engine), None).await?;
            let ids: Vec<ActionId> = running.iter().map(|call| call.entry.action).collect();
            let lost = self
                .lose(&ids, |_| true, steps::PROCESS_DIED, moment)
                .await?;
            if lost.is_empty() {
                return Ok(count);
            }
            count += lost.len() as u64;
        }
    }

    pub(super) async fn prune_ledger(&self, before: At, limit: u32) -> Result<u64, StoreError> {
        let mut left = u64::from(limit);
        for sql in [OLD_RECORDS, OLD_PASSES, OLD_CALLS] {
            let query = sqlx::query(sql).bind(before.0).bind(left as i64);
            left -= self.inner.keepers.change(query).await?;
        }
        Ok(u64::from(limit) - left)
    }

    /// The calls that have run longest, of one runner or of all, behind the last one seen.
    async fn running(
        &self,
        runner: Option<Runner>,
        after: Option<(At, ActionId)>,
    ) -> Result<Vec<Call>, StoreError> {
        let sql = format!(
            "SELECT {CALL} FROM tool_call WHERE open AND state = 'running' AND runner = coalesce($1, runner)
             AND (reserved_at, id) > ($2, $3) ORDER BY reserved_at, id LIMIT {PAGE}"
        );
        let (at, id) = after.map_or((i64::MIN, Uuid::nil()), |(at, id)| (at.0, uuid(id.0)));
        let query = sqlx::query(AssertSqlSafe(sql))
            .bind(runner.map(Runner::as_str))
            .bind(at)
            .bind(id);
        let rows = self.inner.readers.rows(query).await?;
        rows.iter().map(rows::call).collect()
    }

    /// Makes those of these calls unknown that still run and that nobody is settling at this moment; which they were.
    async fn lose(
        &self,
        ids: &[ActionId],
        is_lost: impl Fn(&Call) -> bool + Send,
        code: &str,
        moment: &Moment,
    ) -> Result<Vec<ActionId>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let mut line = self.inner.keepers.take().await?;
        line.change(sqlx::query("BEGIN")).await?;
        let found = still_running(&mut line, ids).await?;
        let lost: Vec<Call> = found
            .iter()
            .filter(|call| is_lost(call))
            .map(|call| steps::lost(call, code, moment.now))
            .collect();
        if !lost.is_empty() {
            change(&mut line, &lost.iter().collect::<Vec<_>>()).await?;
        }
        let committed = line.change(sqlx::query("COMMIT")).await;
        line.end(committed)?;
        Ok(lost.iter().map(|call| call.entry.action).collect())
    }
}

async fn still_running(line: &mut Line<'_>, ids: &[ActionId]) -> Result<Vec<Call>, Trouble> {
    let sql = format!(
        "SELECT {CALL} FROM tool_call WHERE id = ANY($1) AND state = 'running'
         ORDER BY reserved_at, id FOR UPDATE SKIP LOCKED"
    );
    let ids: Vec<Uuid> = ids.iter().map(|id| uuid(id.0)).collect();
    let rows = line.rows(sqlx::query(AssertSqlSafe(sql)).bind(ids)).await?;
    let calls: Result<Vec<Call>, StoreError> = rows.iter().map(rows::call).collect();
    Ok(calls?)
}

/// Erases a person's calls, records and passes, and what the built-in tools did for that person.
pub(crate) async fn forget(
    line: &mut Line<'_>,
    channel: Option<&str>,
    contact: &str,
) -> Result<(), Trouble> {
    for sql in FORGET {
        let query = sqlx::query(sql)
            .bind(escaped(contact))
            .bind(channel.map(escaped));
        line.change(query).await?;
    }
    Ok(())
}
