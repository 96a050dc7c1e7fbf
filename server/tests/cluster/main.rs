//! Installations of many processes: the built program in every role, on real services.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test panics when something is not as it says"
)]

mod apart;
mod backup;
mod broker;
mod consoles;
mod doctor;
mod health;
mod kill_points;
mod metronome;
mod mortal;
mod outages;
mod passage;
mod place;
mod plays;
mod process;
mod roles;
mod rolling;
mod shifted;
mod stand;
mod stories;
mod visitor;

use std::time::Duration;

use replygate_embedded::SystemClock;
use replygate_ports::clock::Clock as _;

/// What is not so after this time does not become so.
const PATIENCE: Duration = Duration::from_secs(30);

/// Returns as soon as it is so.
async fn until(mut is_so: impl AsyncFnMut() -> bool) {
    let clock = SystemClock::start();
    while !is_so().await {
        assert!(clock.elapsed() < PATIENCE, "it did not become so");
        clock.sleep(Duration::from_millis(50)).await;
    }
}
