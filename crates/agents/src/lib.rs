//! Who answers and who judges: the built-in agents and evaluators, each behind its port. Must never know of queues,
//! holds or channels, and never logs a text or a token.
//!
//! | agent | evaluator |
//! |---|---|
//! | `demo`: an order service in three languages | `rules`: phrases in many languages |
//! | `echo`: repeats what it covers, for tests and load | `marker`: does what the message says, for tests and load |
//! | `http`: asks an address of yours | `http`: asks an address of yours |
//! | `openai`, `anthropic`: a language model | `openai`, `anthropic`: a language model |
//! | `langgraph`, `adk`: an agent on a server of its kind | `hybrid`: the rules first, then a language model |

mod agent;
mod client;
mod endpoint;
mod evaluator;
mod kind;
mod latency;
mod model;
mod options;
mod secret;
mod transport;
mod unanswered;

pub use client::http_client;
pub use kind::{AgentDeps, Errands, SecretSource, build_agent, build_evaluator};
