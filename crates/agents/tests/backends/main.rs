//! The agents and evaluators that ask somebody else, against strict fakes.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod adk;
mod briefing;
mod clocks;
mod evaluators;
mod failures;
mod injection;
mod langgraph;
mod limits;
mod mcp;
mod options;
mod support;
mod tools;
mod waiting;
mod words;
