//! Judges by the phrases that the domain knows. Must never call anything.

use std::borrow::Cow;

use async_trait::async_trait;
use replygate_gate::Decision;
use replygate_gate::text::Languages;
use replygate_gate::triage::{Pair, Reason, judge};
use replygate_ports::evaluator::{
    Evaluator, EvaluatorError, Held, Newer, Opinion, Opinions, Question,
};

use super::edited;
use super::suspicion::plain_part;

/// The name under which the rules' opinions are stored, whoever asked them.
pub(super) const NAME: &str = "rules";

/// The rules, each reply on its own.
pub(crate) struct RulesEvaluator;

#[async_trait]
impl Evaluator for RulesEvaluator {
    async fn judge(&self, question: &Question) -> Result<Opinions, EvaluatorError> {
        let opinion = |held| opinion(held, &question.newer);
        Ok(question.held.iter().map(opinion).collect())
    }

    fn name(&self) -> &'static str {
        NAME
    }
}

/// What the rules think of one reply.
pub(super) fn opinion(held: &Held, newer: &[Newer]) -> Opinion {
    if let Some(opinion) = edited(held, newer) {
        return opinion;
    }
    // What corrects another reply's message says nothing about this one.
    let own = newer.iter().filter(|message| message.edits.is_none());
    let own: Vec<&str> = own.map(|message| message.text.as_str()).collect();
    let plain: Vec<Cow<'_, str>> = own.iter().map(|text| plain_part(text)).collect();
    let plain: Vec<&str> = plain.iter().map(AsRef::as_ref).collect();
    if says_something(&own) && !says_something(&plain) {
        return unsure(held);
    }
    let before: Vec<Cow<'_, str>> = held.messages.iter().map(|text| plain_part(text)).collect();
    let before = before.join("\n");
    let verdict = judge(
        &Pair {
            held: &before,
            newer: &plain,
        },
        Languages::all(),
    );
    Opinion {
        reply: held.reply,
        decision: verdict.decision,
        confidence: verdict.confidence,
        reason: verdict.reason.as_str().to_owned(),
        by: Some(NAME.to_owned()),
    }
}

fn says_something(texts: &[&str]) -> bool {
    texts.iter().any(|text| !text.trim().is_empty())
}

/// All that came talks to a model: nothing is left to be judged.
fn unsure(held: &Held) -> Opinion {
    Opinion {
        reply: held.reply,
        decision: Decision::ReleaseFirst,
        confidence: 0.0,
        reason: Reason::Unsure.as_str().to_owned(),
        by: Some(NAME.to_owned()),
    }
}
