//! Evaluators: one that a test words itself, reply by reply, and the product's own rules.

use async_trait::async_trait;
use replygate_gate::Decision;
use replygate_gate::text::Languages;
use replygate_gate::triage::{Pair, judge};
use replygate_ports::evaluator::{self, Evaluator, EvaluatorError, Held, Newer, Opinion, Question};

/// Judges each held reply by a function of what it answers and of the newest message.
pub struct Opinions<F>(pub F);

#[async_trait]
impl<F> Evaluator for Opinions<F>
where
    F: Fn(&Held, &Newer) -> Decision + Send + Sync,
{
    async fn judge(&self, question: &Question) -> Result<evaluator::Opinions, EvaluatorError> {
        let newest = question.newer.last().unwrap();
        let opinion = |held: &Held| Opinion {
            reply: held.reply,
            decision: (self.0)(held, newest),
            confidence: 0.95,
            reason: "told".to_owned(),
            by: None,
        };
        Ok(question.held.iter().map(opinion).collect())
    }

    fn name(&self) -> &'static str {
        "told"
    }
}

/// The product's own rules, as an evaluator.
pub struct Rules;

#[async_trait]
impl Evaluator for Rules {
    async fn judge(&self, question: &Question) -> Result<evaluator::Opinions, EvaluatorError> {
        let newer: Vec<&str> = question
            .newer
            .iter()
            .map(|newer| newer.text.as_str())
            .collect();
        let opinion = |held: &Held| {
            let text = held.messages.join("\n");
            let pair = Pair {
                held: &text,
                newer: &newer,
            };
            let verdict = judge(&pair, Languages::all());
            Opinion {
                reply: held.reply,
                decision: verdict.decision,
                confidence: verdict.confidence,
                reason: format!("{:?}", verdict.reason),
                by: None,
            }
        };
        Ok(question.held.iter().map(opinion).collect())
    }

    fn name(&self) -> &'static str {
        "rules"
    }
}
