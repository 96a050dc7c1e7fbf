//! Sessions, their events and their texts. The store is the only authority; whatever it has acknowledged survives the
//! death of the process.

use async_trait::async_trait;
use replygate_gate::debounce::MessageKind;
use replygate_gate::{
    AnsweredElsewhere, At, ConversationId, Event, MessageId, Neighbours, ReplyId, ReplyStatus,
    Session, SessionId, SessionKey,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A fault of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot be reached or is too busy; trying again later makes sense.
    #[error("the store is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The question took longer than one may; a narrower one, or the same one when there is less to do, may be answered.
    #[error("the store needed too long for this question")]
    TookTooLong(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// It holds something that cannot be read; trying again does not help.
    #[error("stored {what} cannot be read")]
    Corrupt {
        /// What, with its id.
        what: String,
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl StoreError {
    /// Whether the same question may be answered later: only what is stored in ruins stays as it is.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        !matches!(self, Self::Corrupt { .. })
    }
}

/// Why an append changed nothing.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// Somebody else appended first: load again and decide again.
    #[error("the session changed: expected version {expected}, found {present}")]
    Conflict {
        /// The version that the decision was made on.
        expected: u64,
        /// The version in the store.
        present: u64,
    },
    /// The message is known already.
    #[error("the message was received before")]
    Duplicate {
        /// The id it got then.
        message: MessageId,
    },
    /// The operator's request was carried out before.
    #[error("the request was carried out before")]
    Repeated(Box<ActionRecord>),
    /// A fault.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A session as the store has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    /// Its natural key.
    pub key: SessionKey,
    /// Grows by one with each append; the first append makes it 1.
    pub version: u64,
    /// Its state.
    pub session: Session,
}

/// What makes an inbound message the same message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DedupeKey {
    /// The channel.
    pub channel: String,
    /// The business account.
    pub account: String,
    /// The chat.
    pub conversation: String,
    /// The channel's own id of the message, unique only inside the above.
    pub provider_id: String,
    /// For an edit the channel's edit time or number; an edit is not a duplicate of what it edits.
    pub edit: Option<i64>,
}

impl DedupeKey {
    /// The key in 128 bits, as stores index it: the first half of SHA-256 over the length-prefixed fields, and the edit's
    /// number behind them.
    #[must_use]
    pub fn digest(&self) -> u128 {
        let mut hash = Sha256::new();
        for field in [
            &self.channel,
            &self.account,
            &self.conversation,
            &self.provider_id,
        ] {
            hash.update((field.len() as u64).to_be_bytes());
            hash.update(field.as_bytes());
        }
        if let Some(edit) = self.edit {
            hash.update(edit.to_be_bytes());
        }
        let bytes = hash.finalize();
        let half = bytes.iter().take(16);
        half.fold(0, |value, byte| (value << 8) | u128::from(*byte))
    }
}

/// The content of an inbound message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewMessage {
    /// Its id.
    pub id: MessageId,
    /// What makes it the same message when it comes again.
    pub dedupe: DedupeKey,
    /// Words, attachment, voice or reaction.
    pub kind: MessageKind,
    /// The words; any Unicode, NUL included, as it came.
    pub text: String,
    /// When the channel says it was written.
    pub sent_at: Option<At>,
    /// The message whose text it replaces.
    pub edit_of: Option<MessageId>,
}

/// The content of a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewReply {
    /// Its id.
    pub id: ReplyId,
    /// Its parts in order; empty for a turn that failed.
    pub parts: Vec<String>,
}

/// One step of a session: what happened, the state it led to, and the texts that came with it. All of it or nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Append {
    /// The session's natural key; creates the session when `expected` is 0.
    pub key: SessionKey,
    /// Its id, `key.session()`.
    pub id: SessionId,
    /// The version that the decision was made on; 0 when there was no session.
    pub expected: u64,
    /// When.
    pub at: At,
    /// Who caused it: `customer`, `worker`, `dispatch`, `sweeper`, `channel`, or `user:` and an operator's name.
    pub actor: String,
    /// What happened, at least one event.
    pub events: Vec<Event>,
    /// The state after the events.
    pub session: Session,
    /// When the session needs attention next without anybody asking.
    pub next_at: Option<At>,
    /// The message that came in with it.
    pub message: Option<NewMessage>,
    /// The reply that came with it.
    pub reply: Option<NewReply>,
    /// The operator's deed that caused it.
    pub action: Option<NewAction>,
}

/// An operator's deed, recorded in the same step as what it did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewAction {
    /// Minted with the form, so that a repeated request is recognised; unique for ever.
    pub request_id: String,
    /// Who.
    pub by: String,
    /// The verb, such as `reprocess`.
    pub verb: String,
    /// The reply it was about.
    pub reply: Option<ReplyId>,
    /// Why, in the operator's words.
    pub reason: Option<String>,
}

/// An operator's deed as recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionRecord {
    /// What was recorded.
    #[serde(flatten)]
    pub action: NewAction,
    /// On which session.
    pub session: SessionId,
    /// When.
    pub at: At,
}

/// What became of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "fate", rename_all = "snake_case")]
pub enum ReplyFate {
    /// Not handed over yet.
    Waiting,
    /// The user has it.
    Delivered,
    /// The user may have it.
    Unknown,
    /// Newer messages made it wrong; the user never saw it.
    Cancelled,
    /// Another reply answered for it; the user never saw it.
    Superseded,
    /// It waits for a person; the user has not seen it.
    Parked,
    /// Dropped by a person or by age; the user never saw it.
    Dropped,
}

impl From<ReplyStatus> for ReplyFate {
    fn from(status: ReplyStatus) -> Self {
        match status {
            ReplyStatus::Pending | ReplyStatus::Released | ReplyStatus::Dispatching => {
                Self::Waiting
            }
            ReplyStatus::Delivered => Self::Delivered,
            ReplyStatus::Unknown => Self::Unknown,
            ReplyStatus::Cancelled => Self::Cancelled,
            ReplyStatus::Superseded => Self::Superseded,
            ReplyStatus::Parked => Self::Parked,
            ReplyStatus::Expired | ReplyStatus::Discarded => Self::Dropped,
        }
    }
}

/// One entry of the conversation as the agent may read it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum HistoryEntry {
    /// The customer wrote.
    Customer {
        /// The message.
        message: MessageId,
        /// When it was written, by the channel's time, else received.
        at: At,
        /// Words, attachment, voice or reaction.
        kind: MessageKind,
        /// The text; empty once pruned.
        text: String,
    },
    /// The agent answered.
    Agent {
        /// The reply.
        reply: ReplyId,
        /// When it was written.
        at: At,
        /// Its parts.
        parts: Vec<String>,
        /// How many of them, from the first on, the customer has for certain: all of a delivered reply, unless it was cut
        /// short.
        #[serde(default)]
        sent: u32,
        /// What became of it.
        #[serde(flatten)]
        fate: ReplyFate,
    },
    /// A person answered.
    Person {
        /// The reply.
        reply: ReplyId,
        /// When it was written.
        at: At,
        /// Its parts.
        parts: Vec<String>,
    },
}

/// The first `count` parts of a reply, or all there are.
#[must_use]
pub fn first(parts: &[String], count: u32) -> &[String] {
    let count = parts.len().min(count as usize);
    parts.split_at(count).0
}

/// The text of one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageText {
    /// The message.
    pub id: MessageId,
    /// Words, attachment, voice or reaction.
    pub kind: MessageKind,
    /// The newest text; an edit inside the window replaced the first one.
    pub text: String,
    /// When the channel says it was written.
    pub sent_at: Option<At>,
    /// When it was received.
    pub received_at: At,
    /// The message whose text it replaces.
    pub edit_of: Option<MessageId>,
}

impl MessageText {
    /// When it was written: by the channel's time, else when it was received.
    #[must_use]
    pub fn written_at(&self) -> At {
        self.sent_at.unwrap_or(self.received_at)
    }
}

/// The content of a stored reply, as a sender needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyText {
    /// The reply.
    pub id: ReplyId,
    /// Whose.
    pub session: SessionId,
    /// Its place in the conversation's order.
    pub seq: u64,
    /// Its parts in order.
    pub parts: Vec<String>,
    /// The messages it answers, superseded replies' messages included.
    pub covers: Vec<MessageId>,
}

/// Sessions, events and texts.
#[async_trait]
pub trait Store: Send + Sync {
    /// The session, or `None` when nobody wrote there yet.
    async fn load(&self, session: SessionId) -> Result<Option<Stored>, StoreError>;

    /// What other sessions of the conversation have open. Only asked for group conversations.
    async fn neighbours(
        &self,
        conversation: ConversationId,
        session: SessionId,
    ) -> Result<Neighbours, StoreError>;

    /// Appends one step durably and returns the session's new version.
    ///
    /// # Errors
    /// `Conflict` when the version is not the expected one (also when a sequence number of the conversation is taken),
    /// `Duplicate` when the message is known, `Repeated` when the operator's request is; nothing is changed then.
    async fn append(&self, append: Append) -> Result<u64, AppendError>;

    /// Sessions whose `next_at` is not after `until`, earliest first, at most `limit`, beginning behind `after`.
    async fn scheduled(
        &self,
        until: At,
        after: Option<(At, SessionId)>,
        limit: u32,
    ) -> Result<Vec<(At, SessionId)>, StoreError>;

    /// The message that was received under this key, edits included.
    async fn find_message(&self, key: &DedupeKey) -> Result<Option<MessageId>, StoreError>;

    /// The session that a reply belongs to.
    async fn find_reply(&self, reply: ReplyId) -> Result<Option<SessionId>, StoreError>;

    /// Which of `messages` another reply than `except` answered, DELIVERED or UNKNOWN.
    async fn answered(
        &self,
        session: SessionId,
        messages: &[MessageId],
        except: ReplyId,
    ) -> Result<Vec<AnsweredElsewhere>, StoreError>;

    /// The texts of `messages`, in that order; unknown ones are left out.
    async fn texts(&self, messages: &[MessageId]) -> Result<Vec<MessageText>, StoreError>;

    /// The contents of `replies`, in that order; unknown ones are left out.
    async fn replies(&self, replies: &[ReplyId]) -> Result<Vec<ReplyText>, StoreError>;

    /// The last `limit` entries of the session's conversation oldest first, since the last `/reset`,
    /// ordered by the channel's time and then by arrival. Messages in `except` and control commands are left out.
    async fn history(
        &self,
        session: SessionId,
        except: &[MessageId],
        limit: u32,
    ) -> Result<Vec<HistoryEntry>, StoreError>;

    /// The session's events behind `after_version`, oldest first, at most `limit` steps.
    async fn events(
        &self,
        session: SessionId,
        after_version: u64,
        limit: u32,
    ) -> Result<Vec<Step>, StoreError>;

    /// The deed that was recorded under this request id.
    async fn action(&self, request_id: &str) -> Result<Option<ActionRecord>, StoreError>;

    /// Whether the store answers and can write; used by readiness checks.
    async fn ping(&self) -> Result<(), StoreError>;
}

/// One appended step, as the log has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The version it led to.
    pub version: u64,
    /// When.
    pub at: At,
    /// Who caused it.
    pub actor: String,
    /// What happened.
    pub events: Vec<Event>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(fields: [&str; 4], edit: Option<i64>) -> DedupeKey {
        let [channel, account, conversation, provider_id] = fields.map(str::to_owned);
        DedupeKey {
            channel,
            account,
            conversation,
            provider_id,
            edit,
        }
    }

    #[test]
    fn a_dedupe_key_differs_by_every_field_and_by_where_they_end() {
        let keys = [
            key(["shop", "main", "c", "m-1"], None),
            key(["shop", "main", "c", "m-1"], Some(0)),
            key(["shop", "main", "c", "m-1"], Some(1)),
            key(["shop", "main", "cm", "-1"], None),
            key(["shop", "", "mainc", "m-1"], None),
            key(["", "shopmain", "c", "m-1"], None),
        ];
        let digests: std::collections::BTreeSet<u128> =
            keys.iter().map(DedupeKey::digest).collect();
        assert_eq!(digests.len(), keys.len());
    }
}
