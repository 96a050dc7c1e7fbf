//! The area of sessions: reading what is going on in them.

use crate::view::{
    Caller, ConsoleError, Conversation, Lanes, Page, PageQuery, SessionDetail, SessionFilter,
    SessionId, SessionRow, TimelineEvent,
};
use async_trait::async_trait;

/// Reading sessions. Every method needs [`Permission::See`](crate::view::Permission::See).
#[async_trait]
pub trait Sessions: Send + Sync {
    /// The sessions that match, by [`SessionRow::last_activity`], newest first, ties by id.
    async fn sessions(
        &self,
        who: &Caller,
        filter: SessionFilter,
        page: PageQuery,
    ) -> Result<Page<SessionRow>, ConsoleError>;

    /// The present rows of these sessions, in any order; ones that do not exist are left out, and so is `next`.
    ///
    /// This is how a page on screen follows the live stream. At most [`PageQuery::MOST`] ids, others are ignored.
    async fn session_rows(
        &self,
        who: &Caller,
        ids: Vec<SessionId>,
    ) -> Result<Page<SessionRow>, ConsoleError>;

    /// One session, or [`ConsoleError::NotFound`].
    async fn session(&self, who: &Caller, id: SessionId) -> Result<SessionDetail, ConsoleError>;

    /// Its messages and replies, newest first, or [`ConsoleError::NotFound`].
    async fn conversation(
        &self,
        who: &Caller,
        id: SessionId,
        page: PageQuery,
    ) -> Result<Conversation, ConsoleError>;

    /// Its event log, newest first, or [`ConsoleError::NotFound`].
    async fn timeline(
        &self,
        who: &Caller,
        id: SessionId,
        page: PageQuery,
    ) -> Result<Page<TimelineEvent>, ConsoleError>;

    /// Its newest events as spans of time, or [`ConsoleError::NotFound`]. What goes on ends at the time of reading.
    async fn lanes(&self, who: &Caller, id: SessionId) -> Result<Lanes, ConsoleError>;
}
