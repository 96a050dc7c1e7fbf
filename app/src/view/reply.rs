//! A reply, what was decided about it, and what its attempts met.

use super::{At, Author, MessageId, Personal, ReplyId, SessionId, StatusWord};
use replygate_gate::Decision;
use serde::{Deserialize, Serialize};

/// One reply with everything that explains where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Reply {
    /// Its name.
    pub id: ReplyId,
    /// The session it belongs to.
    pub session: SessionId,
    /// Its place in the session's order of sending.
    pub seq: u64,
    /// Grows each time an operator brings it back. Commands carry the generation that was seen.
    pub generation: u32,
    /// Who wrote it.
    pub author: Author,
    /// Where it stands.
    pub status: StatusWord,
    /// When it was written.
    pub written: At,
    /// When it may leave at the earliest.
    pub due: At,
    /// When the channel accepted it.
    pub delivered: Option<At>,
    /// Its texts, one per part, in order. Empty when the agent failed.
    pub parts: Vec<Personal>,
    /// How many parts the channel has accepted.
    pub parts_sent: u32,
    /// Whether a later verdict cut off the parts that had not left.
    pub cut: bool,
    /// The customer's messages that it answers.
    pub covers: Vec<MessageId>,
    /// The reply that took its place, when it is superseded.
    pub replaced_by: Option<ReplyId>,
    /// Whether its turn did something outside (a tool with an effect ran).
    pub had_effects: bool,
    /// Why it waits for a person, while it is parked.
    pub parked: Option<Parked>,
    /// What was decided about it, oldest first.
    pub verdicts: Vec<Verdict>,
    /// What happened when it was to be sent, oldest first.
    pub attempts: Vec<Attempt>,
}

/// A reply waits for a person.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Parked {
    /// The stored word for the reason, for example `lock_stuck` or `agent_failed`. The words for people are in the message catalogue; an unknown one is shown as it is.
    pub why: String,
    /// Since when.
    pub since: At,
}

/// A judgement of a reply against newer messages.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Verdict {
    /// The judgement.
    pub word: VerdictWord,
    /// Who judged.
    pub source: VerdictSource,
    /// The evaluator's name, for example `rules`; empty for a policy.
    pub evaluator: String,
    /// How sure, in percent.
    pub confidence_percent: u8,
    /// Why, in the evaluator's words. May quote the customer.
    pub reason: Personal,
    /// When.
    pub at: At,
    /// How long it took, in milliseconds.
    pub latency_ms: u32,
    /// Whether it came after the reply had begun to leave.
    pub too_late: bool,
}

/// The three judgements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum VerdictWord {
    /// The newer messages do not touch it: it may leave.
    ReleaseFirst,
    /// The newer messages made it wrong.
    CancelFirst,
    /// One reply should answer both.
    Merge,
}

impl VerdictWord {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::ReleaseFirst, Self::CancelFirst, Self::Merge];

    /// The word as it is stored: `RELEASE_FIRST`.
    #[must_use]
    pub fn stored(self) -> &'static str {
        match self {
            Self::ReleaseFirst => "RELEASE_FIRST",
            Self::CancelFirst => "CANCEL_FIRST",
            Self::Merge => "MERGE",
        }
    }

    /// The verdict with this stored word.
    #[must_use]
    pub fn from_stored(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|verdict| verdict.stored() == word)
    }

    /// The verdict that a person means: the stored word, or `release`, `cancel`, `merge`, letter case aside.
    #[must_use]
    pub fn from_any(word: &str) -> Option<Self> {
        let word = word.to_ascii_uppercase();
        Self::from_stored(&word).or_else(|| Self::from_stored(&format!("{word}_FIRST")))
    }

    /// All stored words, for people.
    #[must_use]
    pub fn allowed() -> String {
        Self::ALL.map(Self::stored).join(", ")
    }
}

impl From<Decision> for VerdictWord {
    fn from(decision: Decision) -> Self {
        match decision {
            Decision::ReleaseFirst => Self::ReleaseFirst,
            Decision::CancelFirst => Self::CancelFirst,
            Decision::Merge => Self::Merge,
        }
    }
}

/// Where a verdict came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VerdictSource {
    /// An evaluator, sure enough.
    Evaluator,
    /// The evaluator was down, too slow or unsure, so the reply was released.
    Fallback,
    /// A setting or a person.
    Policy,
}

/// One attempt to send.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Attempt {
    /// When.
    pub at: At,
    /// How it ended.
    pub result: AttemptResult,
    /// The channel's code or the reason, for people; no text of the customer.
    pub detail: String,
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptResult {
    /// The channel accepted it.
    Accepted,
    /// It was not sent, and that does not count.
    NotSent,
    /// The channel refused it.
    Refused,
    /// Nobody knows.
    Unknown,
    /// It was not allowed to leave (held, locked, not its turn).
    HeldBack,
}
