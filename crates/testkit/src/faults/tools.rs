//! Faults in front of the ledger and of the tools themselves.

use std::sync::Arc;

use async_trait::async_trait;
use replygate_gate::tools::{Moment, Settled};
use replygate_gate::{ActionId, At, DuplicateId, ReplyId, TurnId};
use replygate_ports::ledger::{
    By, Call, CallQuery, Duplicate, DuplicateQuery, Judged, Ledger, LedgerError, NewCall,
    NewDuplicate, NewPass, Reserved, Settlement, Verdict,
};
use replygate_ports::store::StoreError;
use replygate_ports::tools::{ToolCall, ToolError, ToolHost};
use serde_json::Value;

use super::life::injection;
use super::{Fault, Life};

/// A ledger as one life of a process meets it.
pub struct FaultyLedger {
    ledger: Arc<dyn Ledger>,
    life: Life,
}

impl FaultyLedger {
    /// That ledger with faults in front.
    #[must_use]
    pub fn new(ledger: Arc<dyn Ledger>, life: Life) -> Self {
        Self { ledger, life }
    }
}

fn unavailable() -> StoreError {
    StoreError::Unavailable(injection())
}

#[async_trait]
impl Ledger for FaultyLedger {
    async fn reserve(&self, call: NewCall, moment: &Moment) -> Result<Reserved, StoreError> {
        self.life
            .call(
                "ledger.reserve",
                || self.ledger.reserve(call.clone(), moment),
                unavailable,
            )
            .await
    }

    async fn settle(
        &self,
        action: ActionId,
        settlement: Settlement,
        moment: &Moment,
    ) -> Result<Settled, LedgerError> {
        self.life
            .call(
                "ledger.settle",
                || self.ledger.settle(action, settlement.clone(), moment),
                || unavailable().into(),
            )
            .await
    }

    async fn settle_by(
        &self,
        action: ActionId,
        settlement: Settlement,
        by: By,
        moment: &Moment,
    ) -> Result<Settled, LedgerError> {
        self.life
            .call(
                "ledger.settle_by",
                || {
                    self.ledger
                        .settle_by(action, settlement.clone(), by.clone(), moment)
                },
                || unavailable().into(),
            )
            .await
    }

    async fn avoid(&self, duplicate: NewDuplicate) -> Result<(), StoreError> {
        self.life
            .call(
                "ledger.avoid",
                || self.ledger.avoid(duplicate.clone()),
                unavailable,
            )
            .await
    }

    async fn said(&self, turn: TurnId, reply: ReplyId) -> Result<u64, StoreError> {
        self.life
            .call("ledger.said", || self.ledger.said(turn, reply), unavailable)
            .await
    }

    async fn allow_once(&self, pass: NewPass) -> Result<(), StoreError> {
        self.life
            .call(
                "ledger.allow_once",
                || self.ledger.allow_once(pass.clone()),
                unavailable,
            )
            .await
    }

    async fn judge(
        &self,
        duplicate: DuplicateId,
        seen: Option<At>,
        verdict: Verdict,
    ) -> Result<Judged, LedgerError> {
        self.life
            .call(
                "ledger.judge",
                || self.ledger.judge(duplicate, seen, verdict.clone()),
                || unavailable().into(),
            )
            .await
    }

    async fn call(&self, action: ActionId) -> Result<Option<Call>, StoreError> {
        self.life
            .call("ledger.call", || self.ledger.call(action), unavailable)
            .await
    }

    async fn calls(&self, query: &CallQuery) -> Result<Vec<Call>, StoreError> {
        self.life
            .call("ledger.calls", || self.ledger.calls(query), unavailable)
            .await
    }

    async fn duplicate(&self, id: DuplicateId) -> Result<Option<Duplicate>, StoreError> {
        self.life
            .call(
                "ledger.duplicate",
                || self.ledger.duplicate(id),
                unavailable,
            )
            .await
    }

    async fn duplicates(&self, query: &DuplicateQuery) -> Result<Vec<Duplicate>, StoreError> {
        self.life
            .call(
                "ledger.duplicates",
                || self.ledger.duplicates(query),
                unavailable,
            )
            .await
    }

    async fn count_calls(&self, query: &CallQuery, most: u32) -> Result<u32, StoreError> {
        self.life
            .call(
                "ledger.count_calls",
                || self.ledger.count_calls(query, most),
                unavailable,
            )
            .await
    }

    async fn count_duplicates(&self, query: &DuplicateQuery, most: u32) -> Result<u32, StoreError> {
        self.life
            .call(
                "ledger.count_duplicates",
                || self.ledger.count_duplicates(query, most),
                unavailable,
            )
            .await
    }

    async fn expire(&self, moment: &Moment, limit: u32) -> Result<Vec<ActionId>, StoreError> {
        self.life
            .call(
                "ledger.expire",
                || self.ledger.expire(moment, limit),
                unavailable,
            )
            .await
    }

    async fn recover(&self, moment: &Moment) -> Result<u64, StoreError> {
        self.life
            .call(
                "ledger.recover",
                || self.ledger.recover(moment),
                unavailable,
            )
            .await
    }

    async fn prune(&self, before: At, limit: u32) -> Result<u64, StoreError> {
        self.life
            .call(
                "ledger.prune",
                || self.ledger.prune(before, limit),
                unavailable,
            )
            .await
    }
}

/// A tool as one life of a process meets it. A call that failed before its work says so; one that failed behind it says
/// that it does not know.
pub struct FaultyTool {
    tool: Arc<dyn ToolHost>,
    life: Life,
}

impl FaultyTool {
    /// That tool with faults in front.
    #[must_use]
    pub fn new(tool: Arc<dyn ToolHost>, life: Life) -> Self {
        Self { tool, life }
    }
}

#[async_trait]
impl ToolHost for FaultyTool {
    async fn run(&self, call: &ToolCall) -> Result<Value, ToolError> {
        self.life.alive().await;
        let code = "injected".to_owned();
        let result = match self.life.faults.meet("tool.run") {
            // Nobody repeats a call by itself.
            None | Some(Fault::Twice) => self.tool.run(call).await,
            Some(Fault::Before) => Err(ToolError::Failed {
                message: code.clone(),
                code,
            }),
            Some(Fault::Lost) => Err(ToolError::Unknown { code }),
            Some(Fault::After) => {
                drop(self.tool.run(call).await);
                Err(ToolError::Unknown { code })
            }
            Some(Fault::Delay(delay)) => {
                self.life.faults.clock.sleep(delay).await;
                self.life.alive().await;
                self.tool.run(call).await
            }
            Some(Fault::CrashBefore) => self.life.die().await,
            Some(Fault::CrashAfter) => {
                drop(self.tool.run(call).await);
                self.life.die().await
            }
        };
        self.life.alive().await;
        result
    }
}
