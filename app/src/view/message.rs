//! A customer's message: a line of the messages list, and its page.

use super::{
    At, ChannelId, ChannelRef, DuplicateRow, MessageId, Personal, Reply, ReplyId, SessionId,
    StatusWord, TimelineEvent, VerdictWord,
};
use serde::{Deserialize, Serialize};

/// A message as it was received.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Message {
    /// Its name.
    pub id: MessageId,
    /// The session it belongs to.
    pub session: SessionId,
    /// When it was written: by the channel's time, else when it was received.
    pub written: At,
    /// When it was received.
    pub received: At,
    /// What sort it is.
    pub kind: MessageKind,
    /// What it says; of an edited message the newest text.
    pub text: Personal,
    /// Whether the customer changed it after sending.
    pub edited: bool,
    /// What became of it.
    pub fate: MessageFate,
}

/// What sort of message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageKind {
    /// Written.
    Text,
    /// A picture, a file, a place.
    Media,
    /// Spoken.
    Voice,
    /// A sign put on an earlier message.
    Reaction,
    /// A control command such as `/stop`.
    Command,
}

/// What became of a message.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageFate {
    /// No turn has covered it yet.
    Waiting,
    /// This reply answers it.
    Answered {
        /// The newest reply that covers it.
        by: ReplyId,
        /// That reply's place in the session's order of sending; none while it is not known.
        seq: Option<u64>,
        /// Where that reply stands.
        status: StatusWord,
    },
    /// A turn covered it and chose to say nothing.
    Silent,
    /// A person answered during a takeover.
    Person,
    /// A recorded command or policy dropped it.
    Dropped {
        /// The stored word for the command or policy.
        why: String,
    },
}

/// A line of the messages list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageRow {
    /// The message; its text cut to 200 characters.
    pub message: Message,
    /// The version of its session when it was read.
    pub version: u64,
    /// Where it came in.
    pub channel: ChannelRef,
    /// Who wrote it.
    pub contact: Personal,
    /// The newest verdict about the reply that answers it.
    pub decision: Option<VerdictWord>,
    /// From its receipt to the acceptance of its reply, in milliseconds.
    pub reply_time_ms: Option<u64>,
    /// How often its reply was to be sent.
    pub attempts: u32,
}

/// A message's page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageDetail {
    /// The line of the list, with the whole text.
    pub row: MessageRow,
    /// The replies that covered it, oldest first: the last one answers it.
    pub replies: Vec<Reply>,
    /// Tool calls that were held back while those replies were made, newest first.
    pub avoided: Vec<DuplicateRow>,
    /// What happened to it and to those replies, oldest first.
    pub events: Vec<TimelineEvent>,
    /// The server's time when this was read.
    pub as_of: At,
}

/// Which messages are wanted. Everything given must match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MessageFilter {
    /// On this channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<ChannelId>,
    /// Whose reply has this status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<StatusWord>,
    /// About whose reply this was decided last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<VerdictWord>,
    /// Whose text, contact or id contains this, letter case aside. Without the permission to reveal, only ids are
    /// searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub q: Option<String>,
    /// Received at this time or later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<At>,
    /// Received before this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<At>,
}

impl MessageFilter {
    /// Whether everything matches.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
