//! MCP, the protocol by which agents call tools, as far as a guard between the two and a caller of its own have to
//! understand it: what a posted message asks for, how a call ended, what to answer in the server's place, and the way to
//! the server itself. Knows the revisions with sessions (up to 2025-11-25) and the one without (2026-07-28). Must never
//! change a byte of what only passes through, and must never decide whether a call may run.

pub mod answer;
mod caller;
mod ended;
mod events;
mod headers;
mod hints;
mod message;
mod mirrored;
mod servers;
mod upstream;

/// The longest answer of a server that is read, in bytes: results hold pictures.
const LONGEST: usize = 16 * 1024 * 1024;

pub use ended::{Ended, ToolErrors};
pub use events::{Events, TooLong};
pub use headers::{Era, Mismatch, agree, passes_back, passes_on, plain};
pub use hints::{Hints, hints};
pub use message::{Call, NotMcp, Posted, read};
pub use servers::{Server, Servers, place_of};
pub use upstream::{Unreached, Upstream, http_client};
