//! The area of reveals: who looks at texts and contacts, and why.

use crate::view::{Caller, ConsoleError, Revealed, Veiled};
use async_trait::async_trait;

/// Lifting veils. A veil stays lifted for one person in one sign-in.
#[async_trait]
pub trait Reveals: Send + Sync {
    /// Whether the caller sees what lies under this veil. Needs [`Permission::See`](crate::view::Permission::See).
    async fn is_revealed(&self, who: &Caller, over: &Veiled) -> Result<bool, ConsoleError>;

    /// Lifts a veil and writes down that it was: who, what, when and why, never a text. The first reveal of a sign-in
    /// gives a reason, of at most 500 characters, and later ones may; what was lifted before is no second reveal. A
    /// session that is not there is [`ConsoleError::NotFound`]. Needs
    /// [`Permission::Reveal`](crate::view::Permission::Reveal).
    async fn reveal(
        &self,
        who: &Caller,
        over: Veiled,
        reason: Option<String>,
    ) -> Result<Revealed, ConsoleError>;
}
