//! A person's own sign-ins.

use super::At;

/// One browser in which somebody is signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignInRow {
    /// By which it is ended; good for nothing else.
    pub id: String,
    /// The browser's family; empty where it did not say one.
    pub browser: String,
    /// Since when.
    pub since: At,
    /// When it was used last, to within five minutes.
    pub seen: At,
    /// Whether it is the one that asks.
    pub is_this: bool,
}
