//! The area of the inbox: replies that wait for a person.

use crate::view::{
    Caller, ConsoleError, Inbox, Page, PageQuery, ParkedDetail, ParkedFilter, ParkedRow, ReplyId,
};
use async_trait::async_trait;

/// Reading what waits. Every method needs [`Permission::See`](crate::view::Permission::See); what is done with it goes
/// through [`Commands`](super::Commands).
#[async_trait]
pub trait Parked: Send + Sync {
    /// The replies that wait and match, newest first by when they came to wait, ties by id.
    async fn parked(
        &self,
        who: &Caller,
        filter: ParkedFilter,
        page: PageQuery,
    ) -> Result<Inbox, ConsoleError>;

    /// The present rows of these replies, whether they still wait or not, in any order. At most [`PageQuery::MOST`] ids.
    async fn parked_rows(
        &self,
        who: &Caller,
        ids: Vec<ReplyId>,
    ) -> Result<Page<ParkedRow>, ConsoleError>;

    /// One reply with everything that speaks for and against sending it now, whether it still waits or not.
    async fn parked_reply(&self, who: &Caller, id: ReplyId) -> Result<ParkedDetail, ConsoleError>;
}
