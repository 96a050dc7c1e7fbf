//! Judges by the phrases that the domain knows. Must never call anything.

use async_trait::async_trait;
use replygate_gate::Decision;
use replygate_gate::text::Languages;
use replygate_gate::triage::{Pair, judge};
use replygate_ports::evaluator::{
    Evaluator, EvaluatorError, Held, Newer, Opinion, Opinions, Question,
};

/// The rules, each reply on its own. A correction by the channel's own edit function needs no rule: the reply answers a
/// text that is no longer there, so both are answered anew.
pub(crate) struct RulesEvaluator;

#[async_trait]
impl Evaluator for RulesEvaluator {
    async fn judge(&self, question: &Question) -> Result<Opinions, EvaluatorError> {
        Ok(question
            .held
            .iter()
            .map(|held| opinion(held, &question.newer))
            .collect())
    }

    fn name(&self) -> &'static str {
        "rules"
    }
}

fn opinion(held: &Held, newer: &[Newer]) -> Opinion {
    if newer
        .iter()
        .any(|message| message.edits == Some(held.reply))
    {
        let reason = "a message that it answers was edited".to_owned();
        return Opinion {
            reply: held.reply,
            decision: Decision::Merge,
            confidence: 1.0,
            reason,
            by: None,
        };
    }
    // What corrects another reply's message says nothing about this one.
    let texts: Vec<&str> = newer
        .iter()
        .filter(|message| message.edits.is_none())
        .map(|message| message.text.as_str())
        .collect();
    let before = held.messages.join("\n");
    let verdict = judge(
        &Pair {
            held: &before,
            newer: &texts,
        },
        Languages::all(),
    );
    Opinion {
        reply: held.reply,
        decision: verdict.decision,
        confidence: verdict.confidence,
        reason: verdict.reason.as_str().to_owned(),
        by: None,
    }
}
