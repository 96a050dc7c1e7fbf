//! The area of decisions: how replies were judged against newer messages.

use crate::view::{
    Caller, ConsoleError, DecisionDetail, DecisionFilter, DecisionRow, Page, PageQuery, ReplyId,
};
use async_trait::async_trait;

/// Reading decisions. Every method needs [`Permission::See`](crate::view::Permission::See).
#[async_trait]
pub trait Decisions: Send + Sync {
    /// The verdicts that match, newest first. A page may hold a few more than were asked for: the verdicts of one
    /// evaluation stay together.
    async fn decisions(
        &self,
        who: &Caller,
        filter: DecisionFilter,
        page: PageQuery,
    ) -> Result<Page<DecisionRow>, ConsoleError>;

    /// What was decided about one reply, or [`ConsoleError::NotFound`] where nothing was.
    async fn decision(&self, who: &Caller, reply: ReplyId) -> Result<DecisionDetail, ConsoleError>;
}
