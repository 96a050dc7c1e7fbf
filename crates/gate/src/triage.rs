//! The rules evaluator: whether a held reply is still right after newer messages, judged by phrases in English, Portuguese and Spanish. It never
//! calls anything, never learns, and prefers to say "unsure" over a decision that harms.

mod likeness;
pub mod pattern;
pub mod reading;
mod reason;
mod reversal;
mod rules;

use serde::{Deserialize, Serialize};

pub use crate::status::Decision;
pub use pattern::Topic;
pub use reason::Reason;

use crate::control::ControlCommands;
use crate::debounce;
use crate::text::Languages;
use reading::Reading;

/// Below this a verdict means "unsure".
pub const SURE: f32 = 0.55;

/// A held reply's cause and what came after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair<'a> {
    /// The customer's text whose reply is held; several messages are separated by line breaks.
    pub held: &'a str,
    /// The messages that came since, oldest first.
    pub newer: &'a [&'a str],
}

/// What should become of the held reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The decision.
    pub decision: Decision,
    /// From 0 to 1; below [`SURE`] the rules do not know.
    pub confidence: f32,
    /// The rule that decided.
    pub reason: Reason,
    /// The kinds of phrases found in the newer messages, for the console's explanation.
    pub features: Vec<Topic>,
}

/// Judges a held reply against the newer messages: each on its own and all together, because a burst may hold one harmless question and
/// one correction. The strongest finding against the reply wins; an unsure message makes a release unsure.
#[must_use]
pub fn judge(pair: &Pair<'_>, languages: &Languages) -> Verdict {
    let phrases = languages.phrases();
    let held = Cause {
        reading: Reading::new(pair.held, phrases),
        hangs: hangs(pair.held, languages),
    };
    let whole = pair.newer.join("\n");
    let mut verdicts: Vec<Verdict> = Vec::new();
    for text in pair.newer {
        let after_question = verdicts
            .last()
            .is_some_and(|previous| previous.reason == Reason::NewQuestion);
        let verdict = judge_one(&held, text, languages);
        // "And do you deliver? - never mind": what is withdrawn is the question in between.
        let unrelated = after_question
            && matches!(
                verdict.reason,
                Reason::Withdrawn | Reason::Stopped | Reason::Refused
            );
        verdicts.push(if unrelated {
            Verdict {
                decision: Decision::ReleaseFirst,
                confidence: 0.5,
                ..verdict
            }
        } else {
            verdict
        });
    }
    if pair.newer.len() > 1
        && !verdicts
            .iter()
            .any(|verdict| verdict.reason == Reason::NewQuestion)
    {
        verdicts.push(judge_one(&held, &whole, languages));
    }
    strongest(verdicts).unwrap_or(Verdict {
        decision: Decision::ReleaseFirst,
        confidence: 1.0,
        reason: Reason::NothingNewer,
        features: Vec::new(),
    })
}

/// The held reply's cause, and whether its text breaks off.
struct Cause {
    reading: Reading,
    hangs: bool,
}

fn hangs(text: &str, languages: &Languages) -> bool {
    let last = text.lines().next_back().unwrap_or_default();
    let signal = debounce::classify(
        debounce::Sample::text(last),
        &ControlCommands::default(),
        languages,
    );
    signal == debounce::Signal::Dangling
}

fn judge_one(held: &Cause, text: &str, languages: &Languages) -> Verdict {
    let newer = Reading::new(text, languages.phrases());
    let (decision, confidence, reason) = match rules::decide(&held.reading, &newer, text, languages)
    {
        (_, _, Reason::Unsure) if held.hangs => (Decision::Merge, 0.7, Reason::Continued),
        outcome => outcome,
    };
    let features = Topic::ALL
        .iter()
        .copied()
        .filter(|topic| is_telling(*topic) && languages.phrases().has(*topic, &newer))
        .collect();
    Verdict {
        decision,
        confidence,
        reason,
        features,
    }
}

fn is_telling(topic: Topic) -> bool {
    !matches!(topic, Topic::Soft | Topic::Hollow | Topic::Lead)
}

fn strongest(verdicts: Vec<Verdict>) -> Option<Verdict> {
    let weight = |verdict: &Verdict| match verdict.decision {
        Decision::CancelFirst if verdict.confidence >= SURE => 3,
        Decision::Merge if verdict.confidence >= SURE => 2,
        _ if verdict.confidence < SURE => 1,
        _ => 0,
    };
    verdicts.into_iter().max_by_key(weight)
}
