//! The ledger of tool calls in the file. Reservations and outcomes share commits; must never answer before the commit.

mod batch;
mod bulk;
mod facts;
mod lists;
mod rows;
mod upkeep;
mod writer;

use async_trait::async_trait;
use replygate_gate::tools::{Moment, Settled};
use replygate_gate::{ActionId, At, DuplicateId, ReplyId, TurnId};
use replygate_ports::ledger::{
    By, Call, CallQuery, Duplicate, DuplicateQuery, Judged, Ledger, LedgerError, NewCall,
    NewDuplicate, NewPass, Reserved, Settlement, Verdict,
};
use replygate_ports::store::StoreError;

use crate::codec::blob;
use crate::database::Database;

pub(crate) use rows::{call, pass, record};
pub(crate) use upkeep::forget;
pub(crate) use writer::LedgerWriter;

#[async_trait]
impl Ledger for Database {
    async fn reserve(&self, call: NewCall, moment: &Moment) -> Result<Reserved, StoreError> {
        self.inner.ledger.reserve(call, moment.clone()).await
    }

    async fn settle(
        &self,
        action: ActionId,
        settlement: Settlement,
        moment: &Moment,
    ) -> Result<Settled, LedgerError> {
        let ledger = &self.inner.ledger;
        ledger
            .settle(action, settlement, None, moment.clone())
            .await
    }

    async fn settle_by(
        &self,
        action: ActionId,
        settlement: Settlement,
        by: By,
        moment: &Moment,
    ) -> Result<Settled, LedgerError> {
        let ledger = &self.inner.ledger;
        ledger
            .settle(action, settlement, Some(by), moment.clone())
            .await
    }

    async fn avoid(&self, duplicate: NewDuplicate) -> Result<(), StoreError> {
        self.inner.ledger.avoid(duplicate).await
    }

    async fn said(&self, turn: TurnId, reply: ReplyId) -> Result<u64, StoreError> {
        let query = sqlx::query("UPDATE tool_duplicate SET said = ? WHERE turn = ?")
            .bind(blob(reply.0))
            .bind(blob(turn.0));
        self.change(query).await
    }

    async fn allow_once(&self, pass: NewPass) -> Result<(), StoreError> {
        let sql = "INSERT INTO tool_pass (request_id, fingerprint, at, until, by, reason)
            VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";
        let query = sqlx::query(sql)
            .bind(pass.by.request_id)
            .bind(blob(pass.fingerprint.0))
            .bind(pass.at.0)
            .bind(pass.until.0)
            .bind(pass.by.name)
            .bind(pass.by.reason);
        self.change(query).await.map(drop)
    }

    async fn judge(
        &self,
        duplicate: DuplicateId,
        seen: Option<At>,
        verdict: Verdict,
    ) -> Result<Judged, LedgerError> {
        let sql = "UPDATE tool_duplicate SET opinion = ?, comment = ?, judged_by = ?, judged_at = ?
            WHERE id = ? AND judged_at IS ?";
        let query = sqlx::query(sql)
            .bind(verdict.opinion.as_str())
            .bind(verdict.comment)
            .bind(verdict.by)
            .bind(verdict.at.0)
            .bind(blob(duplicate.0))
            .bind(seen.map(|at| at.0));
        if self.change(query).await? > 0 {
            return Ok(Judged::Now);
        }
        let found = self.find_duplicate(duplicate).await?;
        Ok(Judged::Other(found.ok_or(LedgerError::NoSuch)?.verdict))
    }

    async fn call(&self, action: ActionId) -> Result<Option<Call>, StoreError> {
        self.find_call(action).await
    }

    async fn calls(&self, query: &CallQuery) -> Result<Vec<Call>, StoreError> {
        self.list_calls(query).await
    }

    async fn duplicate(&self, id: DuplicateId) -> Result<Option<Duplicate>, StoreError> {
        self.find_duplicate(id).await
    }

    async fn duplicates(&self, query: &DuplicateQuery) -> Result<Vec<Duplicate>, StoreError> {
        self.list_duplicates(query).await
    }

    async fn count_calls(&self, query: &CallQuery, most: u32) -> Result<u32, StoreError> {
        self.number_of_calls(query, most).await
    }

    async fn count_duplicates(&self, query: &DuplicateQuery, most: u32) -> Result<u32, StoreError> {
        self.number_of_duplicates(query, most).await
    }

    async fn expire(&self, moment: &Moment, limit: u32) -> Result<Vec<ActionId>, StoreError> {
        self.expire_calls(moment, limit).await
    }

    async fn recover(&self, moment: &Moment) -> Result<u64, StoreError> {
        self.recover_calls(moment).await
    }

    async fn prune(&self, before: At, limit: u32) -> Result<u64, StoreError> {
        self.prune_ledger(before, limit).await
    }
}
