//! The area of operations: one deed on many replies.

use crate::view::{
    Caller, ConsoleError, ItemWord, OperationDetail, OperationId, OperationRow, Page, PageQuery,
    PlanAsked, SteerAsked,
};
use async_trait::async_trait;

/// Planning, steering and reading operations. Reading needs [`Permission::See`](crate::view::Permission::See), planning
/// and steering need [`Permission::ActOnMany`](crate::view::Permission::ActOnMany).
#[async_trait]
pub trait Operations: Send + Sync {
    /// Freezes a set of replies and says per reply what will happen; nothing is done yet. More replies than the role may
    /// act on at once are [`ConsoleError::Invalid`].
    async fn plan(&self, who: &Caller, asked: PlanAsked) -> Result<OperationId, ConsoleError>;

    /// All operations, newest plan first.
    async fn operations(
        &self,
        who: &Caller,
        page: PageQuery,
    ) -> Result<Page<OperationRow>, ConsoleError>;

    /// One operation with its replies, only those in `outcome` where one is given; or [`ConsoleError::NotFound`].
    async fn operation(
        &self,
        who: &Caller,
        id: OperationId,
        outcome: Option<ItemWord>,
        page: PageQuery,
    ) -> Result<OperationDetail, ConsoleError>;

    /// Starts, pauses, resumes or stops an operation. What is not possible in its state is a
    /// [`ConsoleError::Conflict`] that says in which it is; what it is already is done.
    async fn steer(&self, who: &Caller, asked: SteerAsked) -> Result<(), ConsoleError>;
}
