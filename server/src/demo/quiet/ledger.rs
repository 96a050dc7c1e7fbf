//! The ledger of tool calls, watched.

use std::sync::Arc;

use async_trait::async_trait;
use replygate_gate::tools::{Moment, Settled};
use replygate_gate::{ActionId, At, DuplicateId, ReplyId, TurnId};
use replygate_ports::ledger::{
    By, Call, CallQuery, Duplicate, DuplicateQuery, Judged, Ledger, LedgerError, NewCall,
    NewDuplicate, NewPass, Reserved, Settlement, Verdict,
};
use replygate_ports::store::StoreError;

use super::Watch;

/// A ledger whose calls are watched.
pub(in crate::demo) struct WatchedLedger {
    ledger: Arc<dyn Ledger>,
    watch: Arc<Watch>,
}

impl WatchedLedger {
    pub(in crate::demo) const fn new(ledger: Arc<dyn Ledger>, watch: Arc<Watch>) -> Self {
        Self { ledger, watch }
    }
}

#[async_trait]
impl Ledger for WatchedLedger {
    async fn reserve(&self, call: NewCall, moment: &Moment) -> Result<Reserved, StoreError> {
        let _call = self.watch.call();
        self.ledger.reserve(call, moment).await
    }

    async fn settle(
        &self,
        action: ActionId,
        settlement: Settlement,
        moment: &Moment,
    ) -> Result<Settled, LedgerError> {
        let _call = self.watch.call();
        self.ledger.settle(action, settlement, moment).await
    }

    async fn settle_by(
        &self,
        action: ActionId,
        settlement: Settlement,
        by: By,
        moment: &Moment,
    ) -> Result<Settled, LedgerError> {
        let _call = self.watch.call();
        self.ledger.settle_by(action, settlement, by, moment).await
    }

    async fn avoid(&self, duplicate: NewDuplicate) -> Result<(), StoreError> {
        let _call = self.watch.call();
        self.ledger.avoid(duplicate).await
    }

    async fn said(&self, turn: TurnId, reply: ReplyId) -> Result<u64, StoreError> {
        let _call = self.watch.call();
        self.ledger.said(turn, reply).await
    }

    async fn allow_once(&self, pass: NewPass) -> Result<(), StoreError> {
        let _call = self.watch.call();
        self.ledger.allow_once(pass).await
    }

    async fn judge(
        &self,
        duplicate: DuplicateId,
        seen: Option<At>,
        verdict: Verdict,
    ) -> Result<Judged, LedgerError> {
        let _call = self.watch.call();
        self.ledger.judge(duplicate, seen, verdict).await
    }

    async fn call(&self, action: ActionId) -> Result<Option<Call>, StoreError> {
        let _call = self.watch.call();
        self.ledger.call(action).await
    }

    async fn calls(&self, query: &CallQuery) -> Result<Vec<Call>, StoreError> {
        let _call = self.watch.call();
        self.ledger.calls(query).await
    }

    async fn duplicate(&self, id: DuplicateId) -> Result<Option<Duplicate>, StoreError> {
        let _call = self.watch.call();
        self.ledger.duplicate(id).await
    }

    async fn duplicates(&self, query: &DuplicateQuery) -> Result<Vec<Duplicate>, StoreError> {
        let _call = self.watch.call();
        self.ledger.duplicates(query).await
    }

    async fn count_calls(&self, query: &CallQuery, most: u32) -> Result<u32, StoreError> {
        let _call = self.watch.call();
        self.ledger.count_calls(query, most).await
    }

    async fn count_duplicates(&self, query: &DuplicateQuery, most: u32) -> Result<u32, StoreError> {
        let _call = self.watch.call();
        self.ledger.count_duplicates(query, most).await
    }

    async fn expire(&self, moment: &Moment, limit: u32) -> Result<Vec<ActionId>, StoreError> {
        let _call = self.watch.call();
        self.ledger.expire(moment, limit).await
    }

    async fn recover(&self, moment: &Moment) -> Result<u64, StoreError> {
        let _call = self.watch.call();
        self.ledger.recover(moment).await
    }

    async fn prune(&self, before: At, limit: u32) -> Result<u64, StoreError> {
        let _call = self.watch.call();
        self.ledger.prune(before, limit).await
    }
}
