//! Fakes that follow a script: an agent, an evaluator, a tool and a channel whose behaviour the messages themselves name by
//! marks, so that a test reads like a conversation. They take time through the clock port alone. Must never look at
//! anything but what the port hands them.

mod agent;
mod channel;
mod evaluator;
mod latency;
mod tools;

pub use agent::{Run, ScriptedAgent};
pub use channel::{HandOver, Notice, RecordingChannel, Scripted};
pub use evaluator::ScriptedEvaluator;
pub use latency::Latency;
pub use tools::{ScriptedTool, Turnout, Worked};
