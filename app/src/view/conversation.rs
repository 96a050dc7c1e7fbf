//! A session's conversation as the customer saw it, with the replies that the customer never saw among it.

use super::{At, Message, Page, Reply};
use serde::{Deserialize, Serialize};

/// A stretch of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conversation {
    /// Newest first by [`ConversationItem::at`], like every list; the page turns the stretch round.
    pub items: Page<ConversationItem>,
}

/// One line of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConversationItem {
    /// The customer wrote.
    Message(Message),
    /// A reply, delivered or not.
    Reply(Reply),
}

impl ConversationItem {
    /// Its place in time: when it was written.
    #[must_use]
    pub fn at(&self) -> At {
        match self {
            Self::Message(message) => message.written,
            Self::Reply(reply) => reply.written,
        }
    }
}

/// Who wrote a reply.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Author {
    /// The agent.
    Agent,
    /// A person, during a takeover.
    Person {
        /// Their name.
        name: String,
    },
    /// Replygate itself: the acknowledgement of a control command.
    Notice,
}
