//! The agent's hands: its leave to change the outside world, and its tools. Must never act under a lost lease, and never
//! drop a call with an effect that has begun.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use replygate_gate::text::Tongue;
use replygate_gate::tools::Note;
use replygate_gate::{ActionId, Command, Usage};
use replygate_ports::agent::{Again, AgentError, Effects, Turn};
use replygate_ports::ledger::Settlement;
use replygate_ports::store::{HistoryEntry, StoreError};
use replygate_ports::tools::{CallOutcome, Effect, Tool, ToolCall, ToolError};
use serde_json::Value;
use tokio::sync::oneshot;

use super::{Running, lock};
use crate::desk::{Cause, StepError};
use crate::engine::Inner;
use crate::tokens::{self, Spender};
use crate::tools::{Leave, LiveTool, Patience, Wish};

/// The hands of one run.
pub(super) struct Hands {
    inner: Inner,
    running: Arc<Running>,
    offered: Vec<LiveTool>,
    tools: Vec<Arc<Tool>>,
    tongue: Tongue,
}

/// Why a call with an effect brought no answer.
enum Fault {
    /// The turn may not act any more.
    Lost,
    /// The ledger or the session could not be asked: nothing ran.
    Store(StoreError),
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Hands {
    pub(super) fn new(inner: &Inner, running: &Arc<Running>, turn: &Turn) -> Self {
        let offered = inner.toolbox.offered(&running.made.key.channel);
        Self {
            inner: inner.clone(),
            running: running.clone(),
            tools: offered.iter().map(|live| live.tool.clone()).collect(),
            offered,
            tongue: tongue(turn),
        }
    }

    fn find(&self, name: &str) -> Option<LiveTool> {
        let is_it = |live: &&LiveTool| live.tool.name == name || live.tool.model_name() == name;
        self.offered.iter().find(is_it).cloned()
    }

    /// A call that only looks: it is not guarded, and may be dropped.
    async fn look(&self, live: &LiveTool, arguments: Value) -> CallOutcome {
        let action = ActionId(self.inner.mint());
        let call = self
            .inner
            .tool_call(&self.running, live, arguments, action, action);
        let result = run(&self.inner, live, &call).await;
        match result {
            Ok(result) => CallOutcome::Done { result },
            Err(ToolError::Failed { message, .. }) => CallOutcome::Failed { message },
            Err(ToolError::Unknown { .. }) => CallOutcome::Failed {
                message: Note::NoAnswer.text(self.tongue),
            },
        }
    }

    /// A call with an effect, in a task of its own: whatever becomes of the turn, it ends and its outcome is recorded.
    async fn act(&self, live: LiveTool, arguments: Value) -> Result<CallOutcome, AgentError> {
        let (inner, running) = (self.inner.clone(), self.running.clone());
        let wish = Wish::of(&live.tool, arguments, running.made.key.clone())
            .by_turn(running.owner.turn, self.tongue);
        let (tell, told) = oneshot::channel();
        self.inner.crew.start(async move {
            let outcome = inner.guarded(&running, &live, wish).await;
            // The turn may be over by now.
            let _ = tell.send(outcome);
        });
        match told.await {
            Ok(Ok(outcome)) => Ok(outcome),
            Ok(Err(Fault::Lost)) | Err(_) => Err(AgentError::Lost),
            Ok(Err(Fault::Store(error))) => Err(unrecorded(&self.running, &error)),
        }
    }
}

#[async_trait]
impl Effects for Hands {
    async fn reserve(&self, tool: &str) -> Result<(), AgentError> {
        match self.inner.reserve_effect(&self.running, tool, None).await {
            Ok(()) => Ok(()),
            Err(Fault::Lost) => Err(AgentError::Lost),
            Err(Fault::Store(error)) => Err(unrecorded(&self.running, &error)),
        }
    }

    fn tools(&self) -> &[Arc<Tool>] {
        &self.tools
    }

    async fn call(&self, tool: &str, arguments: Value) -> Result<CallOutcome, AgentError> {
        let Some(live) = self.find(tool) else {
            return Ok(CallOutcome::no_such_tool(tool));
        };
        if !arguments.is_object() {
            let message = "the arguments must be a JSON object".to_owned();
            return Ok(CallOutcome::Failed { message });
        }
        match live.tool.effect {
            Effect::Read => Ok(self.look(&live, arguments).await),
            Effect::Write => self.act(live, arguments).await,
        }
    }

    fn spent(&self, usage: Usage) {
        let mut spent = lock(&self.running.spent);
        *spent = spent.plus(usage);
        drop(spent);
        tokens::count(&self.running.made.live.settings.id, Spender::Agent, usage);
    }
}

impl Inner {
    /// One call with an effect, from the question to its recorded outcome.
    async fn guarded(
        &self,
        running: &Running,
        live: &LiveTool,
        wish: Wish,
    ) -> Result<CallOutcome, Fault> {
        let (action, key) = match self.guard.ask(&wish, Patience::ToTheEnd).await? {
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
        // Under an old fencing token nothing runs: asked for behind the reservation, right before the call.
        if let Err(fault) = self.reserve_effect(running, &wish.tool, Some(action)).await {
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

    fn tool_call(
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

    /// Records durably that an effect is about to happen, under the turn's fencing token.
    async fn reserve_effect(
        &self,
        running: &Running,
        tool: &str,
        action: Option<ActionId>,
    ) -> Result<(), Fault> {
        let fence = running.owner.fence;
        let command = Command::ReserveEffect {
            fence,
            tool: Some(tool.to_owned()),
            action,
        };
        let step = self
            .desk
            .step(
                running.made.id,
                Cause::by("worker"),
                |_| Ok(command.clone()),
            )
            .await;
        match step {
            Ok(made) => {
                lock(&self.reserved).insert(running.owner.turn);
                self.after(&made).await;
                Ok(())
            }
            Err(StepError::Store(error)) => Err(Fault::Store(error)),
            Err(StepError::Busy) => Err(Fault::Store(StoreError::Unavailable(Box::new(
                StepError::Busy,
            )))),
            Err(_) => Err(Fault::Lost),
        }
    }
}

/// Runs a tool with its limit: whether one that takes longer had its effect is unknown.
async fn run(inner: &Inner, live: &LiveTool, call: &ToolCall) -> Result<Value, ToolError> {
    let limit = Duration::from_millis(live.tool.timeout_ms);
    tokio::select! {
        biased;
        result = live.host.run(call) => result,
        () = inner.parts.clock.sleep(limit) => Err(ToolError::Unknown {
            code: "timeout".to_owned(),
        }),
    }
}

fn unrecorded(running: &Running, error: &StoreError) -> AgentError {
    tracing::warn!(turn = %running.owner.turn, %error, "an effect could not be reserved");
    AgentError::Failed {
        code: "store".to_owned(),
        again: Again::Yes,
    }
}

/// The language of the new messages; where they do not show one, of what the customer wrote before.
fn tongue(turn: &Turn) -> Tongue {
    let new: Vec<&str> = turn
        .messages
        .iter()
        .map(|message| message.text.as_str())
        .collect();
    let before = turn.history.iter().rev().filter_map(|entry| match entry {
        HistoryEntry::Customer { text, .. } => Some(text.as_str()),
        _ => None,
    });
    Tongue::of(&new.join("\n"))
        .or_else(|| before.take(10).find_map(Tongue::of))
        .unwrap_or_default()
}

/// Whether a turn's calls were not carried out, so that its reply is added to their records.
#[derive(Debug, Default)]
pub(super) struct Avoided(AtomicBool);

impl Avoided {
    fn note(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(super) fn any(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
