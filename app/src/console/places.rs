//! The area of times and places: what time it is, where people are, and where a thing that somebody names is shown.

use crate::view::{At, Caller, ConsoleError, Zone};
use async_trait::async_trait;

/// What belongs to no page in particular.
#[async_trait]
pub trait Places: Send + Sync {
    /// The server's time.
    fn now(&self) -> At;

    /// Whether everything here is invented: a demo. Every page says so.
    fn is_demo(&self) -> bool;

    /// The time zone of that name, with its shifts around the present; none for a name that is not known.
    fn zone(&self, name: &str) -> Option<Zone>;

    /// The names of all known zones, sorted.
    fn zones(&self) -> Vec<String>;

    /// The address of the page of whatever has this id: a session, message, reply, operation or avoided duplicate, or
    /// a channel's own id of a message; or [`ConsoleError::NotFound`]. Needs
    /// [`Permission::See`](crate::view::Permission::See).
    async fn find(&self, who: &Caller, id: String) -> Result<String, ConsoleError>;
}
