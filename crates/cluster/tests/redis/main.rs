//! Redis keeps the contracts, and being without it costs time only. Each test has a prefix of its own.
#![expect(
    clippy::unwrap_used,
    reason = "a test panics when something is not as it says"
)]

mod contract;
mod outage;
mod service;
mod sharing;
