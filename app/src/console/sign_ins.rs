//! The area of sign-ins: where somebody is signed in. Everybody sees and ends their own, and nobody else's.

use crate::view::{Caller, ConsoleError, SignInRow};
use async_trait::async_trait;

/// The caller's own sign-ins. Every method needs [`Permission::See`](crate::view::Permission::See).
#[async_trait]
pub trait SignIns: Send + Sync {
    /// Those that have not ended, the one used last first.
    async fn sign_ins(&self, who: &Caller) -> Result<Vec<SignInRow>, ConsoleError>;

    /// Ends one: it is refused from its next request on. One that is not the caller's, or has ended, is
    /// [`ConsoleError::NotFound`].
    async fn end_sign_in(&self, who: &Caller, id: String) -> Result<(), ConsoleError>;

    /// Ends every one but that which asks; tells how many.
    async fn end_other_sign_ins(&self, who: &Caller) -> Result<u32, ConsoleError>;
}
