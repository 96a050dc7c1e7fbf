//! Reservations and outcomes, each in one transaction. Must never decide anything by itself: the ports say what each step
//! changes.

use replygate_gate::ActionId;
use replygate_gate::tools::{Fingerprint, Moment, Settled};
use replygate_ports::ledger::{
    By, Call, Duplicate, LedgerError, NewCall, NewDuplicate, NewPass, Reserved, Settlement, steps,
};
use replygate_ports::store::StoreError;
use sqlx::AssertSqlSafe;
use sqlx::postgres::PgArguments;

use super::rows::{self, CALL, calls_changed, calls_new, passes_new, records_new};
use crate::postgres::Postgres;
use crate::postgres::codec::{escaped, uuid};
use crate::postgres::error::Trouble;
use crate::postgres::lines::Line;
use crate::postgres::statement::Statement;

/// One at a time for each meaning, until the end of the transaction.
const LOCK: &str = "SELECT pg_advisory_xact_lock($1)";

const PASSES: &str = "SELECT request_id, fingerprint, at, until, by, reason FROM tool_pass
    WHERE fingerprint = $1 AND used_by IS NULL ORDER BY request_id";

impl Postgres {
    pub(super) async fn reserve_call(
        &self,
        call: NewCall,
        moment: &Moment,
    ) -> Result<Reserved, Trouble> {
        let mut line = self.inner.readers.take().await?;
        line.change(sqlx::query("BEGIN")).await?;
        let reserved = reserve(&mut line, call, moment).await?;
        let committed = line.change(sqlx::query("COMMIT")).await;
        line.end(committed)?;
        Ok(reserved)
    }

    pub(super) async fn settle_call(
        &self,
        action: ActionId,
        settlement: Settlement,
        by: Option<By>,
        moment: &Moment,
    ) -> Result<Settled, LedgerError> {
        let mut line = self.inner.readers.take().await.map_err(StoreError::from)?;
        let begun = line.change(sqlx::query("BEGIN")).await;
        begun.map_err(StoreError::from)?;
        let settled = settle(&mut line, action, settlement, by, moment).await;
        if let Err(LedgerError::Store(error)) = settled {
            // The connection is in the middle of something: it is closed.
            return Err(error.into());
        }
        let committed = line.change(sqlx::query("COMMIT")).await;
        line.end(committed).map_err(StoreError::from)?;
        settled
    }

    pub(super) async fn add_record(&self, call: NewDuplicate) -> Result<(), StoreError> {
        let record = Duplicate {
            call,
            first: None,
            said: None,
            verdict: None,
        };
        let mut statement = Statement::default();
        let sql = records_new(&mut statement, &[&record])?;
        self.add(statement, &sql).await
    }

    pub(super) async fn add_pass(&self, pass: NewPass) -> Result<(), StoreError> {
        let mut statement = Statement::default();
        let sql = passes_new(&mut statement, &[(&pass, None)]);
        self.add(statement, &sql).await
    }

    /// What is there already stays as it is.
    async fn add(&self, statement: Statement, sql: &str) -> Result<(), StoreError> {
        let sql = format!("{sql} ON CONFLICT DO NOTHING");
        let (sql, arguments) = statement.finish(&sql).map_err(Trouble::Sql)?;
        let query = sqlx::query_with::<_, PgArguments>(AssertSqlSafe(sql), arguments);
        self.inner.readers.change(query).await.map(drop)
    }
}

async fn reserve(line: &mut Line<'_>, call: NewCall, moment: &Moment) -> Result<Reserved, Trouble> {
    let print = call.fingerprint;
    // Two meanings that share half of their fingerprint wait for each other, no more.
    line.rows(sqlx::query(LOCK).bind(print.0 as i64)).await?;
    let standing = standing(line, print).await?;
    let passes = line.rows(sqlx::query(PASSES).bind(uuid(print.0))).await?;
    let passes: Vec<NewPass> = passes.iter().map(rows::pass).collect::<Result<_, _>>()?;
    let (answer, changes) = steps::reserve(standing.as_ref(), &passes, call, moment);
    if let Some(replaced) = &changes.replaced {
        change(line, &[replaced]).await?;
    }
    let Some(begun) = &changes.begun else {
        return Ok(answer);
    };
    let mut statement = Statement::default();
    let sql = calls_new(&mut statement, &[begun])?;
    carry_out(line, statement, &sql).await?;
    if let Some(used) = &changes.used {
        let query = sqlx::query("UPDATE tool_pass SET used_by = $1 WHERE request_id = $2")
            .bind(uuid(begun.entry.action.0))
            .bind(escaped(used));
        line.change(query).await?;
    }
    Ok(answer)
}

async fn standing(line: &mut Line<'_>, print: Fingerprint) -> Result<Option<Call>, Trouble> {
    let sql = format!("SELECT {CALL} FROM tool_call WHERE fingerprint = $1 AND live FOR UPDATE");
    let query = sqlx::query(AssertSqlSafe(sql)).bind(uuid(print.0));
    let rows = line.rows(query).await?;
    Ok(rows.first().map(rows::call).transpose()?)
}

async fn settle(
    line: &mut Line<'_>,
    action: ActionId,
    settlement: Settlement,
    by: Option<By>,
    moment: &Moment,
) -> Result<Settled, LedgerError> {
    let sql = format!("SELECT {CALL} FROM tool_call WHERE id = $1 FOR UPDATE");
    let query = sqlx::query(AssertSqlSafe(sql)).bind(uuid(action.0));
    let found = line.rows(query).await.map_err(StoreError::from)?;
    let call = found.first().map(rows::call).transpose()?;
    let call = call.ok_or(LedgerError::NoSuch)?;
    let Some(settled) = steps::settle(&call, settlement, by, moment)? else {
        return Ok(Settled::Before);
    };
    change(line, &[&settled]).await.map_err(StoreError::from)?;
    Ok(Settled::Now(settled.entry))
}

/// Writes these calls as they are now.
pub(super) async fn change(line: &mut Line<'_>, calls: &[&Call]) -> Result<(), Trouble> {
    let mut statement = Statement::default();
    let sql = calls_changed(&mut statement, calls)?;
    carry_out(line, statement, &sql).await
}

async fn carry_out(line: &mut Line<'_>, statement: Statement, sql: &str) -> Result<(), Trouble> {
    let (sql, arguments) = statement.finish(sql)?;
    let query = sqlx::query_with::<_, PgArguments>(AssertSqlSafe(sql), arguments);
    line.change(query).await.map(drop)
}
