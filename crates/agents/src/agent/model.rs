//! An agent that is a language model. Must never answer with what was not finished, and must never run a tool but through
//! the turn's `Effects`.

use std::time::Duration;

use async_trait::async_trait;
use futures::future::try_join_all;
use replygate_ports::agent::{Again, Agent, AgentError, Answer, Effects, Past, Turn};
use replygate_ports::settings::SettingError;
use serde_json::Value;

use super::briefing::Briefing;
use crate::model::{Ask, Call, Line, Model, NoObject, Said, Tool, ToolResult};
use crate::options::Options;
use crate::transport::Deadline;

/// The options that [`ModelAgent::read`] reads besides the model's.
pub(crate) const OPTIONS: &[&str] = &["system", "language", "tool_rounds"];

/// How often a model may call tools before it has to answer, unless the options say otherwise.
const ROUNDS: u64 = 8;

/// Waits before a model is asked again in the middle of a turn: the engine does not run a turn again that used a tool.
const RETRIES: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(2)];

/// Tells the model what the turn is about, runs the tools that it wants, and answers with what it says in the end.
pub(crate) struct ModelAgent {
    model: Box<dyn Model>,
    briefing: Briefing,
    rounds: u64,
}

impl ModelAgent {
    pub(crate) fn read(options: &Options<'_>, model: Box<dyn Model>) -> Result<Self, SettingError> {
        Ok(Self {
            model,
            briefing: Briefing::read(options)?,
            rounds: options.number("tool_rounds", 1, 50)?.unwrap_or(ROUNDS),
        })
    }

    /// Asks, and in the middle of a turn asks again where that may help.
    async fn ask(
        &self,
        ask: &Ask<'_>,
        round: u64,
        deadline: Deadline,
        effects: &dyn Effects,
    ) -> Result<Said, AgentError> {
        let meter = |usage| effects.spent(usage);
        let retries = if round == 0 { &[][..] } else { &RETRIES };
        let mut waits = retries.iter();
        loop {
            let why = match self.model.ask(ask, deadline, &meter).await {
                Ok(said) => return Ok(said),
                Err(why) => why,
            };
            match waits.next().filter(|_| why.again() == Again::Yes) {
                Some(wait) => self.model.transport().rest(*wait, deadline, why).await?,
                None => return Err(why.into()),
            }
        }
    }

    /// Runs all calls at once. Each gets its result, whatever became of it: a model is not asked on without.
    async fn call_all(
        &self,
        calls: &[Call],
        round: u64,
        effects: &dyn Effects,
    ) -> Result<Vec<ToolResult>, AgentError> {
        try_join_all(calls.iter().map(|call| self.call(call, round, effects))).await
    }

    async fn call(
        &self,
        call: &Call,
        round: u64,
        effects: &dyn Effects,
    ) -> Result<ToolResult, AgentError> {
        let phrases = self.briefing.tool_phrases();
        let (content, is_error) = match &call.arguments {
            Err(NoObject) => (phrases.no_object.clone(), true),
            Ok(_) if round >= self.rounds => (phrases.no_more.clone(), true),
            Ok(arguments) => {
                let arguments = Value::Object(arguments.clone());
                let outcome = effects.call(&call.tool, arguments).await?;
                (as_text(outcome.content()), outcome.is_error())
            }
        };
        Ok(ToolResult {
            id: call.id.clone(),
            content,
            is_error,
        })
    }
}

#[async_trait]
impl Agent for ModelAgent {
    async fn run(&self, turn: &Turn, effects: &dyn Effects) -> Result<Answer, AgentError> {
        let limit = Duration::from_millis(turn.limit_ms);
        let deadline = self.model.transport().deadline(Some(limit));
        let system = self.briefing.system(turn);
        let tools = tools(effects);
        let mut lines = self.briefing.lines(turn);
        let heard = |piece: &str| effects.wrote(piece);
        for round in 0..=self.rounds + 1 {
            let ask = Ask {
                system: &system,
                lines: &lines,
                tools: &tools,
                shape: None,
                heard: &heard,
            };
            let said = self.ask(&ask, round, deadline, effects).await?;
            if said.calls.is_empty() {
                return Ok(answer(said.text));
            }
            let results = self.call_all(&said.calls, round, effects).await?;
            lines.push(Line::Model(said));
            lines.push(Line::Results(results));
        }
        Err(AgentError::Failed {
            code: "too_many_tool_rounds".to_owned(),
            again: Again::No,
        })
    }

    fn past(&self) -> Past {
        Past::History
    }
}

/// An answer of one part; of none when nothing was said.
fn answer(text: String) -> Answer {
    let said = Some(text).filter(|text| !text.trim().is_empty());
    Answer {
        parts: said.into_iter().collect(),
        effects: Vec::new(),
    }
}

fn tools(effects: &dyn Effects) -> Vec<Tool> {
    let declared = effects.tools().iter().map(|tool| Tool {
        name: tool.model_name(),
        description: tool.description.clone(),
        parameters: tool.arguments.clone(),
    });
    declared.collect()
}

/// A text as it is, anything else as JSON.
fn as_text(content: Value) -> String {
    match content {
        Value::String(text) => text,
        other => other.to_string(),
    }
}
