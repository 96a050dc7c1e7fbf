//! The model test: random but realistic lives of sessions are played on an adapter and on the memory store at once, and
//! whatever can be observed must be equal. An adapter joins with one line:
//!
//! ```ignore
//! replygate_testkit::store_model!(store_behaves_like_the_model, SqliteHarness, 64);
//! ```
#![expect(
    clippy::unwrap_used,
    reason = "this is a test: it panics when it fails"
)]

mod moves;
mod observed;
mod peers;
mod play;
mod tickets;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tokio::runtime::Builder;

use crate::contract::{Harness, UpkeepHarness, begin};

pub use peers::{compare_budgets, compare_leases, compare_mirrors};
pub use tickets::check_tickets;

/// Writes the model test of an adapter, with this many random lives.
#[macro_export]
macro_rules! store_model {
    ($name:ident, $harness:ty, $cases:expr) => {
        #[test]
        fn $name() {
            $crate::model::compare::<$harness>($cases);
        }
    };
}

/// The longest life, in moves.
const LONGEST: usize = 120;

/// Writes the model test of leases, with this many random lives.
#[macro_export]
macro_rules! leases_model {
    ($name:ident, $harness:ty, $cases:expr) => {
        #[test]
        fn $name() {
            $crate::model::compare_leases::<$harness>($cases);
        }
    };
}

/// Writes the model test of a mirror, with this many random lives.
#[macro_export]
macro_rules! mirror_model {
    ($name:ident, $harness:ty, $cases:expr) => {
        #[test]
        fn $name() {
            $crate::model::compare_mirrors::<$harness>($cases);
        }
    };
}

/// Writes the model test of budgets, with this many random lives.
#[macro_export]
macro_rules! budgets_model {
    ($name:ident, $harness:ty, $cases:expr) => {
        #[test]
        fn $name() {
            $crate::model::compare_budgets::<$harness>($cases);
        }
    };
}

/// Writes the test of a ticket queue with this many random lives of tickets.
#[macro_export]
macro_rules! tickets_model {
    ($name:ident, $harness:ty, $cases:expr) => {
        #[test]
        fn $name() {
            $crate::model::check_tickets::<$harness>($cases);
        }
    };
}

/// Plays `cases` random lives on the adapter and on the model. A difference is shrunk to the shortest life that shows it.
pub fn compare<H: UpkeepHarness>(cases: u32) {
    let life = proptest::collection::vec(moves::any_move(), 1..LONGEST);
    play_all(cases, &life, &async |harness: &H, life: &Vec<_>| {
        play::play(harness, life).await
    });
}

/// Plays `cases` random lives, each on a fresh adapter. One that shows a difference is shrunk to the shortest that does.
fn play_all<H: Harness, L: Strategy>(
    cases: u32,
    life: &L,
    play: &impl AsyncFn(&H, &L::Value) -> Result<(), String>,
) {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let outcome = TestRunner::new(config).run(life, |life| {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let difference = runtime.block_on(async {
            match begin::<H>().await {
                Some(harness) => play(&harness, &life).await.err(),
                None => None,
            }
        });
        match difference {
            Some(difference) => Err(TestCaseError::fail(difference)),
            None => Ok(()),
        }
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}
