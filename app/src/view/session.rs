//! A session as the list and its own page show it.

use super::query::Query;
use super::stored::stored_words;
use super::{At, ChannelId, Cursor, Personal, ReplyId, SessionId, StatusWord};
use serde::{Deserialize, Serialize};

/// One line of the sessions list, and the head of a session's page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionRow {
    /// Its name.
    pub id: SessionId,
    /// Grows with every event. A row replaces another of the same id only with a greater or equal version.
    pub version: u64,
    /// Who writes.
    pub contact: Personal,
    /// Where.
    pub channel: ChannelRef,
    /// What is going on, and since when.
    pub state: SessionState,
    /// The outside lock on it, if one is there.
    pub lock: Option<Lock>,
    /// The running debounce window, while messages are being collected.
    pub window: Option<Window>,
    /// Why undelivered replies are held, while they are.
    pub hold: Option<Hold>,
    /// The running turn of the agent.
    pub turn: Option<Turn>,
    /// Who answers instead of the agent, during a takeover.
    pub taken_over: Option<TakenOver>,
    /// Replies that are not final, counted by status; statuses with none are left out.
    pub in_flight: Vec<InFlight>,
    /// The newest message of the customer.
    pub last_message: Option<LastLine>,
    /// The newest reply, whatever became of it.
    pub last_reply: Option<LastLine>,
    /// The time of its newest event. The list is sorted by it.
    pub last_activity: At,
}

/// A channel by id and by the name people use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelRef {
    /// Its id in the configuration.
    pub id: ChannelId,
    /// What people call it; the id again where nothing else is set.
    pub name: String,
}

/// What a session is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionState {
    /// In a word.
    pub word: SessionStateWord,
    /// Since when.
    pub since: At,
}

/// The one word for what a session is doing; the first that applies, in the order of [`SessionStateWord::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SessionStateWord {
    /// A lock outlived its lease, or a reply waits for a person (parked, unknown).
    Stuck,
    /// A person answers instead of the agent.
    TakenOver,
    /// The agent is working on a turn.
    Thinking,
    /// Messages are being collected in a debounce window.
    Collecting,
    /// An undelivered reply is being judged against newer messages.
    Deciding,
    /// A reply is on its way or waits for its time.
    Sending,
    /// Nothing is open.
    Idle,
}

impl SessionStateWord {
    /// All of them; the earlier one wins.
    pub const ALL: [Self; 7] = [
        Self::Stuck,
        Self::TakenOver,
        Self::Thinking,
        Self::Collecting,
        Self::Deciding,
        Self::Sending,
        Self::Idle,
    ];

    /// The word as it stands in an address: `taken-over`.
    #[must_use]
    pub fn stored(self) -> &'static str {
        match self {
            Self::Stuck => "stuck",
            Self::TakenOver => "taken-over",
            Self::Thinking => "thinking",
            Self::Collecting => "collecting",
            Self::Deciding => "deciding",
            Self::Sending => "sending",
            Self::Idle => "idle",
        }
    }

    /// The state with this word.
    #[must_use]
    pub fn from_stored(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.stored() == word)
    }
}

/// A lock that another system put on a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lock {
    /// Who holds it.
    pub owner: LockOwner,
    /// Since when.
    pub since: At,
    /// Until when it is alive without being renewed. After this the session is stuck.
    pub lease_ends: At,
    /// When it is gone even if nobody releases it.
    pub ttl_ends: At,
}

/// A lock's holder, and the token by which that very lock is released.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LockOwner {
    /// The name it gave.
    pub name: String,
    /// Names this lock and no later one, for example by holder and time; made and read by the server only. An unlock
    /// carries it, so that only the lock that was seen is released.
    pub token: String,
}

/// A running debounce window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// When the burst began.
    pub opened: At,
    /// When it ends if nothing else arrives.
    pub ends: At,
    /// How many messages it holds.
    pub messages: u32,
    /// The rule that chose its length: `command`, `media`, `greeting`, `dangling`, `closed` or `neutral`.
    pub rule: String,
}

/// Undelivered replies are held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hold {
    /// Because of this.
    pub why: HoldWhy,
    /// Since when.
    pub since: At,
}

/// Why replies are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HoldWhy {
    /// The customer wrote something that no verdict has cleared.
    NewerMessages,
    /// An outside lock is on the session.
    Locked,
    /// A person took over.
    TakenOver,
}

/// A running turn of the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// When it was taken.
    pub since: At,
    /// How many messages it answers.
    pub messages: u32,
}

/// A person answers instead of the agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakenOver {
    /// Who.
    pub by: String,
    /// Since when.
    pub since: At,
}

/// So many replies with this status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InFlight {
    /// The status.
    pub status: StatusWord,
    /// How many.
    pub count: u32,
}

/// The newest line of one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastLine {
    /// When it was received, or written.
    pub at: At,
    /// Its text, cut to 200 characters.
    pub text: Personal,
    /// What became of it; `None` for a message of the customer.
    pub status: Option<StatusWord>,
}

/// Which sessions are wanted. Everything given must match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SessionFilter {
    /// On this channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<ChannelId>,
    /// In this state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<SessionStateWord>,
    /// Whose contact or session id contains this, letter case aside. Without the permission to reveal, only the
    /// session id is searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub q: Option<String>,
}

impl SessionFilter {
    /// Whether everything matches.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The address of the list with this filter, from `after` on.
    #[must_use]
    pub fn address(&self, after: Option<&Cursor>) -> String {
        let mut query = Query::new();
        query.add("channel", self.channel.as_ref().map(ChannelId::as_str));
        query.add("state", self.state.map(SessionStateWord::stored));
        query.add("q", self.q.as_deref());
        query.add("after", after.map(Cursor::as_str));
        query.on("/sessions")
    }
}

stored_words! {
    /// One of the three ways to look at a session.
    SessionTab {
        /// What was said, with the replies that the customer never saw.
        Conversation = "conversation",
        /// Who did something when, on an axis of time.
        Timeline = "timeline",
        /// The event log.
        Events = "events",
    }
}

impl SessionTab {
    /// The address of a session looked at in this way, from `after` on.
    #[must_use]
    pub fn address(self, session: &SessionId, after: Option<&Cursor>) -> String {
        let mut query = Query::new();
        let view = (self != Self::Conversation).then(|| self.stored());
        query.add("view", view);
        query.add("after", after.map(Cursor::as_str));
        query.on(&session.address())
    }
}

/// A session's page: its head, and the actions that are open to the caller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionDetail {
    /// The same row that the list shows.
    pub row: SessionRow,
    /// When the customer first wrote.
    pub first_seen: At,
    /// The reply that would leave next, if one is open.
    pub next_reply: Option<ReplyId>,
    /// The server's time when this was read.
    pub as_of: At,
}
