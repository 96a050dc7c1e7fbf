//! The channel for anything that speaks HTTP: signed webhooks in both directions, after the Standard Webhooks
//! specification. Reading is pure; only [`GenericChannel`] does I/O.
//!
//! In: `POST /hooks/{channel}` with the body that [`parse`] describes. Out: `POST` to the channel's `deliver_url`, as
//! [`GenericChannel`] describes. Both are signed as [`sign`] describes.

mod outcome;
mod parse;
mod secret;
mod sender;
mod signature;

pub use parse::parse;
pub use secret::{BadSecret, Secret};
pub use sender::GenericChannel;
pub use signature::{HEADER_ID, HEADER_SIGNATURE, HEADER_TIMESTAMP, Unverified, sign, verify};
