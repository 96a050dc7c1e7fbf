//! The built-in evaluators. Must never have an effect: a question in, opinions out.

mod http;
mod hybrid;
mod marker;
mod model;
mod rules;
mod suspicion;

use replygate_gate::Decision;
use replygate_ports::evaluator::{Held, Newer, Opinion};

pub(crate) use http::HttpEvaluator;
pub(crate) use hybrid::Hybrid;
pub(crate) use marker::Marker;
pub(crate) use model::ModelEvaluator;
pub(crate) use rules::RulesEvaluator;

/// A correction by the channel's own edit function needs neither rule nor model: the reply answers a text that is no longer
/// there, so both are answered anew.
fn edited(held: &Held, newer: &[Newer]) -> Option<Opinion> {
    let corrects = |message: &Newer| message.edits == Some(held.reply);
    newer.iter().any(corrects).then(|| Opinion {
        reply: held.reply,
        decision: Decision::Merge,
        confidence: 1.0,
        reason: "a message that it answers was edited".to_owned(),
        by: None,
    })
}
