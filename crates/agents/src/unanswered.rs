//! Why there is no usable answer, in words of its own. Must never hold what the other side said.

use replygate_gate::Usage;
use replygate_ports::agent::{Again, AgentError};
use replygate_ports::evaluator::EvaluatorError;

/// What was waited for in vain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The beginning of the answer.
    FirstByte,
    /// The next piece of it.
    Idle,
    /// All of it.
    Whole,
}

/// Why there is no usable answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unanswered {
    /// None came in time.
    Timeout(Stage),
    /// Nobody listens.
    Connect,
    /// The connection broke.
    Lost,
    /// The other side refused; whether it may pass.
    Status(u16, Again),
    /// The other side asked to be left alone for longer than there is time; it was not asked.
    Limited,
    /// The account has no money or quota left.
    Quota,
    /// It is longer than what is read.
    TooLong,
    /// It is not what was asked for.
    Unreadable,
    /// The stream ended before the answer did.
    Cut,
    /// An error came where the answer should have gone on; whether it may pass.
    Broken(Again),
    /// It stopped at the most tokens that were allowed.
    Truncated,
    /// The provider withheld it.
    Withheld,
    /// The conversation is longer than the model can read.
    ContextTooLong,
    /// Another run holds the conversation on the other side.
    Busy,
}

impl Unanswered {
    /// A refusal with this status. `told` is what the other side says itself about asking again.
    pub(crate) fn refused(status: u16, told: Option<bool>) -> Self {
        let passing = matches!(status, 408 | 409 | 425 | 429 | 500..=599);
        let again = if told.unwrap_or(passing) {
            Again::Yes
        } else {
            Again::No
        };
        Self::Status(status, again)
    }

    /// A short stable word such as `timeout` or `http_500`.
    pub(crate) fn code(&self) -> String {
        let word = match self {
            Self::Timeout(Stage::Whole) => "timeout",
            Self::Timeout(Stage::FirstByte) => "timeout_first_byte",
            Self::Timeout(Stage::Idle) => "timeout_idle",
            Self::Connect => "connect",
            Self::Lost => "connection_lost",
            Self::Status(status, _) => return format!("http_{status}"),
            Self::Limited => "rate_limited",
            Self::Quota => "quota_used_up",
            Self::TooLong => "answer_too_long",
            Self::Unreadable => "answer_unreadable",
            Self::Cut => "answer_cut",
            Self::Broken(_) => "answer_broken",
            Self::Truncated => "answer_truncated",
            Self::Withheld => "answer_withheld",
            Self::ContextTooLong => "context_too_long",
            Self::Busy => "busy",
        };
        word.to_owned()
    }

    /// Whether it may go better another time.
    pub(crate) fn again(&self) -> Again {
        match self {
            Self::Timeout(_)
            | Self::Connect
            | Self::Lost
            | Self::Limited
            | Self::Cut
            | Self::Busy => Again::Yes,
            Self::Broken(again) | Self::Status(_, again) => *again,
            Self::Quota
            | Self::TooLong
            | Self::Unreadable
            | Self::Truncated
            | Self::Withheld
            | Self::ContextTooLong => Again::No,
        }
    }
}

impl From<Unanswered> for AgentError {
    fn from(why: Unanswered) -> Self {
        Self::Failed {
            code: why.code(),
            again: why.again(),
        }
    }
}

impl From<Unanswered> for EvaluatorError {
    fn from(why: Unanswered) -> Self {
        Self {
            code: why.code(),
            usage: Usage::default(),
            source: None,
        }
    }
}
