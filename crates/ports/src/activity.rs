//! Activity: who did what, to what, with what came of it. Only ever appended to. Must never hold a customer's text.

use std::str::FromStr;

use async_trait::async_trait;
use replygate_gate::{At, UnknownWord};

use crate::store::StoreError;

/// How something that somebody did ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ActivityResult {
    /// It was done.
    Done,
    /// It was refused: by a permission, a check, or because somebody was faster.
    Refused,
    /// It failed, and nobody can say here whether it was done.
    Failed,
}

impl ActivityResult {
    /// The word under which it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Refused => "refused",
            Self::Failed => "failed",
        }
    }
}

impl FromStr for ActivityResult {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let all = [Self::Done, Self::Refused, Self::Failed];
        let found = all.into_iter().find(|result| result.as_str() == text);
        found.ok_or_else(|| UnknownWord {
            what: "activity result",
            text: text.chars().take(64).collect(),
            allowed: all.map(Self::as_str).join(", "),
        })
    }
}

/// What somebody did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activity {
    /// When.
    pub at: At,
    /// Who: a user's name, or a program's.
    pub by: String,
    /// Their role at that moment; `program` for a program.
    pub role: String,
    /// The verb, such as `reprocess`, `save_settings`, `reveal`, `sign_in`.
    pub verb: String,
    /// To what: an id with its prefix, `channel:shop`, `user:ana`; empty where there is no object.
    pub object: String,
    /// How it was before.
    pub before: Option<String>,
    /// How it was after.
    pub after: Option<String>,
    /// Why, in their words.
    pub reason: Option<String>,
    /// The request that asked for it.
    pub request_id: Option<String>,
    /// How it ended.
    pub result: ActivityResult,
}

/// An entry of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its place; grows by one with each entry, from 1.
    pub place: u64,
    /// What is recorded.
    pub activity: Activity,
}

/// Which entries. Everything given must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActivityQuery {
    /// Only of this person.
    pub by: Option<String>,
    /// Only with this verb.
    pub verb: Option<String>,
    /// Only on this object.
    pub object: Option<String>,
    /// Only before this place.
    pub before: Option<u64>,
    /// At most so many.
    pub limit: u32,
}

/// The log.
#[async_trait]
pub trait ActivityLog: Send + Sync {
    /// Appends an entry durably; returns its place.
    async fn record(&self, activity: Activity) -> Result<u64, StoreError>;

    /// Entries, newest first.
    async fn entries(&self, query: &ActivityQuery) -> Result<Vec<Entry>, StoreError>;
}
