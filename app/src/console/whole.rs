//! The area of the whole: what waits, what happened, and whether every part works.

use crate::view::{Caller, ConsoleError, HealthReport, Overview, OverviewAsked};
use async_trait::async_trait;

/// Reading the whole. Every method needs [`Permission::See`](crate::view::Permission::See).
#[async_trait]
pub trait Whole: Send + Sync {
    /// The overview. Its charts have at most 120 parts.
    async fn overview(&self, who: &Caller, asked: OverviewAsked) -> Result<Overview, ConsoleError>;

    /// How every part is.
    async fn health(&self, who: &Caller) -> Result<HealthReport, ConsoleError>;
}
