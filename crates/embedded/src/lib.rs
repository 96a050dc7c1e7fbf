//! Replygate's ports on one SQLite file and in-process queues: one process, no services. Whatever is acknowledged has been
//! committed to the file; everything else (queue of tickets, feed, cache) can be lost and is rebuilt from it. Must never
//! decide anything: that is the gate's business.

mod accounts;
mod activity;
mod budgets;
mod cache;
mod calendar;
mod clock;
mod codec;
mod database;
mod entropy;
mod error;
mod feed;
mod figures;
mod ledger;
mod mailbox;
mod operations;
mod saved;
mod settings;
mod store;
mod tickets;
mod transfer;
mod upkeep;
mod views;
mod writer;

pub use budgets::LocalBudgets;
pub use clock::SystemClock;
pub use database::{BackupError, Database, OpenError, backup_file};
pub use entropy::OsEntropy;
pub use feed::LocalFeed;
pub use tickets::DelayQueue;
