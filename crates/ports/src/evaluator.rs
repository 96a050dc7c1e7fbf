//! An evaluator as the pipeline uses it: held replies and newer messages in, verdicts out. Must never have an effect.

use async_trait::async_trait;
use replygate_gate::{Decision, MessageId, ReplyId, SessionId, Usage};
use serde::{Deserialize, Serialize};

/// A reply that waits, with the messages it answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// The reply.
    pub reply: ReplyId,
    /// The customer's messages that it answers, oldest first.
    pub messages: Vec<String>,
    /// What it says, part by part.
    pub parts: Vec<String>,
    /// Whether its turn committed an outside effect.
    pub effects: bool,
}

/// A message that came after the held replies were written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Newer {
    /// The message.
    pub id: MessageId,
    /// Its text.
    pub text: String,
    /// The held reply one of whose messages it corrects, by the channel's own edit function.
    pub edits: Option<ReplyId>,
}

/// What is to be judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The session.
    pub session: SessionId,
    /// The replies, in order.
    pub held: Vec<Held>,
    /// The newer messages, oldest first, at least one.
    pub newer: Vec<Newer>,
}

/// What an evaluator thinks of one reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opinion {
    /// The reply.
    pub reply: ReplyId,
    /// The verdict.
    pub decision: Decision,
    /// 0 to 1; below the channel's threshold it counts as unsure.
    pub confidence: f32,
    /// A short stable phrase; never a user's words.
    pub reason: String,
    /// Who holds it, where that is not the evaluator as a whole.
    #[serde(skip)]
    pub by: Option<String>,
}

/// An evaluation: what the evaluator thinks, and what that cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Opinions {
    /// One for each reply that it has an opinion on.
    pub opinions: Vec<Opinion>,
    /// What a model was asked.
    #[serde(default)]
    pub usage: Usage,
}

impl FromIterator<Opinion> for Opinions {
    /// Opinions that no model was asked for.
    fn from_iter<I: IntoIterator<Item = Opinion>>(opinions: I) -> Self {
        Self {
            opinions: opinions.into_iter().collect(),
            usage: Usage::default(),
        }
    }
}

/// The evaluator gave no verdict.
#[derive(Debug, thiserror::Error)]
#[error("the evaluator failed: {code}")]
pub struct EvaluatorError {
    /// Short stable word such as `timeout`.
    pub code: String,
    /// What a model was asked all the same.
    pub usage: Usage,
    /// Why.
    #[source]
    pub source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// Something that judges held replies.
#[async_trait]
pub trait Evaluator: Send + Sync {
    /// An opinion on each held reply; replies it does not mention count as unsure.
    async fn judge(&self, question: &Question) -> Result<Opinions, EvaluatorError>;

    /// The name under which its verdicts are stored.
    fn name(&self) -> &str;
}
