//! What tests are built from: adapters that live in memory, fakes that follow a script, and one contract suite for every
//! adapter of the ports. Only ever a dev-dependency: nothing of it may reach the product.

#[cfg(feature = "backends")]
pub mod backends;
pub mod bent;
pub mod clock;
pub mod contract;
pub mod entropy;
pub mod faults;
pub mod ledger_model;
pub mod memory;
pub mod model;
pub mod proxy;
pub mod scripted;
pub mod wait;
