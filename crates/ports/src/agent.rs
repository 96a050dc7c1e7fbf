//! An agent as the pipeline uses it: a burst in, an answer out. Must never learn of queues, holds or other sessions.

use std::sync::Arc;

use async_trait::async_trait;
use replygate_gate::debounce::MessageKind;
use replygate_gate::{At, MessageId, ReplyId, SessionId, SessionKey, TurnId, Usage};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::store::HistoryEntry;
use crate::tools::{CallOutcome, Tool};

/// One of the messages that the answer will cover.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnMessage {
    /// The message.
    pub id: MessageId,
    /// Words, attachment, voice or reaction.
    pub kind: MessageKind,
    /// The words.
    pub text: String,
    /// When it was written, by the channel's time, else received.
    pub at: At,
    /// The message whose text it corrects.
    pub edit_of: Option<MessageId>,
    /// The held reply that had answered it and is merged into this answer.
    pub merged_from: Option<ReplyId>,
}

/// What the agent has to know about earlier replies while it answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "snake_case")]
pub enum Note {
    /// This reply will not be delivered: the new messages took it back.
    Cancelled {
        /// The reply.
        reply: ReplyId,
    },
    /// This reply will not be delivered: the answer must say what it said too.
    Merged {
        /// The reply.
        reply: ReplyId,
    },
    /// This reply is delivered before the answer.
    Released {
        /// The reply.
        reply: ReplyId,
    },
    /// This reply should have been taken back, but the user sees it, or may.
    TooLate {
        /// The reply.
        reply: ReplyId,
    },
    /// The turn that wrote this reply, or one that died, did something outside that stands; say so where it matters.
    Done {
        /// The reply; `None` for a turn that died before it answered.
        reply: Option<ReplyId>,
    },
    /// Newer messages interrupted the last answer here; this is how far it was written, and the user saw none of it.
    Interrupted {
        /// The reply that holds it; the history has its text.
        reply: ReplyId,
    },
    /// An operator wants these messages answered anew in place of this reply.
    Rerun {
        /// The reply.
        reply: ReplyId,
    },
    /// The customer stopped this turn: it starts nothing any more, and says what was done before.
    Stopped,
}

/// One run of the agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// The run.
    pub turn: TurnId,
    /// The session.
    pub session: SessionId,
    /// Where it is.
    pub key: SessionKey,
    /// The conversation so far, oldest first, with each reply's fate; empty when the agent reads none.
    pub history: Vec<HistoryEntry>,
    /// What the answer covers: merged replies' messages and the burst, in order.
    pub messages: Vec<TurnMessage>,
    /// What is to be known about earlier replies.
    pub notes: Vec<Note>,
    /// When the run began.
    pub at: At,
    /// How long the run may take, in milliseconds; it is given up then.
    pub limit_ms: u64,
}

/// An outside effect that the agent says it committed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectDone {
    /// The tool.
    pub tool: String,
}

/// An answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Texts to send, in order; none when nothing needs to be said.
    pub parts: Vec<String>,
    /// Outside effects that the agent committed on its own.
    pub effects: Vec<EffectDone>,
}

/// The agent gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// It failed; `again` tells whether another try makes sense.
    #[error("the agent failed: {code}")]
    Failed {
        /// Short stable word such as `timeout` or `http_500`.
        code: String,
        /// Whether another try makes sense.
        again: Again,
    },
    /// The customer stopped the turn before this effect: it may start none, but its answer is wanted.
    #[error("the turn was stopped")]
    Stopped,
    /// The turn lost the session; whatever it would answer is not wanted.
    #[error("the turn lost its session")]
    Lost,
}

/// Whether another try makes sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// It may go better.
    Yes,
    /// It cannot.
    No,
}

/// What an agent needs to act in the outside world, for one turn, and where it tells what it does.
#[async_trait]
pub trait Effects: Send + Sync {
    /// Records durably that an effect is about to happen, under the turn's fencing token: for an agent that acts on its
    /// own.
    ///
    /// # Errors
    /// `Stopped` when the customer stopped the turn, `Lost` when it lost its session.
    async fn reserve(&self, tool: &str) -> Result<(), AgentError>;

    /// The tools that the agent may call, by name; none unless there are some.
    fn tools(&self) -> &[Arc<Tool>] {
        &[]
    }

    /// Calls a tool, by its name or by its model name. Calls with an effect go through the guard under the turn's fencing
    /// token: each meaning happens once, and a repeated one gets the first result. Arguments that are no JSON object are
    /// refused as `Failed`. The call goes on when the future is dropped.
    ///
    /// # Errors
    /// `Lost` when the turn lost its session: nothing ran. `Failed` when the ledger could not be asked: nothing ran.
    async fn call(&self, tool: &str, _arguments: Value) -> Result<CallOutcome, AgentError> {
        Ok(CallOutcome::no_such_tool(tool))
    }

    /// A model was asked for this turn. Told for each call when it is over, also when it failed or was given up, so that
    /// what a turn cost is known however it ends.
    fn spent(&self, usage: Usage);

    /// Takes note of a further piece of the answer, as it is being written: should newer messages interrupt the turn, the
    /// next one reads what there was. Agents that do not stream have nothing to say here.
    fn wrote(&self, piece: &str) {
        let _ = piece;
    }
}

/// How much of the past an agent reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Past {
    /// As much as the channel's settings say.
    History,
    /// None: it answers from the burst alone.
    Nothing,
}

/// Something that answers.
#[async_trait]
pub trait Agent: Send + Sync {
    /// Answers a burst. Dropping the future cancels the run.
    async fn run(&self, turn: &Turn, effects: &dyn Effects) -> Result<Answer, AgentError>;

    /// How much of the past it reads.
    fn past(&self) -> Past;
}
