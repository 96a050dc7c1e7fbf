//! The area of activity: who did what.

use crate::view::{ActivityFilter, ActivityRow, Caller, ConsoleError, Page, PageQuery};
use async_trait::async_trait;

/// Reading the log. It is written by whatever does something, and never changed.
#[async_trait]
pub trait Activity: Send + Sync {
    /// The entries that match, newest first. Needs [`Permission::See`](crate::view::Permission::See).
    async fn activity(
        &self,
        who: &Caller,
        filter: ActivityFilter,
        page: PageQuery,
    ) -> Result<Page<ActivityRow>, ConsoleError>;
}
