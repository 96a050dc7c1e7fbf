//! Asks an address for opinions. Must never take one that is out of range or about a reply that was not asked about.

use async_trait::async_trait;
use replygate_ports::evaluator::{Evaluator, EvaluatorError, Opinion, Opinions, Question};

use crate::endpoint::Endpoint;
use crate::unanswered::Unanswered;

/// The longest reason that is kept, in characters.
const REASON_CHARS: usize = 200;

/// Posts the question as JSON and reads `{"opinions":[{"reply","decision","confidence","reason"}],
/// "usage":{"input","output"}}`.
///
/// The question is `{"session","held":[{"reply","messages":[…],"parts":[…],"effects"}],"newer":[{"id","text","edits"}]}`.
/// A decision is `RELEASE_FIRST`, `CANCEL_FIRST` or `MERGE`, a confidence 0 to 1. Replies without an opinion count as
/// unsure. `usage` counts a model's tokens where the address knows them. An answer that cannot be read, or 204, is a
/// failure.
pub(crate) struct HttpEvaluator {
    endpoint: Endpoint,
}

impl HttpEvaluator {
    pub(crate) fn new(endpoint: Endpoint) -> Self {
        Self { endpoint }
    }
}

#[async_trait]
impl Evaluator for HttpEvaluator {
    async fn judge(&self, question: &Question) -> Result<Opinions, EvaluatorError> {
        let newest = question
            .newer
            .last()
            .map(|message| message.id.to_string())
            .unwrap_or_default();
        let id = format!("{}:{newest}", question.session);
        let answer = self
            .endpoint
            .ask::<Opinions>(&id, question)
            .await
            .map_err(EvaluatorError::from)?;
        let Opinions { opinions, usage } = answer.ok_or(Unanswered::Unreadable)?;
        if opinions
            .iter()
            .any(|opinion| !(0.0..=1.0).contains(&opinion.confidence))
        {
            return Err(EvaluatorError {
                code: "confidence_out_of_range".to_owned(),
                usage,
                source: None,
            });
        }
        let asked =
            |opinion: &Opinion| question.held.iter().any(|held| held.reply == opinion.reply);
        let opinions = opinions.into_iter().filter(asked).map(printable);
        Ok(Opinions {
            opinions: opinions.collect(),
            usage,
        })
    }

    fn name(&self) -> &'static str {
        "http"
    }
}

fn printable(mut opinion: Opinion) -> Opinion {
    opinion.reason = opinion
        .reason
        .chars()
        .filter(|c| !c.is_control())
        .take(REASON_CHARS)
        .collect();
    opinion
}
