//! The PostgreSQL store keeps the contract, with one process and with several.
#![expect(
    clippy::unwrap_used,
    reason = "a test panics when something is not as it says"
)]

mod contract;
mod faults;
mod proxy;
mod races;
mod service;
