//! The ledger of tool calls, shared by every process. Whoever reserves holds the lock of the call's meaning, so that of many
//! processes at once one runs; must never answer before the commit.

mod lists;
mod rows;
mod upkeep;
mod write;

use async_trait::async_trait;
use replygate_gate::tools::{Moment, Settled};
use replygate_gate::{ActionId, At, DuplicateId, ReplyId, TurnId};
use replygate_ports::ledger::{
    By, Call, CallQuery, Duplicate, DuplicateQuery, Judged, Ledger, LedgerError, NewCall,
    NewDuplicate, NewPass, Reserved, Settlement, Verdict,
};
use replygate_ports::store::StoreError;

use super::Postgres;
use super::codec::{escaped, uuid};

pub(super) use rows::call;
pub(super) use rows::{calls_new, pass_with_use, passes_new, record, records_new};
pub(super) use upkeep::forget;

#[async_trait]
impl Ledger for Postgres {
    async fn reserve(&self, call: NewCall, moment: &Moment) -> Result<Reserved, StoreError> {
        Ok(self.reserve_call(call, moment).await?)
    }

    async fn settle(
        &self,
        action: ActionId,
        settlement: Settlement,
        moment: &Moment,
    ) -> Result<Settled, LedgerError> {
        self.settle_call(action, settlement, None, moment).await
    }

    async fn settle_by(
        &self,
        action: ActionId,
        settlement: Settlement,
        by: By,
        moment: &Moment,
    ) -> Result<Settled, LedgerError> {
        self.settle_call(action, settlement, Some(by), moment).await
    }

    async fn avoid(&self, duplicate: NewDuplicate) -> Result<(), StoreError> {
        self.add_record(duplicate).await
    }

    async fn said(&self, turn: TurnId, reply: ReplyId) -> Result<u64, StoreError> {
        let query = sqlx::query("UPDATE tool_duplicate SET said = $1 WHERE turn = $2")
            .bind(uuid(reply.0))
            .bind(uuid(turn.0));
        self.inner.readers.change(query).await
    }

    async fn allow_once(&self, pass: NewPass) -> Result<(), StoreError> {
        self.add_pass(pass).await
    }

    async fn judge(
        &self,
        duplicate: DuplicateId,
        seen: Option<At>,
        verdict: Verdict,
    ) -> Result<Judged, LedgerError> {
        let sql =
            "UPDATE tool_duplicate SET opinion = $1, comment = $2, judged_by = $3, judged_at = $4
            WHERE id = $5 AND judged_at IS NOT DISTINCT FROM $6";
        let query = sqlx::query(sql)
            .bind(verdict.opinion.as_str())
            .bind(verdict.comment.as_deref().map(escaped))
            .bind(escaped(&verdict.by))
            .bind(verdict.at.0)
            .bind(uuid(duplicate.0))
            .bind(seen.map(|at| at.0));
        if self.inner.readers.change(query).await? > 0 {
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
