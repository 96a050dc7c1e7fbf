//! The area of people: who may use the console, and as what.

use crate::view::{Caller, ConsoleError, Member, MemberLink, PasswordAnswer, Role};
use async_trait::async_trait;

/// People and roles. Where nothing else is said a method needs [`Permission::Team`](crate::view::Permission::Team).
#[async_trait]
pub trait People: Send + Sync {
    /// All people, by name.
    async fn members(&self, who: &Caller) -> Result<Vec<Member>, ConsoleError>;

    /// Adds somebody who then sets their password by the link. A name that exists is
    /// [`ConsoleError::Conflict`], one that is not allowed [`ConsoleError::Invalid`].
    async fn invite(
        &self,
        who: &Caller,
        name: String,
        role: Role,
    ) -> Result<MemberLink, ConsoleError>;

    /// Gives somebody another role from now on. The last owner stays one: [`ConsoleError::Refused`].
    async fn set_role(&self, who: &Caller, name: String, role: Role) -> Result<(), ConsoleError>;

    /// Takes somebody's password back, ends their sign-ins, and gives a link for a new one.
    async fn reset(&self, who: &Caller, name: String) -> Result<MemberLink, ConsoleError>;

    /// Removes somebody, their links and their sign-ins. The last owner stays: [`ConsoleError::Refused`].
    async fn remove(&self, who: &Caller, name: String) -> Result<(), ConsoleError>;

    /// Sets a new password for the caller, who knows the present one; every sign-in of theirs is over with it. Needs
    /// [`Permission::See`](crate::view::Permission::See).
    async fn change_password(
        &self,
        who: &Caller,
        present: String,
        new: String,
    ) -> Result<PasswordAnswer, ConsoleError>;

    /// Whose password a link's token may set, if anybody's. Asked by whoever holds the link; needs no permission.
    async fn invited(&self, token: String) -> Option<String>;
}
