//! The agent's hands: its leave to change the outside world, its tools, and how far its answer is. Must never act under a
//! lost lease, and never drop a call with an effect that has begun.

mod guarded;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use replygate_gate::text::Tongue;
use replygate_gate::tools::Note;
use replygate_gate::{ActionId, Usage};
use replygate_ports::agent::{self, Again, AgentError, Effects, Turn};
use replygate_ports::store::{HistoryEntry, StoreError};
use replygate_ports::tools::{CallOutcome, Effect, Tool, ToolError};
use serde_json::Value;
use tokio::sync::oneshot;

use self::guarded::{Fault, run};
use super::{Running, WHILE_HELD, lock};
use crate::engine::Inner;
use crate::tokens::{self, Spender};
use crate::tools::{LiveTool, Wish};

/// The hands of one run.
pub(super) struct Hands {
    inner: Inner,
    running: Arc<Running>,
    offered: Vec<LiveTool>,
    tools: Vec<Arc<Tool>>,
    tongue: Tongue,
    /// The customer stopped the turn, and the agent knows it: it may look, and do nothing more.
    stopped: bool,
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
            stopped: turn.notes.contains(&agent::Note::Stopped),
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
            Ok(outcome) => outcome.map_err(|fault| self.failed(fault)),
            Err(_) => Err(AgentError::Lost),
        }
    }

    fn failed(&self, fault: Fault) -> AgentError {
        match fault {
            Fault::Lost => AgentError::Lost,
            Fault::Stopped => AgentError::Stopped,
            Fault::Store(error) => unrecorded(&self.running, &error),
        }
    }
}

#[async_trait]
impl Effects for Hands {
    async fn reserve(&self, tool: &str) -> Result<(), AgentError> {
        self.inner
            .reserve_effect(&self.running, tool, None, WHILE_HELD)
            .await
            .map_err(|fault| self.failed(fault))
    }

    fn tools(&self) -> &[Arc<Tool>] {
        &self.tools
    }

    async fn call(&self, tool: &str, arguments: Value) -> Result<CallOutcome, AgentError> {
        let Some(live) = self.find(tool) else {
            return Ok(CallOutcome::no_such_tool(tool));
        };
        if let Some(message) = live.tool.misfit(&arguments) {
            return Ok(CallOutcome::Failed { message });
        }
        match live.tool.effect {
            Effect::Read => Ok(self.look(&live, arguments).await),
            Effect::Write if self.stopped => Ok(CallOutcome::Denied {
                message: Note::Stopped.text(self.tongue),
            }),
            Effect::Write => self.act(live, arguments).await,
        }
    }

    fn spent(&self, usage: Usage) {
        let mut spent = lock(&self.running.spent);
        *spent = spent.plus(usage);
        drop(spent);
        tokens::count(&self.running.made.live.settings.id, Spender::Agent, usage);
    }

    fn wrote(&self, piece: &str) {
        self.running.written.add(piece);
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
