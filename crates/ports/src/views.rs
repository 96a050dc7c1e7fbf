//! What the console reads. Must never change anything; every list is bounded and paged by key.

mod search;

use async_trait::async_trait;
use replygate_gate::debounce::MessageKind;
use replygate_gate::{At, Author, MessageId, ParkReason, ReplyId, ReplyStatus, SessionId, Usage};

use crate::changes::MessageState;
use crate::store::{Step, StoreError, Stored, first};
pub use search::Search;

/// A session with what a list shows of it.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionSummary {
    /// Its id.
    pub id: SessionId,
    /// Key, version and state.
    pub stored: Stored,
    /// When something last happened.
    pub last_activity: At,
    /// The customer's newest message, by the order of the conversation.
    pub last_message: Option<MessageView>,
    /// The newest reply.
    pub last_reply: Option<ReplyView>,
}

/// A message with its text and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageView {
    /// Its id.
    pub id: MessageId,
    /// Its session.
    pub session: SessionId,
    /// The channel's own id of it.
    pub provider_id: String,
    /// Words, attachment, voice or reaction.
    pub kind: MessageKind,
    /// Its text; empty once pruned.
    pub text: String,
    /// When the channel says it was written.
    pub sent_at: Option<At>,
    /// When it was received.
    pub received_at: At,
    /// What became of it.
    pub state: MessageState,
    /// The message whose text it replaces.
    pub edit_of: Option<MessageId>,
}

impl MessageView {
    /// When it was written: by the channel's time, else when it was received.
    #[must_use]
    pub fn written_at(&self) -> At {
        self.sent_at.unwrap_or(self.received_at)
    }
}

/// A reply with its text and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyView {
    /// Its id.
    pub id: ReplyId,
    /// Its session.
    pub session: SessionId,
    /// Its place in the conversation's order.
    pub seq: u64,
    /// Where it is.
    pub status: ReplyStatus,
    /// Its parts; empty once pruned.
    pub parts: Vec<String>,
    /// The messages it answers.
    pub covers: Vec<MessageId>,
    /// Who wrote it.
    pub author: Author,
    /// Whether its turn committed an outside effect.
    pub effects: bool,
    /// When it was written.
    pub created_at: At,
    /// When it is or was due.
    pub due_at: At,
    /// When its status last changed.
    pub changed_at: At,
    /// The generation an operator has to name.
    pub generation: u32,
    /// Attempts so far.
    pub attempts: u32,
    /// Why it waits for a person.
    pub park_reason: Option<ParkReason>,
    /// The word for what went wrong last.
    pub code: Option<String>,
    /// The reply that took its place.
    pub superseded_by: Option<ReplyId>,
    /// The channel's id of what it accepted.
    pub receipt: Option<String>,
    /// Whether only a part of it was sent.
    pub cut: bool,
    /// How many of its parts, from the first on, the user has for certain.
    pub sent: u32,
    /// What a model was asked for it.
    pub usage: Usage,
}

impl ReplyView {
    /// The parts that the user has for certain.
    #[must_use]
    pub fn sent_parts(&self) -> &[String] {
        first(&self.parts, self.sent)
    }
}

/// One line of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The customer wrote.
    Message(MessageView),
    /// Somebody answered, or would have.
    Reply(ReplyView),
}

impl Line {
    /// Its place in the conversation: when it was written, and its id, which tells the order of arrival.
    #[must_use]
    pub fn place(&self) -> (At, u128) {
        match self {
            Self::Message(message) => (message.written_at(), message.id.0),
            Self::Reply(reply) => (reply.created_at, reply.id.0),
        }
    }
}

/// Which sessions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionQuery {
    /// Only of this channel.
    pub channel: Option<String>,
    /// Only of contacts that contain this, case-insensitively.
    pub contact: Option<String>,
    /// Only those with open work.
    pub open_only: bool,
    /// Only behind this key: last activity and id of the last row seen.
    pub after: Option<(At, SessionId)>,
    /// At most so many.
    pub limit: u32,
}

/// Which messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageQuery {
    /// Only of this channel.
    pub channel: Option<String>,
    /// Only of this session.
    pub session: Option<SessionId>,
    /// Only with this text inside, case-insensitively.
    pub text: Option<String>,
    /// Received at or after.
    pub from: Option<At>,
    /// Received before.
    pub to: Option<At>,
    /// Only behind this key: receipt and id of the last row seen.
    pub after: Option<(At, MessageId)>,
    /// Only in front of this key, as [`Views::reach`] tells it.
    pub above: Option<(At, MessageId)>,
    /// At most so many.
    pub limit: u32,
}

/// Which replies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplyQuery {
    /// Only of this channel.
    pub channel: Option<String>,
    /// Only in these statuses; empty is any.
    pub statuses: Vec<ReplyStatus>,
    /// Only behind this key: last change and id of the last row seen.
    pub after: Option<(At, ReplyId)>,
    /// At most so many.
    pub limit: u32,
}

/// Which steps with verdicts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JudgedQuery {
    /// Only of this channel.
    pub channel: Option<String>,
    /// Only behind this key: time, session and version of the last step seen.
    pub after: Option<(At, SessionId, u64)>,
    /// At most so many.
    pub limit: u32,
}

/// A step in which a verdict was given, and whose.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedStep {
    /// The session.
    pub session: SessionId,
    /// The step.
    pub step: Step,
}

/// A channel's figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChannelFigures {
    /// When the newest message came in.
    pub last_inbound: Option<At>,
    /// When the newest reply was accepted.
    pub last_delivery: Option<At>,
    /// How many replies wait for a person.
    pub parked: u32,
}

/// What the console reads.
#[async_trait]
pub trait Views: Send + Sync {
    /// Sessions, newest activity first.
    async fn sessions(&self, query: &SessionQuery) -> Result<Vec<SessionSummary>, StoreError>;

    /// These sessions, in any order; unknown ones are left out.
    async fn session_summaries(
        &self,
        sessions: &[SessionId],
    ) -> Result<Vec<SessionSummary>, StoreError>;

    /// A session's messages and replies, the last written first, behind the place of the last line seen. A message that
    /// was stored late stands where the channel's time puts it, as in the agent's history.
    async fn conversation(
        &self,
        session: SessionId,
        after: Option<(At, u128)>,
        limit: u32,
    ) -> Result<Vec<Line>, StoreError>;

    /// A session's steps, newest first, before `version`.
    async fn timeline(
        &self,
        session: SessionId,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<Step>, StoreError>;

    /// Messages, newest first.
    async fn messages(&self, query: &MessageQuery) -> Result<Vec<MessageView>, StoreError>;

    /// How far a search comes that looks at no more than `effort` messages of each channel, whatever it looks for: the key of
    /// the newest message that it leaves out, `None` when it looks at all. No text is read for that.
    async fn reach(
        &self,
        query: &MessageQuery,
        effort: u32,
    ) -> Result<Option<(At, MessageId)>, StoreError>;

    /// These messages, in any order; unknown ones are left out.
    async fn messages_by_id(&self, messages: &[MessageId]) -> Result<Vec<MessageView>, StoreError>;

    /// Replies, newest change first.
    async fn reply_list(&self, query: &ReplyQuery) -> Result<Vec<ReplyView>, StoreError>;

    /// These replies, in any order; unknown ones are left out.
    async fn replies_by_id(&self, replies: &[ReplyId]) -> Result<Vec<ReplyView>, StoreError>;

    /// The replies of a session that cover this message.
    async fn replies_covering(
        &self,
        session: SessionId,
        message: MessageId,
    ) -> Result<Vec<ReplyView>, StoreError>;

    /// Steps in which verdicts were given, newest first.
    async fn judged(&self, query: &JudgedQuery) -> Result<Vec<JudgedStep>, StoreError>;

    /// A channel's figures.
    async fn channel_figures(&self, channel: &str) -> Result<ChannelFigures, StoreError>;

    /// How many replies are in each status that is not final.
    async fn open_counts(&self) -> Result<Vec<(ReplyStatus, u64)>, StoreError>;
}
