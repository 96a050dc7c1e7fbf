//! The area of changes: the live stream behind `/events/stream`.

use crate::view::{Caller, Change, ConsoleError, Topic};
use async_trait::async_trait;
use futures::Stream;
use std::pin::Pin;

/// What changed since the last frame, and its place in the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbered {
    /// Grows along the stream; a browser that comes back names the last one it saw. Zero where there is none.
    pub seq: u64,
    /// What changed, never nothing; of several changes of one session the last.
    pub changes: Vec<Change>,
}

/// Changes as they happen.
pub type ChangeStream = Pin<Box<dyn Stream<Item = Numbered> + Send>>;

/// Hearing that something changed. Needs [`Permission::See`](crate::view::Permission::See).
#[async_trait]
pub trait Changes: Send + Sync {
    /// Changes of these topics from now on; with `after`, first those that came behind it, or one
    /// [`Change::Resync`] where they are no longer known.
    ///
    /// They come together, at most five times a second; where they are too many to name, as one [`Change::Resync`]. The
    /// stream ends when the server shuts down and when the caller's sign-in ends; a slow reader gets a [`Change::Resync`]
    /// and never holds anything up.
    async fn changes(
        &self,
        who: &Caller,
        topics: Vec<Topic>,
        after: Option<u64>,
    ) -> Result<ChangeStream, ConsoleError>;
}
