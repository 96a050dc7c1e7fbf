//! Judges by asking a language model, one reply at a time. Must never ask it about a text that talks to it, and must never
//! let it name a reply: it cannot judge what it was not asked about.

mod question;

use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use futures::future::join_all;
use replygate_gate::{Decision, Usage};
use replygate_ports::evaluator::{
    Evaluator, EvaluatorError, Held, Newer, Opinion, Opinions, Question,
};
use serde::Deserialize;

use super::{edited, rules, suspicion};
use crate::model::{Ask, Line, Model, Shape};
use crate::transport::Deadline;
use crate::unanswered::Unanswered;

/// What the model is told. Whoever changes a word of it changes the version.
const PROMPT: &str = include_str!("../../prompts/judge.md");
/// The prompt's version, part of the name under which verdicts are stored.
const PROMPT_VERSION: u32 = 1;

/// A language model that judges.
pub(crate) struct ModelEvaluator {
    model: Box<dyn Model>,
    name: String,
    system: [String; 1],
    shape: Shape,
}

/// What the model answers.
#[derive(Deserialize)]
struct Verdict {
    decision: Decision,
    confidence: f32,
    reason: String,
}

impl ModelEvaluator {
    pub(crate) fn new(kind: &str, model: Box<dyn Model>) -> Self {
        let name = format!("{kind}:{} p{PROMPT_VERSION}", model.name());
        Self {
            model,
            name,
            system: [PROMPT.trim().to_owned()],
            shape: question::shape(),
        }
    }

    /// Opinions on these replies of the question.
    pub(super) async fn opinions(
        &self,
        held: impl IntoIterator<Item = &Held> + Send,
        question: &Question,
    ) -> Judged {
        let spent = Mutex::new(Usage::default());
        let meter = |usage| {
            let mut sum = spent.lock().unwrap_or_else(PoisonError::into_inner);
            *sum = sum.plus(usage);
        };
        let deadline = self.model.transport().deadline(None);
        let asked: Vec<_> = held
            .into_iter()
            .map(|held| self.opinion(held, question, deadline, &meter))
            .collect();
        let opinions = join_all(asked).await;
        Judged {
            opinions,
            usage: *spent.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }

    async fn opinion(
        &self,
        held: &Held,
        question: &Question,
        deadline: Deadline,
        meter: &(dyn Fn(Usage) + Send + Sync),
    ) -> Result<Opinion, Unanswered> {
        if let Some(opinion) = edited(held, &question.newer) {
            return Ok(opinion);
        }
        if talks(held, &question.newer) {
            return Ok(rules::opinion(held, &question.newer));
        }
        let ask = Ask {
            system: &self.system,
            lines: &[Line::Customer(question::data(held, question))],
            tools: &[],
            shape: Some(&self.shape),
            heard: &|_| {},
        };
        let said = self.model.ask(&ask, deadline, meter).await?;
        let verdict: Verdict = serde_json::from_str(question::unfenced(&said.text))
            .map_err(|_| Unanswered::Unreadable)?;
        if !(0.0..=1.0).contains(&verdict.confidence) {
            return Err(Unanswered::Unreadable);
        }
        Ok(Opinion {
            reply: held.reply,
            decision: verdict.decision,
            confidence: verdict.confidence,
            reason: question::reason(&verdict.reason).to_owned(),
            by: Some(self.name.clone()),
        })
    }
}

/// Whether a text that the model would read talks to it.
fn talks(held: &Held, newer: &[Newer]) -> bool {
    let newer = newer.iter().map(|message| &message.text);
    held.messages
        .iter()
        .chain(newer)
        .any(|text| suspicion::talks_to_a_model(text))
}

/// What came of each reply that was asked about, in their order.
pub(super) struct Judged {
    pub(super) opinions: Vec<Result<Opinion, Unanswered>>,
    pub(super) usage: Usage,
}

#[async_trait]
impl Evaluator for ModelEvaluator {
    /// # Errors
    /// When no reply could be judged.
    async fn judge(&self, question: &Question) -> Result<Opinions, EvaluatorError> {
        let Judged { opinions, usage } = self.opinions(&question.held, question).await;
        let mut failure = None;
        let opinions: Vec<Opinion> = opinions
            .into_iter()
            .filter_map(|opinion| opinion.map_err(|why| failure = Some(why)).ok())
            .collect();
        match failure {
            Some(why) if opinions.is_empty() => Err(EvaluatorError {
                usage,
                ..why.into()
            }),
            _ => Ok(Opinions { opinions, usage }),
        }
    }

    fn name(&self) -> &str {
        &self.name
    }
}
