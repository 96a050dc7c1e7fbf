//! The operators' inbox: replies that wait for a person, and what speaks for and against sending them now.

use super::stored::stored_words;
use super::{At, ChannelId, ChannelRef, Page, Personal, ReplyId, SessionId, StatusWord};
use serde::{Deserialize, Serialize};

/// A line of the inbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParkedRow {
    /// The reply.
    pub reply: ReplyId,
    /// Its session.
    pub session: SessionId,
    /// The version of the session when it was read.
    pub version: u64,
    /// The generation of the reply. Deeds carry the one that was seen.
    pub generation: u32,
    /// Where it stands: parked, unknown, or what became of it since.
    pub status: StatusWord,
    /// Where it was to go.
    pub channel: ChannelRef,
    /// To whom.
    pub contact: Personal,
    /// What it says, cut to 200 characters.
    pub text: Personal,
    /// The stored word for why it waits, for example `lock_stuck`; `unknown` for one whose outcome is not known.
    pub why: String,
    /// The channel's or the agent's own word for what went wrong.
    pub code: Option<String>,
    /// How often it was to be sent.
    pub attempts: u32,
    /// When it was written.
    pub written: At,
    /// Since when it waits.
    pub since: At,
    /// How often an operator put it back in line.
    pub returns: u32,
    /// What happened in its session since it was written.
    pub meanwhile: Meanwhile,
}

/// What happened in a session since a reply was written; the first that applies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Meanwhile {
    /// A person answers, or answered.
    Person {
        /// Who.
        by: String,
    },
    /// The customer got the same text.
    SameText {
        /// When it was accepted.
        at: At,
    },
    /// A newer reply was delivered.
    NewerReply {
        /// When it was accepted.
        at: At,
    },
    /// The customer wrote so many messages.
    NewerMessages {
        /// How many.
        count: u32,
    },
    /// Nothing that speaks against it.
    Nothing,
}

/// Which waiting replies are wanted. Everything given must match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ParkedFilter {
    /// That wait for this reason, by stored word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// On this channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<ChannelId>,
    /// That have waited at least so many milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited_ms: Option<i64>,
    /// Whose text, contact or id contains this, letter case aside. Without the permission to reveal, only ids are
    /// searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub q: Option<String>,
    /// One of the ready-made views.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<InboxView>,
}

impl ParkedFilter {
    /// Whether everything matches.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

stored_words! {
    /// A ready-made view of the inbox.
    InboxView {
        /// Nothing newer happened: sending them now does what was meant.
        Safe = "safe",
        /// Something newer happened.
        Late = "late",
        /// Came back although an operator sent them again.
        CameBack = "came-back",
    }
}

/// The inbox as a page shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inbox {
    /// The rows, newest first by when they came to wait.
    pub page: Page<ParkedRow>,
    /// How many wait for each reason, by stored word; reasons with none are left out.
    pub reasons: Vec<(String, u32)>,
    /// One cause that explains most of what waits.
    pub cause: Option<Cause>,
}

/// One cause behind many replies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// The channel.
    pub channel: ChannelRef,
    /// The stored word for why they wait.
    pub why: String,
    /// The word for what went wrong.
    pub code: Option<String>,
    /// So many replies.
    pub count: u32,
    /// Of so many that were looked at.
    pub of: u32,
    /// The first of them came to wait.
    pub from: At,
    /// And the last.
    pub to: At,
}

stored_words! {
    /// What may be done with a reply that waits.
    Choice {
        /// Send it as it is written.
        Send = "send",
        /// Have the agent answer its messages again.
        Rerun = "rerun",
        /// Do not send it.
        Discard = "discard",
        /// It reached the customer; only for one whose outcome is not known.
        Delivered = "delivered",
    }
}

stored_words! {
    /// Something that was looked at before a reply is sent late.
    CheckWord {
        /// The outcome of its hand-over is not known.
        OutcomeUnknown = "outcome_unknown",
        /// It has no text.
        Empty = "empty",
        /// The agent is answering its messages again already.
        BeingRerun = "being_rerun",
        /// A person answers in the agent's place, or answered since.
        Person = "person",
        /// Another reply answered some of its messages.
        AnsweredElsewhere = "answered_elsewhere",
        /// The same text reached the customer.
        SameText = "same_text",
        /// A newer reply was delivered.
        NewerReply = "newer_reply",
        /// The customer wrote since.
        NewerMessages = "newer_messages",
        /// It came back after an operator had sent it again.
        CameBack = "came_back",
        /// Its channel fails at the moment.
        ChannelFails = "channel_fails",
        /// Its turn did something outside.
        Effects = "effects",
        /// A turn runs or messages are being collected.
        Busy = "busy",
    }
}

stored_words! {
    /// What a check does.
    Weight {
        /// Nothing: all is well.
        Fine = "fine",
        /// It tells.
        Informs = "informs",
        /// It speaks against a choice.
        Warns = "warns",
        /// It asks for a reason.
        Asks = "asks",
        /// It refuses a choice unless it is overruled with a reason.
        Refuses = "refuses",
        /// It refuses a choice.
        Blocks = "blocks",
    }
}

/// A check and what it found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// What was looked at.
    pub word: CheckWord,
    /// What it does.
    pub weight: Weight,
    /// Which choices it speaks against; a check that only tells speaks against none.
    pub against: Vec<Choice>,
    /// How many, where it counts something.
    pub count: Option<u32>,
    /// Who, where somebody did something.
    pub by: Option<String>,
    /// When, where something happened.
    pub at: Option<At>,
}

/// The page on which one waiting reply is decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParkedDetail {
    /// The line of the inbox.
    pub row: ParkedRow,
    /// Its texts, whole, one per part.
    pub parts: Vec<Personal>,
    /// What was looked at, gravest first. Empty for a reply that no longer waits.
    pub checks: Vec<Check>,
    /// The choice that the checks suggest.
    pub usual: Option<Choice>,
    /// The newest deed of an operator on it.
    pub last_deed: Option<LastDeed>,
    /// The server's time when this was read.
    pub as_of: At,
}

/// What an operator did to a reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastDeed {
    /// The event that it caused, by stored name, for example `requeued`.
    pub kind: String,
    /// Who.
    pub by: String,
    /// When.
    pub at: At,
}

impl ParkedDetail {
    /// Whether it still waits for a person.
    #[must_use]
    pub fn waits(&self) -> bool {
        matches!(self.row.status, StatusWord::Parked | StatusWord::Unknown)
    }

    /// The gravest weight against a choice.
    #[must_use]
    pub fn against(&self, choice: Choice) -> Weight {
        let against = self
            .checks
            .iter()
            .filter(|check| check.against.contains(&choice));
        against
            .map(|check| check.weight)
            .max()
            .unwrap_or(Weight::Fine)
    }
}
