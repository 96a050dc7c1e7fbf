//! The area of the built-in tools: the calendar and the mailbox that agents write into where there are no others.

use crate::view::{BuiltIn, BuiltInAsked, Caller, ConsoleError};
use async_trait::async_trait;

/// Reading both. They are written by calls of tools only.
#[async_trait]
pub trait BuiltInTools: Send + Sync {
    /// The events and mails that match. Needs [`Permission::See`](crate::view::Permission::See), and
    /// [`Permission::Reveal`](crate::view::Permission::Reveal) to name a contact.
    async fn built_in(&self, who: &Caller, asked: BuiltInAsked) -> Result<BuiltIn, ConsoleError>;
}
