//! Plays customers against a real server over HTTP and holds what came out against what had to: the stories that the
//! product was built for, and storms. It speaks to the server as anybody could, by signed webhooks, a deliver address
//! and `/v1`; it must never look into the server or be used by it.

mod arena;
mod channels;
mod customer;
mod endpoint;
pub mod seeds;
mod stats;
pub mod storm;

pub use arena::{Arena, ArenaError, new_secret};
pub use channels::{seeds_toml, storm_toml};
pub use customer::{Accepted, Customer, Place, Saying, TalkError};
pub use endpoint::{Endpoint, Receipt};
pub use stats::Spread;
