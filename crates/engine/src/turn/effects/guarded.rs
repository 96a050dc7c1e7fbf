//! One call with an effect: leave from the ledger, the reservation under the turn's fencing token, the call, its outcome.
//! Must never call before both stand, and must never end without an outcome on record.

use std::time::Duration;

use replygate_gate::tools::Note;
use replygate_gate::{ActionId, Command, Refusal};
use replygate_ports::ledger::Settlement;
use replygate_ports::store::StoreError;
use replygate_ports::tools::{CallOutcome, ToolCall, ToolError};
use serde_json::Value;

use super::super::{Running, lock};
use crate::desk::{Cause, Patience, StepError};
use crate::engine::Inner;
use crate::tools::{Leave, LiveTool, Wait, Wish};

/// Why a call with an effect brought no answer.
pub(super) enum Fault {
    /// The turn may not act any more.
    Lost,
    /// The customer stopped the turn: it may say something, and do nothing more.
    Stopped,
    /// The ledger or the session could not be asked: nothing ran.
    Store(StoreError),
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Inner {
    /// One call with an effect, from the question to its recorded outcome.
    pub(super) async fn guarded(
        &self,
        running: &Running,
        live: &LiveTool,
        wish: Wish,
    ) -> Result<CallOutcome, Fault> {
        let asked = self.parts.clock.elapsed();
        let (action, key) = match self.guard.ask(&wish, Wait::ToTheEnd).await? {
            Leave::Run { action, key } => (action, key),
            Leave::Duplicate {
                first,
                age_ms,
                note,
                ..
            } => {
                running.avoided.note();
                return Ok(CallOutcome::Duplicate {
                    first: first.entry.action,
                    age_ms,
                    result: first.result.unwrap_or_default(),
                    note,
                });
            }
            Leave::Unknown { note, .. } => {
                running.avoided.note();
                return Ok(CallOutcome::Unknown { note });
            }
            Leave::InProgress { note, .. } => return Ok(CallOutcome::Unknown { note }),
        };
        let lease_ms = wish.guarding.lease_ms;
        // The store may falter as long as the call's lease still has room for the call itself.
        let spare = Duration::from_millis(lease_ms.saturating_sub(live.tool.timeout_ms));
        let patience = Patience::until(asked + spare);
        // Under an old fencing token nothing runs: asked for behind the reservation, right before the call.
        if let Err(fault) = self
            .reserve_effect(running, &wish.tool, Some(action), patience)
            .await
        {
            let code = "not_started".to_owned();
            let settlement = Settlement::Failed { code };
            self.guard.settle_surely(action, settlement, lease_ms).await;
            return Err(fault);
        }
        let call = self.tool_call(running, live, wish.arguments, action, key);
        let (settlement, outcome) = match run(self, live, &call).await {
            Ok(result) => (
                Settlement::Done {
                    result: result.clone(),
                },
                CallOutcome::Done { result },
            ),
            Err(ToolError::Failed { code, message }) => {
                (Settlement::Failed { code }, CallOutcome::Failed { message })
            }
            Err(ToolError::Unknown { code }) => (
                Settlement::Unknown { code },
                CallOutcome::Unknown {
                    note: Note::NotConfirmed.text(wish.tongue),
                },
            ),
        };
        self.guard.settle_surely(action, settlement, lease_ms).await;
        Ok(outcome)
    }

    pub(super) fn tool_call(
        &self,
        running: &Running,
        live: &LiveTool,
        arguments: Value,
        action: ActionId,
        key: ActionId,
    ) -> ToolCall {
        ToolCall {
            action,
            key,
            tool: live.tool.name.clone(),
            arguments,
            whom: running.made.key.clone(),
            at: self.parts.clock.now(),
        }
    }

    /// Records durably that an effect is about to happen, under the turn's fencing token. A turn that is lost meanwhile
    /// waits for no store.
    pub(super) async fn reserve_effect(
        &self,
        running: &Running,
        tool: &str,
        action: Option<ActionId>,
        patience: Patience,
    ) -> Result<(), Fault> {
        let command = Command::ReserveEffect {
            fence: running.owner.fence,
            tool: Some(tool.to_owned()),
            action,
        };
        let reservation = self
            .desk
            .insist(running.made.id, Cause::by("worker"), patience, |_| {
                Ok(command.clone())
            });
        let step = tokio::select! {
            biased;
            () = running.lost.cancelled() => return Err(Fault::Lost),
            step = reservation => step,
        };
        match step {
            Ok(made) => {
                lock(&self.reserved).insert(running.owner.turn);
                self.after(&made).await;
                Ok(())
            }
            Err(StepError::Refused(Refusal::Stopping)) => Err(Fault::Stopped),
            Err(StepError::Store(error)) => Err(Fault::Store(error)),
            Err(StepError::Busy) => Err(Fault::Store(StoreError::Unavailable(Box::new(
                StepError::Busy,
            )))),
            Err(_) => Err(Fault::Lost),
        }
    }
}

/// Runs a tool with its limit: whether one that takes longer had its effect is unknown.
pub(super) async fn run(
    inner: &Inner,
    live: &LiveTool,
    call: &ToolCall,
) -> Result<Value, ToolError> {
    let limit = Duration::from_millis(live.tool.timeout_ms);
    tokio::select! {
        biased;
        result = live.host.run(call) => result,
        () = inner.parts.clock.sleep(limit) => Err(ToolError::Unknown {
            code: "timeout".to_owned(),
        }),
    }
}
