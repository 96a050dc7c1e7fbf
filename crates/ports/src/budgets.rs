//! How often a chat may be written to: a budget for each conversation, shared by all processes. Must never lose a reply:
//! one that finds no room waits.

mod buckets;
mod rate;

use std::time::Duration;

use async_trait::async_trait;
use replygate_gate::ConversationId;

pub use buckets::Buckets;
pub use rate::Rate;

/// The answer to somebody who wants to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// There is room, and it is taken.
    Now,
    /// There will be room after this time; nothing is taken.
    In(Duration),
}

/// Budgets of conversations.
#[async_trait]
pub trait Budgets: Send + Sync {
    /// Takes room for one hand-over to the conversation, if there is any at this rate. A budget that was not used for a
    /// while is full. When nobody can be asked, what this process knows decides.
    async fn take(&self, conversation: ConversationId, rate: Rate) -> Room;
}
