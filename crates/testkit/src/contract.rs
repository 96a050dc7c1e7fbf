//! One contract for all adapters. Each suite is a macro that holds the only list of its cases, so that a case written
//! once reaches every adapter; an adapter joins a suite with one line:
//!
//! ```ignore
//! replygate_testkit::store_contract!(store, SqliteHarness);
//! ```
//!
//! A case gets a freshly started harness with a namespace of its own and never asks what stands behind it. What an
//! adapter can do changes bounds, never the meaning of a case.
#![expect(
    missing_docs,
    clippy::missing_panics_doc,
    clippy::unwrap_used,
    reason = "these are tests: a case's name says what it shows, and it panics when that is not so"
)]

pub mod accounts;
pub mod activity;
pub mod budgets;
pub mod calendar;
pub mod feed;
pub mod figures;
mod harness;
pub mod leases;
pub mod ledger;
pub mod mailbox;
pub mod mirror;
pub mod operations;
pub mod saved;
pub mod settings;
pub mod stage;
pub mod store;
pub mod tickets;
pub mod tool_settings;
pub mod upkeep;
pub mod versions;
pub mod views;
pub mod wakes;

pub use harness::{
    AccountsHarness, ActivityHarness, BudgetsHarness, CalendarHarness, FeedHarness, FiguresHarness,
    Harness, LeasesHarness, LedgerHarness, MailboxHarness, MirrorHarness, Missing,
    OperationsHarness, SavedViewsHarness, SettingsHarness, StoreHarness, TicketsHarness,
    UpkeepHarness, ViewsHarness, WakesHarness, begin, there,
};

/// Writes one test per case of a suite. Called by the suites' own macros only.
#[doc(hidden)]
#[macro_export]
macro_rules! contract_cases {
    ($name:ident, $harness:ty, $runtime:tt, $suite:ident: [$($case:ident),* $(,)?]) => {
        mod $name {
            use super::*;

            $(
                #[tokio::test $runtime]
                async fn $case() {
                    if let Some(harness) = $crate::contract::begin::<$harness>().await {
                        $crate::contract::$suite::$case(harness).await;
                    }
                }
            )*
        }
    };
}
