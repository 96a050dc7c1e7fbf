//! An evaluator that a test words itself, reply by reply.

use async_trait::async_trait;
use replygate_gate::Decision;
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
