//! How people reach Replygate and are reached: for each kind of channel a pure reader of what comes in, and a sender.
//! Must never decide when or whether something is sent, and never logs a text, a secret or an address with a secret in it.
//!
//! - [`generic`]: signed webhooks in both directions, for anything that speaks HTTP.
//! - [`webchat`]: a page of our own on which a person writes.

mod client;
pub mod generic;
mod kind;
mod malformed;
pub mod webchat;

pub use client::http_client;
pub use kind::{ChannelDeps, build};
pub use malformed::Malformed;

/// The largest body that a channel accepts, in bytes: 256 KiB. A longer one is answered with 413.
pub const BODY_LIMIT: usize = 256 * 1024;
