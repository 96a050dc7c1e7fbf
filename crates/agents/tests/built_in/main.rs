//! The built-in agents and evaluators, built and asked as the pipeline does it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod conversations;
mod evaluators;
mod http;
mod options;
mod support;
mod tools;
