//! Who answers, who judges and what runs tools: the built-in agents, evaluators and tool hosts, each behind its port. Must never know of queues,
//! holds or channels, and never logs a text or a token.
//!
//! | agent | evaluator |
//! |---|---|
//! | `demo`: an order service in three languages | `rules`: phrases in many languages |
//! | `echo`: repeats what it covers, for tests and load | `marker`: does what the message says, for tests and load |
//! | `http`: asks an address of yours | `http`: asks an address of yours |
//! | `openai`, `anthropic`: a language model | `openai`, `anthropic`: a language model |
//! | `langgraph`, `adk`: an agent on a server of its kind | `hybrid`: the rules first, then a language model |
//!
//! Tools run on the built-in calendar and mailbox, at an address of yours, or on an MCP server; what stands between MCP
//! clients and servers reads their messages by [`mcp`].

mod agent;
mod client;
mod endpoint;
mod evaluator;
mod kind;
mod latency;
pub mod mcp;
mod model;
mod options;
mod secret;
mod tool;
mod transport;
mod unanswered;

pub use client::http_client;
pub use kind::{
    AgentDeps, Errands, SecretSource, ToolDeps, build_agent, build_evaluator, build_tool,
    check_tool,
};
pub use tool::built_in_tools;
