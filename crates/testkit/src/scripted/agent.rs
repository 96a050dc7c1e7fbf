//! An agent that answers with what it was asked.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use futures::future::try_join_all;
use replygate_gate::{At, SessionId, TurnId};
use replygate_ports::agent::{
    Again, Agent, AgentError, Answer, EffectDone, Effects, Note, Past, Turn,
};
use replygate_ports::clock::Clock;
use replygate_ports::tools::CallOutcome;
use serde_json::Value;

use super::Latency;

/// How long a run takes that is asked to be `#slow`: longer than a turn's lease.
const SLOW: Duration = Duration::from_secs(20);

/// One run of the agent, as it began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// When.
    pub at: At,
    /// What it got to read.
    pub turn: Turn,
}

/// An agent that answers with the texts of all messages that its reply covers, joined by ` | `. A mark in any of them
/// changes what it does:
///
/// - `#fail`: fails for good
/// - `#flaky`: fails the first time for every turn, in a way that may pass
/// - `#silent`: says nothing
/// - `#effect`: reserves an outside effect, does it, then answers; a stopped turn leaves it out
/// - `#parts`: answers every message in a part of its own
/// - `#streams`: tells at once how its answer begins, with the texts of the messages
/// - `#slow`: takes 20 seconds more, longer than a lease
/// - `#call tool {...}` on a line of its own: calls the tool with these arguments, one line after another
/// - `#calls`: makes those calls all at once
///
/// Behind the texts it says what came of each call: `done`, `done before`, `failed`, `unknown`, `denied`.
pub struct ScriptedAgent {
    clock: Arc<dyn Clock>,
    latency: Latency,
    past: Past,
    notes: Mutex<Notes>,
}

#[derive(Default)]
struct Notes {
    runs: Vec<Run>,
    failed_once: BTreeSet<TurnId>,
    effects: Vec<(At, SessionId, TurnId)>,
    outcomes: Vec<CallOutcome>,
}

impl ScriptedAgent {
    /// An agent that takes this long and reads no history.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>, latency: Latency) -> Self {
        Self {
            clock,
            latency,
            past: Past::Nothing,
            notes: Mutex::default(),
        }
    }

    /// The same agent, reading history.
    #[must_use]
    pub fn with_history(self) -> Self {
        Self {
            past: Past::History,
            ..self
        }
    }

    /// Every run so far, in the order of their beginning.
    #[must_use]
    pub fn runs(&self) -> Vec<Run> {
        self.notes().runs.clone()
    }

    /// Every outside effect so far: when, for which session, in which turn.
    #[must_use]
    pub fn effects(&self) -> Vec<(At, SessionId, TurnId)> {
        self.notes().effects.clone()
    }

    /// What came of every call, in the order in which the agent learnt it.
    #[must_use]
    pub fn outcomes(&self) -> Vec<CallOutcome> {
        self.notes().outcomes.clone()
    }

    async fn call(
        &self,
        (tool, arguments): &(String, Value),
        effects: &dyn Effects,
    ) -> Result<&'static str, AgentError> {
        let outcome = effects.call(tool, arguments.clone()).await?;
        let said = match outcome {
            CallOutcome::Done { .. } => "done",
            CallOutcome::Duplicate { .. } => "done before",
            CallOutcome::Failed { .. } => "failed",
            CallOutcome::Unknown { .. } => "unknown",
            CallOutcome::Denied { .. } => "denied",
        };
        self.notes().outcomes.push(outcome);
        Ok(said)
    }

    async fn make_calls(
        &self,
        turn: &Turn,
        effects: &dyn Effects,
    ) -> Result<Vec<&'static str>, AgentError> {
        let calls = calls(turn);
        if marked(turn, "#calls") {
            return try_join_all(calls.iter().map(|call| self.call(call, effects))).await;
        }
        let mut said = Vec::new();
        for call in &calls {
            said.push(self.call(call, effects).await?);
        }
        Ok(said)
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn take_effect(
        &self,
        turn: &Turn,
        effects: &dyn Effects,
    ) -> Result<Vec<EffectDone>, AgentError> {
        effects.reserve("scripted").await?;
        // The effect itself takes as long as an answer.
        self.clock.sleep(self.latency.draw()).await;
        self.notes()
            .effects
            .push((self.clock.now(), turn.session, turn.turn));
        Ok(vec![EffectDone {
            tool: "scripted".to_owned(),
        }])
    }
}

/// The calls that the messages ask for.
fn calls(turn: &Turn) -> Vec<(String, Value)> {
    turn.messages
        .iter()
        .flat_map(|message| message.text.lines())
        .filter_map(|line| line.strip_prefix("#call ")?.split_once(' '))
        .filter_map(|(tool, json)| Some((tool.to_owned(), serde_json::from_str(json).ok()?)))
        .collect()
}

fn marked(turn: &Turn, mark: &str) -> bool {
    turn.messages
        .iter()
        .any(|message| message.text.contains(mark))
}

fn failed(again: Again) -> AgentError {
    AgentError::Failed {
        code: "scripted".to_owned(),
        again,
    }
}

#[async_trait]
impl Agent for ScriptedAgent {
    async fn run(&self, turn: &Turn, effects: &dyn Effects) -> Result<Answer, AgentError> {
        self.notes().runs.push(Run {
            at: self.clock.now(),
            turn: turn.clone(),
        });
        if marked(turn, "#streams") {
            turn.messages
                .iter()
                .for_each(|message| effects.wrote(&format!("{}… ", message.text)));
        }
        self.clock.sleep(self.latency.draw()).await;
        if marked(turn, "#slow") {
            self.clock.sleep(SLOW).await;
        }
        if marked(turn, "#fail") {
            return Err(failed(Again::No));
        }
        if marked(turn, "#flaky") && self.notes().failed_once.insert(turn.turn) {
            return Err(failed(Again::Yes));
        }
        let said = self.make_calls(turn, effects).await?;
        let stopped = turn.notes.contains(&Note::Stopped);
        let effects = if marked(turn, "#effect") && !stopped {
            self.take_effect(turn, effects).await?
        } else {
            Vec::new()
        };
        if marked(turn, "#silent") {
            return Ok(Answer {
                parts: Vec::new(),
                effects,
            });
        }
        let mut texts: Vec<String> = turn
            .messages
            .iter()
            .map(|message| message.text.clone())
            .collect();
        texts.extend(said.into_iter().map(str::to_owned));
        let parts = if marked(turn, "#parts") {
            texts
        } else {
            vec![texts.join(" | ")]
        };
        Ok(Answer { parts, effects })
    }

    fn past(&self) -> Past {
        self.past
    }
}
