//! Adapters that live in memory: the reference that other adapters are compared with, and the world of the simulator.
//! What a [`MemoryStore`] acknowledged outlives the tasks that asked for it, as a database outlives a process. Must
//! never fail by itself: faults are put in front of it.

mod accounts;
mod activity;
mod append;
mod budgets;
mod calendar;
mod feed;
mod figures;
mod history;
mod leases;
mod ledger;
mod mailbox;
mod mirror;
mod operations;
mod parked;
mod read;
mod saved;
mod settings;
mod tables;
mod tickets;
mod upkeep;
mod views;
mod wakes;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use budgets::MemoryBudgets;
pub use feed::MemoryFeed;
pub use leases::MemoryLeases;
pub use mirror::MemoryMirror;
pub use parked::MemoryParked;
pub use tickets::MemoryTickets;
pub use wakes::MemoryWakes;

use tables::Tables;

/// Every store port over tables in memory. Clones share the tables: a clone kept outside survives a simulated crash.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    tables: Arc<Mutex<Tables>>,
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The tables; every operation takes them once, for all it does, and never across a wait.
    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
