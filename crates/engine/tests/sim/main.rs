//! The deterministic simulator: whole worlds from a seed, faults at every port call, and the protocol's invariants judged
//! from what the users and the store have when all has come to rest.
//!
//! A failing seed is printed with the command that replays it and with the shortest list of faults that still fails.

#![expect(clippy::unwrap_used, reason = "all of this crate is tests")]

mod dice;
mod exhaustive;
mod mutants;
mod oracle;
mod process;
mod script;
mod seeds;
mod world;
