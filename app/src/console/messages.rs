//! The area of messages: finding one among all of them.

use crate::view::{
    Caller, ConsoleError, MessageDetail, MessageFilter, MessageId, MessageRow, Page, PageQuery,
};
use async_trait::async_trait;

/// Reading messages across sessions. Every method needs [`Permission::See`](crate::view::Permission::See).
#[async_trait]
pub trait Messages: Send + Sync {
    /// The messages that match, newest first by their receipt, ties by id.
    async fn messages(
        &self,
        who: &Caller,
        filter: MessageFilter,
        page: PageQuery,
    ) -> Result<Page<MessageRow>, ConsoleError>;

    /// The present rows of these messages, in any order; ones that do not exist are left out, and so is `next`. At most
    /// [`PageQuery::MOST`] ids, others are ignored.
    async fn message_rows(
        &self,
        who: &Caller,
        ids: Vec<MessageId>,
    ) -> Result<Page<MessageRow>, ConsoleError>;

    /// One message with the replies that covered it, or [`ConsoleError::NotFound`].
    async fn message(&self, who: &Caller, id: MessageId) -> Result<MessageDetail, ConsoleError>;
}
