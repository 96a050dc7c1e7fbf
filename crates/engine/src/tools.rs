//! The tool guard: "a tool call with an effect happens once per meaning, not once per call". Every call with an effect
//! passes reserve, run, then done, failed or unknown. Must never run a call that the ledger did not reserve, and never
//! drop one that runs.

mod guard;
mod running;
mod toolbox;
mod wish;

pub use guard::{Guard, Leave, Wait};
pub use toolbox::{LiveTool, ToolSaveError, Toolbox};
pub use wish::Wish;
