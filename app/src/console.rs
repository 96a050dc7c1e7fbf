//! The seam: what the console asks of the server. The console knows this trait and nothing behind it.
//!
//! It is cut into areas, one trait and one file each; [`Console`] is all of them, and whatever implements every area is
//! a [`Console`] by itself. A new area joins as a new trait in the list of [`Console`]'s supertraits; the ones that are
//! there do not change for it.
//!
//! # For whoever implements it
//!
//! - **Permissions are checked here**, in the first line of each method (`who.need(Permission::…)?`): server functions
//!   are public addresses, and a hidden button guards nothing. Each method says what it needs.
//! - **Texts are masked here.** Until a caller with [`Permission::Reveal`](crate::view::Permission::Reveal) lifted the
//!   [veil](Reveals) over a list or a session, every [`Personal`](crate::view::Personal) in it is
//!   [`Masked`](crate::view::Personal::Masked).
//! - **Lists are bounded**: at most [`PageQuery::MOST`](crate::view::PageQuery::MOST) rows, two seconds per statement,
//!   300 ms per count; a count that does not make it is left out.
//! - **Commands are compare-and-set** and idempotent by request id; see [`Commands`].
//! - `as_of` is the time of the read. The console itself has no clock.
//! - Errors hold no internal text. What went wrong inside is logged where it went wrong and arrives here as
//!   [`ConsoleError::Unavailable`](crate::view::ConsoleError::Unavailable).

mod activity;
mod built_in;
mod changes;
mod channels;
mod commands;
mod decisions;
mod duplicates;
mod exports;
mod lab;
mod messages;
mod operations;
mod parked;
mod people;
mod places;
mod reveals;
mod saved;
mod sessions;
mod sign_ins;
mod whole;

pub use activity::Activity;
pub use built_in::BuiltInTools;
pub use changes::{ChangeStream, Changes, Numbered};
pub use channels::Channels;
pub use commands::Commands;
pub use decisions::Decisions;
pub use duplicates::Duplicates;
pub use exports::Exports;
pub use lab::Lab;
pub use messages::Messages;
pub use operations::Operations;
pub use parked::Parked;
pub use people::People;
pub use places::Places;
pub use reveals::Reveals;
pub use saved::Saved;
pub use sessions::Sessions;
pub use sign_ins::SignIns;
pub use whole::Whole;

use std::sync::Arc;

/// Everything the console asks of the server.
pub trait Console:
    Sessions
    + Messages
    + Commands
    + Parked
    + Operations
    + Channels
    + Lab
    + Duplicates
    + Activity
    + People
    + Places
    + Changes
    + Whole
    + Decisions
    + BuiltInTools
    + Reveals
    + Exports
    + Saved
    + SignIns
{
}

impl<T> Console for T where
    T: Sessions
        + Messages
        + Commands
        + Parked
        + Operations
        + Channels
        + Lab
        + Duplicates
        + Activity
        + People
        + Places
        + Changes
        + Whole
        + Decisions
        + BuiltInTools
        + Reveals
        + Exports
        + Saved
        + SignIns
{
}

/// The one console of a server, as pages and server functions find it in their context.
#[derive(Clone)]
pub struct ConsoleHandle(pub Arc<dyn Console>);
