//! The built-in evaluators. Must never have an effect: a question in, opinions out.

mod http;
mod marker;
mod rules;

pub(crate) use http::HttpEvaluator;
pub(crate) use marker::Marker;
pub(crate) use rules::RulesEvaluator;
