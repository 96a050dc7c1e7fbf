//! The model test: random but realistic lives of sessions are played on an adapter and on the memory store at once, and
//! whatever can be observed must be equal. An adapter joins with one line:
//!
//! ```ignore
//! replygate_testkit::store_model!(store_behaves_like_the_model, SqliteHarness, 64);
//! ```
#![expect(
    clippy::missing_panics_doc,
    clippy::unwrap_used,
    reason = "this is a test: it panics when it fails"
)]

mod moves;
mod observed;
mod play;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tokio::runtime::Builder;

use crate::contract::{UpkeepHarness, begin};

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

/// Plays `cases` random lives on the adapter and on the model. A difference is shrunk to the shortest life that shows it.
pub fn compare<H: UpkeepHarness>(cases: u32) {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let life = proptest::collection::vec(moves::any_move(), 1..LONGEST);
    let outcome = TestRunner::new(config).run(&life, |life| {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let difference = runtime.block_on(async {
            match begin::<H>().await {
                Some(harness) => play::play(&harness, &life).await.err(),
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
