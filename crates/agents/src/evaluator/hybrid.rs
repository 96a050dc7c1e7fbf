//! The rules decide what they are sure of, a language model the rest. Must never ask the model about what the rules know.

use async_trait::async_trait;
use replygate_gate::Decision;
use replygate_gate::triage::SURE;
use replygate_ports::evaluator::{Evaluator, EvaluatorError, Held, Opinion, Opinions, Question};

use super::model::{Judged, ModelEvaluator};
use super::rules;
use crate::unanswered::Unanswered;

/// Rules first, a model where they are unsure.
pub(crate) struct Hybrid {
    model: ModelEvaluator,
    name: String,
}

impl Hybrid {
    pub(crate) fn new(model: ModelEvaluator) -> Self {
        let name = format!("hybrid {}", model.name());
        Self { model, name }
    }
}

#[async_trait]
impl Evaluator for Hybrid {
    async fn judge(&self, question: &Question) -> Result<Opinions, EvaluatorError> {
        let known = |held: &&Held| rules::opinion(held, &question.newer).confidence >= SURE;
        let (sure, unsure): (Vec<&Held>, Vec<&Held>) = question.held.iter().partition(known);
        let Judged { opinions, usage } =
            self.model.opinions(unsure.iter().copied(), question).await;
        let by_rules = sure
            .iter()
            .map(|held| rules::opinion(held, &question.newer));
        let by_model = unsure.iter().zip(opinions);
        let by_model =
            by_model.map(|(held, opinion)| opinion.unwrap_or_else(|why| none(held, &why)));
        Ok(Opinions {
            opinions: by_rules.chain(by_model).collect(),
            usage,
        })
    }

    fn name(&self) -> &str {
        &self.name
    }
}

/// A model that gives no answer takes nothing away from what the rules know; the reply it was asked about is released.
fn none(held: &Held, why: &Unanswered) -> Opinion {
    Opinion {
        reply: held.reply,
        decision: Decision::ReleaseFirst,
        confidence: 0.0,
        reason: why.code(),
        by: None,
    }
}
