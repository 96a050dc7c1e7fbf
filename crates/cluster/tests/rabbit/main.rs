//! RabbitMQ keeps the contract of tickets, through whatever happens to its connections. Each test has queues of its own.
#![expect(
    clippy::unwrap_used,
    reason = "a test panics when something is not as it says"
)]

mod blocked;
mod contract;
mod outage;
mod queues;
mod service;
mod sharing;
