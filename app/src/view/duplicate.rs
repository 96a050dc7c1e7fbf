//! Tool calls that were not carried out because their work was done, was being done, or may have been done; and calls whose
//! outcome nobody knows.

use super::query::{Query, segment};
use super::stored::stored_words;
use super::{At, ChannelRef, Cursor, Personal, ReplyId, RequestId, SessionId};
use serde::{Deserialize, Serialize};

/// A line of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DuplicateRow {
    /// Its name: `dup_01J…`.
    pub id: String,
    /// When it was held back.
    pub at: At,
    /// The tool.
    pub tool: String,
    /// On which channel.
    pub channel: ChannelRef,
    /// For whom.
    pub contact: Personal,
    /// Why, by stored word: `repeated`, `joined` or `unknown`.
    pub avoided: String,
    /// How long after the first call, in milliseconds.
    pub age_ms: u64,
    /// The names of what was compared.
    pub compared: Vec<String>,
    /// Where the two calls differ.
    pub differs: Vec<String>,
    /// What a person thinks of it.
    pub verdict: Option<DuplicateVerdict>,
}

/// What a person thinks of a call that was held back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DuplicateVerdict {
    /// In a word.
    pub word: OpinionWord,
    /// In their words.
    pub comment: Option<String>,
    /// Who.
    pub by: String,
    /// When.
    pub at: At,
}

stored_words! {
    /// A verdict on a call that was held back.
    OpinionWord {
        /// It was the same: right not to do it again.
        Right = "right",
        /// The customer wanted it again.
        ShouldHaveRun = "should_have_run",
        /// Hard to tell.
        Unsure = "unsure",
    }
}

/// Which ones. Everything given must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DuplicateFilter {
    /// Of this tool.
    pub tool: Option<String>,
    /// On this channel.
    pub channel: Option<String>,
    /// With this verdict.
    pub verdict: Option<OpinionWord>,
    /// Without a verdict.
    pub unjudged: bool,
}

impl DuplicateFilter {
    /// Whether everything matches.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The address of the list with this filter, from `after` on.
    #[must_use]
    pub fn address(&self, after: Option<&Cursor>) -> String {
        let verdict = if self.unjudged {
            Some("none")
        } else {
            self.verdict.map(OpinionWord::stored)
        };
        let mut query = Query::new();
        query.add("tool", self.tool.as_deref());
        query.add("channel", self.channel.as_deref());
        query.add("verdict", verdict);
        query.add("after", after.map(Cursor::as_str));
        query.on("/duplicates")
    }
}

/// A call whose outcome nobody knows: until it is settled, the same call is held back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnknownCall {
    /// Its name: `act_01J…`.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// On which channel.
    pub channel: ChannelRef,
    /// For whom.
    pub contact: Personal,
    /// When it was made.
    pub at: At,
    /// The short word for what went wrong.
    pub code: Option<String>,
}

/// One record, with both calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DuplicateDetail {
    /// The line of the list.
    pub row: DuplicateRow,
    /// The session, where it is still known.
    pub session: Option<SessionId>,
    /// The call that did the work; none once it is no longer stored.
    pub first: Option<FirstCall>,
    /// Both calls' arguments, side by side.
    pub arguments: Vec<ArgumentRow>,
    /// What was compared, each value in its one spelling.
    pub compared: Vec<(String, Personal)>,
    /// The recipe by which they were compared.
    pub recipe: String,
    /// The field that was missing, so that everything was compared instead.
    pub missing: Option<String>,
    /// What the agent was told.
    pub note: Personal,
    /// The reply in which the agent went on, and its texts.
    pub said: Option<(ReplyId, Vec<Personal>)>,
    /// The server's time when this was read.
    pub as_of: At,
}

/// The call that did the work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstCall {
    /// Its name.
    pub id: String,
    /// When it was made.
    pub at: At,
    /// Where it is, by stored word: `running`, `done`, `failed` or `unknown`.
    pub state: String,
    /// Its result.
    pub result: Option<Personal>,
    /// So long the same call counts as a duplicate, in milliseconds.
    pub window_ms: u64,
    /// Who settled it, where a person did.
    pub settled_by: Option<String>,
}

/// One argument of both calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArgumentRow {
    /// Its path: `start.dateTime`.
    pub path: String,
    /// In the first call.
    pub first: Option<Personal>,
    /// In the second.
    pub second: Option<Personal>,
    /// Whether it was left out of the comparison.
    pub is_ignored: bool,
    /// Whether the two differ.
    pub differs: bool,
}

/// What somebody does about a record or a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateDeed {
    /// The record or the call.
    pub id: String,
    /// Minted with the form. The same one again does nothing.
    pub request_id: RequestId,
    /// Why, in their words.
    pub reason: Option<String>,
}

/// The address of a record's page.
#[must_use]
pub fn duplicate_address(id: &str) -> String {
    format!("/duplicates/{}", segment(id))
}
