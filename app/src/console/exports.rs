//! The area of exports: who takes a list out of the console.

use crate::view::{Caller, ConsoleError, ExportAsked};
use async_trait::async_trait;

/// Letting an export begin.
#[async_trait]
pub trait Exports: Send + Sync {
    /// Writes down who takes what, and gives the caller as whom its rows are read: with texts if they hold
    /// [`Permission::ExportTexts`](crate::view::Permission::ExportTexts), without any otherwise, whatever they revealed on
    /// pages. Needs [`Permission::Export`](crate::view::Permission::Export).
    async fn export(&self, who: &Caller, asked: ExportAsked) -> Result<Caller, ConsoleError>;
}
