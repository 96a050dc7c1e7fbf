//! Does what the message says: `#release`, `#cancel` or `#merge` in it decides. For tests and load, where the verdict must
//! be known beforehand.

use std::sync::Arc;

use async_trait::async_trait;
use replygate_gate::Decision;
use replygate_ports::clock::Clock;
use replygate_ports::evaluator::{Evaluator, EvaluatorError, Newer, Opinion, Opinions, Question};

use crate::latency::Latency;

const MARKS: [(&str, Decision); 3] = [
    ("#release", Decision::ReleaseFirst),
    ("#cancel", Decision::CancelFirst),
    ("#merge", Decision::Merge),
];

/// Reads the newest marked message, and in it the last mark; without one every reply is released.
pub(crate) struct Marker {
    latency: Latency,
    clock: Arc<dyn Clock>,
}

impl Marker {
    pub(crate) fn new(latency: Latency, clock: Arc<dyn Clock>) -> Self {
        Self { latency, clock }
    }
}

#[async_trait]
impl Evaluator for Marker {
    async fn judge(&self, question: &Question) -> Result<Opinions, EvaluatorError> {
        let newest = question.newer.last().map_or(0, |message| message.id.0);
        self.latency
            .pass(self.clock.as_ref(), question.session.0 ^ newest)
            .await;
        let marked = marked(&question.newer);
        let reason = if marked.is_some() {
            "marked so"
        } else {
            "no mark"
        };
        let decision = marked.unwrap_or(Decision::ReleaseFirst);
        let opinion = |reply| Opinion {
            reply,
            decision,
            confidence: 1.0,
            reason: reason.to_owned(),
            by: None,
        };
        Ok(question
            .held
            .iter()
            .map(|held| opinion(held.reply))
            .collect())
    }

    fn name(&self) -> &'static str {
        "marker"
    }
}

fn marked(newer: &[Newer]) -> Option<Decision> {
    newer.iter().rev().find_map(|message| {
        let text = message.text.to_lowercase();
        let places = MARKS
            .iter()
            .filter_map(|(mark, decision)| Some((text.rfind(mark)?, *decision)));
        places
            .max_by_key(|(place, _)| *place)
            .map(|(_, decision)| decision)
    })
}
