//! An evaluator that the customer tells what to say.

use std::sync::Arc;

use async_trait::async_trait;
use replygate_gate::{Decision, Usage};
use replygate_ports::clock::Clock;
use replygate_ports::evaluator::{Evaluator, EvaluatorError, Opinion, Opinions, Question};

use super::Latency;

/// An evaluator that reads its verdict in the newest message: `#release`, `#cancel` or `#merge`, with `#unsure` beside it
/// for too little confidence, `#speechless` for a failure. Without a mark it says `RELEASE_FIRST`.
pub struct ScriptedEvaluator {
    clock: Arc<dyn Clock>,
    latency: Latency,
}

impl ScriptedEvaluator {
    /// An evaluator that takes this long.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>, latency: Latency) -> Self {
        Self { clock, latency }
    }
}

#[async_trait]
impl Evaluator for ScriptedEvaluator {
    async fn judge(&self, question: &Question) -> Result<Opinions, EvaluatorError> {
        self.clock.sleep(self.latency.draw()).await;
        let newest = question
            .newer
            .last()
            .map_or("", |newer| newer.text.as_str());
        if newest.contains("#speechless") {
            return Err(EvaluatorError {
                code: "scripted".to_owned(),
                usage: Usage::default(),
                source: None,
            });
        }
        let decision = match newest {
            text if text.contains("#cancel") => Decision::CancelFirst,
            text if text.contains("#merge") => Decision::Merge,
            _ => Decision::ReleaseFirst,
        };
        let confidence = if newest.contains("#unsure") {
            0.3
        } else {
            0.95
        };
        let opinion = |reply| Opinion {
            reply,
            decision,
            confidence,
            reason: "scripted".to_owned(),
            by: None,
        };
        Ok(question
            .held
            .iter()
            .map(|held| opinion(held.reply))
            .collect())
    }

    fn name(&self) -> &'static str {
        "scripted"
    }
}
