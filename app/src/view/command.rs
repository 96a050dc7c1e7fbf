//! What operators do to a session or a reply.
//!
//! Every command is a compare-and-set on what its sender saw, and carries a request id that was minted with the form:
//! a double click, a second operator, a resent form and a stale tab all end in one deed and a true answer.

use super::{At, ReplyId, RequestId, SessionId};
use serde::{Deserialize, Serialize};

/// A command on one parked or unknown reply.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ReplyAction {
    /// The reply.
    pub reply: ReplyId,
    /// The generation that was seen. Another one is a [`Conflict`](super::ConsoleError::Conflict).
    pub generation: u32,
    /// Minted with the form. The same one again returns the first outcome.
    pub request_id: RequestId,
    /// Why, in the operator's words; kept in the audit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether a check that speaks against it is overruled.
    #[serde(default)]
    pub checks: Override,
}

/// What a failed check does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Override {
    /// It refuses the command.
    #[default]
    Respect,
    /// It is overruled; needs a reason and [`Permission::OverrideChecks`](super::Permission::OverrideChecks).
    Overrule,
}

/// A command on a session.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SessionAction {
    /// The session.
    pub session: SessionId,
    /// Minted with the form. The same one again returns the first outcome.
    pub request_id: RequestId,
    /// Why, in the operator's words; kept in the audit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl SessionAction {
    /// What a person writes at once has at most so many characters; every channel takes that in one message.
    pub const LONGEST_TEXT: usize = 4_000;
}

/// The verb of a command: one word in button, audit and answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// A parked or unknown reply goes out as it is written.
    Reprocess,
    /// The agent answers its messages again.
    Rerun,
    /// It is not sent.
    Discard,
    /// An unknown reply did reach the customer.
    MarkDelivered,
    /// Held replies are let go.
    ReleaseHold,
    /// An outside lock is taken off.
    Unlock,
    /// A person answers from now on.
    TakeOver,
    /// The person who took over writes to the customer.
    Say,
    /// The agent answers again.
    HandBack,
}

/// A command was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// What.
    pub action: Action,
    /// On which session; its page shows the result.
    pub session: SessionId,
    /// On which reply, for a command on a reply.
    pub reply: Option<ReplyId>,
    /// By whom. Of a repeated request, who sent it first.
    pub by: String,
    /// When. Of a repeated request, when it was done first.
    pub at: At,
}
