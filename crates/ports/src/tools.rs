//! Tools as the pipeline uses them: what a tool is, who runs it, and what a call comes to. Must never hold a secret:
//! a tool's host names where its token stands.

mod settings;

use async_trait::async_trait;
use replygate_gate::{ActionId, At, SessionKey};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub use settings::{Effect, Tool};

/// One call on its way to the tool.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// The call.
    pub action: ActionId,
    /// What the tool's own service is to know it by: the same for a call that repeats one whose outcome is unknown.
    pub key: ActionId,
    /// The tool's name.
    pub tool: String,
    /// The arguments, as the agent gave them.
    pub arguments: Value,
    /// For whom.
    pub whom: SessionKey,
    /// When.
    pub at: At,
}

/// A call that brought no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ToolError {
    /// It is certain that it had no effect.
    #[error("the tool refused: {code}")]
    Failed {
        /// Short stable word such as `http_422`.
        code: String,
        /// What the agent is told, in the tool's words; may hold what a user wrote.
        message: String,
    },
    /// Nobody knows whether it had its effect.
    #[error("the tool's outcome is unknown: {code}")]
    Unknown {
        /// Short stable word such as `timeout`.
        code: String,
    },
}

/// Something that runs a tool.
#[async_trait]
pub trait ToolHost: Send + Sync {
    /// Runs a call and returns its result. Dropping the future leaves the outcome unknown.
    ///
    /// # Errors
    /// `Failed` only when the call certainly had no effect.
    async fn run(&self, call: &ToolCall) -> Result<Value, ToolError>;
}

/// What an agent gets for a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum CallOutcome {
    /// It ran.
    Done {
        /// Its result.
        result: Value,
    },
    /// Its work was done before: the agent goes on as after a success, and knows that it was not done again.
    Duplicate {
        /// The call that did it.
        first: ActionId,
        /// How long ago, in milliseconds.
        age_ms: u64,
        /// That call's result.
        result: Value,
        /// What the agent is told about it, in the conversation's language.
        note: String,
    },
    /// It did not run, or had no effect; it may be tried again.
    Failed {
        /// Why.
        message: String,
    },
    /// It may have had its effect; it was not and will not be repeated by itself.
    Unknown {
        /// What the agent is told about it, in the conversation's language.
        note: String,
    },
    /// The agent may not call it.
    Denied {
        /// Why.
        message: String,
    },
}

impl CallOutcome {
    /// The answer to a call of a tool that the agent does not have.
    #[must_use]
    pub fn no_such_tool(tool: &str) -> Self {
        Self::Denied {
            message: format!("there is no tool `{tool}`"),
        }
    }

    /// What a model reads as the tool's answer. A result that is not of this call is marked as replayed.
    #[must_use]
    pub fn content(&self) -> Value {
        match self {
            Self::Done { result } => result.clone(),
            Self::Duplicate {
                first,
                age_ms,
                result,
                note,
            } => json!({
                "replayed": true,
                "first": first,
                "done_seconds_ago": age_ms / 1_000,
                "note": note,
                "result": result,
            }),
            Self::Failed { message } | Self::Denied { message } => json!({ "error": message }),
            Self::Unknown { note } => json!({ "outcome": "unknown", "note": note }),
        }
    }

    /// Whether a model should see the answer as an error.
    #[must_use]
    pub const fn is_error(&self) -> bool {
        !matches!(self, Self::Done { .. } | Self::Duplicate { .. })
    }
}
