//! The agents. Must never change the world without leave from the turn's `Effects`.

mod adk;
mod briefing;
mod demo;
mod echo;
mod elsewhere;
mod http;
mod langgraph;
mod model;

pub(crate) use adk::{Adk, OPTIONS as ADK};
pub(crate) use demo::Demo;
pub(crate) use echo::Echo;
pub(crate) use http::HttpAgent;
pub(crate) use langgraph::{LangGraph, OPTIONS as LANGGRAPH};
pub(crate) use model::{ModelAgent, OPTIONS as MODEL};
