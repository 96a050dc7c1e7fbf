//! MCP, the protocol by which agents call tools, as far as a guard between the two has to understand it: what a posted
//! message asks for, how a call ended, what to answer in the server's place, and the way to the server itself. Serves the
//! revisions with sessions (up to 2025-11-25) and the one without (2026-07-28). Must never change a byte of what only
//! passes through, and must never decide whether a call may run.

pub mod answer;
mod ended;
mod events;
mod headers;
mod hints;
mod message;
mod upstream;

pub use ended::Ended;
pub use events::{Events, TooLong};
pub use headers::{Era, Mismatch, agree, passes_back, passes_on};
pub use hints::{Hints, hints};
pub use message::{Call, NotMcp, Posted, read};
pub use upstream::{Unreached, Upstream};
