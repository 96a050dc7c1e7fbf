//! The Replygate server: the one place that names adapters and wires them. It holds configuration, HTTP, sign-in, the
//! console's answers and the command line; it must never hold a rule of the pipeline.

#![recursion_limit = "256"]

mod activity;
mod auth;
pub mod cli;
pub mod config;
mod console;
pub mod demo;
mod doctor;
mod http;
mod mcp;
mod metrics;
mod seed;
mod server;
mod service;
pub mod simulate;
mod wiring;

pub use config::Config;
pub use server::{Running, Server, StartError};
pub use service::{Service, Stores};
pub use wiring::{Backing, Foundation};
