//! Tool calls that were not carried out because their work was done, was being done, or may have been done; and calls whose
//! outcome nobody knows.

use super::query::segment;
use super::stored::stored_words;
use super::{ActivityRow, At, ChannelRef, Count, Personal, ReplyId, RequestId, SessionId};
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
    /// In which session, where it is still known.
    pub session: Option<SessionId>,
    /// What it would have done: the values that were compared, in their one spelling.
    pub what: Personal,
    /// Why, by stored word: `repeated`, `joined` or `unknown`.
    pub avoided: String,
    /// How long after the first call, in milliseconds.
    pub age_ms: u64,
    /// The names of what was compared.
    pub compared: Vec<String>,
    /// Where the two calls differ, by path; nothing where the first call is no longer stored.
    pub differs: Vec<(DifferenceWord, String)>,
    /// What the agent was told. It holds no word of a customer.
    pub note: String,
    /// What a person thinks of it.
    pub verdict: Option<DuplicateVerdict>,
}

stored_words! {
    /// How the second call differs from the first in one place.
    DifferenceWord {
        /// Only the second has it.
        Added = "added",
        /// Only the first has it.
        Removed = "removed",
        /// Both have it, and not alike.
        Changed = "changed",
    }
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DuplicateFilter {
    /// Of this tool.
    pub tool: Option<String>,
    /// On this channel.
    pub channel: Option<String>,
    /// With this verdict.
    pub verdict: Option<OpinionWord>,
    /// Without a verdict.
    pub unjudged: bool,
    /// Held back at this time or later.
    pub from: Option<At>,
    /// Held back before this time.
    pub to: Option<At>,
}

impl DuplicateFilter {
    /// Whether a record with this verdict belongs to the list.
    #[must_use]
    pub fn takes(&self, verdict: Option<OpinionWord>) -> bool {
        let is_open = !self.unjudged || verdict.is_none();
        is_open && self.verdict.is_none_or(|wanted| verdict == Some(wanted))
    }
}

/// How the guard of tools does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuardFigures {
    /// Since when it was counted.
    pub since: At,
    /// Guarded calls that were made since.
    pub made: Count,
    /// Calls that were held back since.
    pub avoided: Count,
    /// Of those, how many people found wrong.
    pub wrong: Count,
    /// When one was held back last.
    pub last: Option<At>,
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
    /// What it would do: the values that identify it, in their one spelling.
    pub what: Personal,
    /// When it was made.
    pub at: At,
    /// The short word for what went wrong.
    pub code: Option<String>,
}

/// What a person said about a call whose outcome nobody knew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettledCall {
    /// The tool.
    pub tool: String,
    /// Whether it happened.
    pub happened: bool,
    /// Who said so.
    pub by: String,
}

/// One record, with both calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateDetail {
    /// The line of the list.
    pub row: DuplicateRow,
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
    /// The reply in which the agent went on, and its texts.
    pub said: Option<(ReplyId, Vec<Personal>)>,
    /// What people did about it, newest first.
    pub deeds: Vec<ActivityRow>,
    /// The server's time when this was read.
    pub as_of: At,
}

/// The call that did the work.
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
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
