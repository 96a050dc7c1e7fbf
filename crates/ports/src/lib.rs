//! What the pipeline needs from the world, in the pipeline's own words: time, chance, a store, tickets, channels, agents,
//! evaluators, tools and their ledger, settings, and what several processes tell each other. Must never name a driver or a
//! database: adapters implement these traits, the engine calls them, and neither knows the other.

pub mod accounts;
pub mod activity;
pub mod agent;
pub mod budgets;
pub mod calendar;
pub mod changes;
pub mod channel;
pub mod clock;
pub mod draft;
pub mod evaluator;
pub mod feed;
pub mod figures;
pub mod leases;
pub mod ledger;
pub mod mailbox;
pub mod mirror;
pub mod operations;
pub mod parked;
pub mod saved;
pub mod settings;
pub mod store;
pub mod tickets;
pub mod tools;
pub mod transfer;
pub mod upkeep;
pub mod views;
pub mod wakes;
