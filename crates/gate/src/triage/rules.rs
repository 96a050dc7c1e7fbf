//! The rules in their order: the first that applies decides. It never lets a single word decide where its negation says the opposite.

use super::Decision;
use super::likeness::{is_kin, is_same};
use super::pattern::{Found, Phrasebook, Topic};
use super::reading::Reading;
use super::reason::Reason;
use crate::text::{Languages, chars};

/// A decision with its confidence and the rule behind it.
pub(super) type Outcome = (Decision, f32, Reason);

/// Two messages and the words to read them with.
pub(super) struct Case<'a> {
    pub held: &'a Reading,
    pub newer: &'a Reading,
    pub phrases: &'a Phrasebook,
    pub languages: &'a Languages,
    /// The held message gives an order or a statement rather than asking.
    pub ordered: bool,
    /// The newer message asks.
    pub asks: bool,
}

/// The decision for one newer message.
pub(super) fn decide(
    held: &Reading,
    newer: &Reading,
    text: &str,
    languages: &Languages,
) -> Outcome {
    if newer.words.is_empty() {
        return wordless(text);
    }
    let phrases = languages.phrases();
    let case = Case {
        held,
        newer,
        phrases,
        languages,
        ordered: is_order(held, phrases),
        asks: is_question(newer, phrases),
    };
    case.repeats()
        .or_else(|| case.reverses())
        .or_else(|| case.takes_back())
        .or_else(|| case.stops())
        .or_else(|| case.is_polite())
        .or_else(|| case.asks_something())
        .or_else(|| case.completes())
        .unwrap_or_else(|| case.rest())
}

fn wordless(text: &str) -> Outcome {
    let kind = text.contains([
        '👍', '🙏', '❤', '😊', '🙂', '😀', '👌', '🤝', '🥰', '😍', '✅', '💙', '💚', '🙌',
    ]);
    let question = text.chars().any(chars::is_cry);
    if kind && !question {
        return (Decision::ReleaseFirst, 0.8, Reason::KindEmoji);
    }
    (Decision::Merge, 0.7, Reason::NoWords)
}

/// A question that is no request: "is there", "how much", or anything with a question mark that does not open with "can you".
fn is_question(text: &Reading, phrases: &Phrasebook) -> bool {
    !phrases.opens(Topic::Request, text) && (text.marked || phrases.opens(Topic::Question, text))
}

fn is_order(text: &Reading, phrases: &Phrasebook) -> bool {
    !is_question(text, phrases)
}

impl Case<'_> {
    pub(super) fn newer_has(&self, topic: Topic) -> bool {
        self.phrases.has(topic, self.newer)
    }

    pub(super) fn newer_opens(&self, topic: Topic) -> bool {
        self.phrases.opens(topic, self.newer)
    }

    fn newer_is(&self, topics: &[Topic]) -> bool {
        self.phrases.covers(topics, self.newer)
    }

    fn repeats(&self) -> Option<Outcome> {
        if self.newer.starred {
            return Some((Decision::Merge, 0.85, Reason::Starred));
        }
        if is_same(self.held, self.newer, self.phrases) {
            return Some((Decision::Merge, 0.95, Reason::Repeated));
        }
        let condition = [0, self.newer.start]
            .into_iter()
            .find_map(|at| self.phrases.at(Topic::Condition, self.newer, at));
        let conditional = condition.is_some_and(|found| !self.newer.ends_clause(found.end));
        (conditional && self.ordered && !self.newer.marked).then_some((
            Decision::Merge,
            0.7,
            Reason::Condition,
        ))
    }

    /// Withdrawals, and the pleas and reassurances that only look like them.
    fn takes_back(&self) -> Option<Outcome> {
        let withdrawals = self.phrases.all(Topic::Withdraw, self.newer);
        let negated = |found: &Found| self.newer.is_negated(self.phrases, found.start, found.end);
        if self.newer_has(Topic::Plea)
            || (!withdrawals.is_empty() && withdrawals.iter().all(negated))
        {
            return Some((Decision::ReleaseFirst, 0.8, Reason::Plea));
        }
        if self.newer_has(Topic::Curious) {
            let sure = if self.ordered { 0.5 } else { 0.85 };
            return Some((Decision::ReleaseFirst, sure, Reason::Curious));
        }
        let questioned = self.newer.marked && self.asks;
        if !withdrawals.is_empty() && !questioned {
            return Some((Decision::CancelFirst, 0.9, Reason::Withdrawn));
        }
        if self.newer_has(Topic::Patience) {
            return Some((Decision::ReleaseFirst, 0.85, Reason::Patience));
        }
        (self.newer_has(Topic::Resolved) && !self.newer.marked).then_some((
            Decision::CancelFirst,
            0.8,
            Reason::Resolved,
        ))
    }

    /// Bare stop, wait and no, and the wish for a person.
    fn stops(&self) -> Option<Outcome> {
        let polite = [Topic::Thanks, Topic::Lead, Topic::Hollow];
        let only = |topic: Topic| {
            self.newer_is(&[
                topic,
                Topic::Halt,
                Topic::Wait,
                Topic::Refuse,
                polite[0],
                polite[1],
                polite[2],
            ])
        };
        let marked = self.newer.marked;
        if only(Topic::Halt) && !marked {
            return Some((
                Decision::CancelFirst,
                if self.ordered { 0.9 } else { 0.6 },
                Reason::Stopped,
            ));
        }
        if only(Topic::Wait) && !marked {
            return Some(if self.ordered {
                (Decision::CancelFirst, 0.85, Reason::Stopped)
            } else {
                (Decision::ReleaseFirst, 0.45, Reason::Waiting)
            });
        }
        if only(Topic::Refuse) && !marked {
            return Some(if self.ordered {
                (Decision::CancelFirst, 0.8, Reason::Refused)
            } else {
                (Decision::ReleaseFirst, 0.45, Reason::Refused)
            });
        }
        if self.newer_opens(Topic::Refuse) && self.newer_has(Topic::Thanks) && !marked {
            return Some((Decision::CancelFirst, 0.75, Reason::Refused));
        }
        (self.newer_has(Topic::Human) && !self.phrases.has(Topic::Human, self.held)).then_some((
            Decision::CancelFirst,
            0.75,
            Reason::Human,
        ))
    }

    fn is_polite(&self) -> Option<Outcome> {
        if self.newer_has(Topic::Tongue) {
            return Some((Decision::Merge, 0.8, Reason::OtherLanguage));
        }
        if self.newer_is(&[Topic::Nudge, Topic::Thanks, Topic::Lead]) {
            return Some((Decision::Merge, 0.7, Reason::Nudge));
        }
        if self.newer_is(&[Topic::Thanks, Topic::Lead, Topic::Affirm]) {
            return Some((Decision::ReleaseFirst, 0.9, Reason::Courtesy));
        }
        if self.newer_is(&[Topic::Hesitant, Topic::Lead]) {
            return Some((Decision::ReleaseFirst, 0.4, Reason::Hesitant));
        }
        self.newer_has(Topic::Subject).then_some((
            Decision::ReleaseFirst,
            0.85,
            Reason::OtherSubject,
        ))
    }

    fn asks_something(&self) -> Option<Outcome> {
        if !self.asks {
            return None;
        }
        let corrects = self.newer_has(Topic::Correct) || self.newer_opens(Topic::Except);
        if self.newer_has(Topic::Outcome) && !corrects {
            return Some((Decision::ReleaseFirst, 0.85, Reason::AboutAnswer));
        }
        if corrects {
            return Some((Decision::Merge, 0.65, Reason::Corrected));
        }
        if self.ordered
            && self.newer_opens(Topic::Add)
            && !self.has_predicate()
            && self.newer.words.len() <= 8
        {
            return Some((Decision::Merge, 0.6, Reason::Added));
        }
        Some((Decision::ReleaseFirst, 0.78, Reason::NewQuestion))
    }

    /// True if the newer message has a verb of its own, by the lists: then "and …?" is a question, not an addition.
    fn has_predicate(&self) -> bool {
        self.newer_opens(Topic::Question) || self.newer_has(Topic::Act)
    }

    /// Corrections, exceptions, additions and details.
    fn completes(&self) -> Option<Outcome> {
        let corrects = self.newer_has(Topic::Correct) && self.newer.words.len() > 1;
        if corrects && !self.concerns_another_order() {
            return Some((Decision::Merge, 0.8, Reason::Corrected));
        }
        if self.newer_has(Topic::Except) {
            return Some((Decision::Merge, 0.8, Reason::Narrowed));
        }
        let request = self.newer_opens(Topic::Request) || self.commands();
        if self.newer_opens(Topic::Add)
            || (self.newer_has(Topic::Add) && self.newer.words.len() <= 8)
        {
            return Some((
                Decision::Merge,
                if self.ordered { 0.85 } else { 0.6 },
                Reason::Added,
            ));
        }
        if self.newer_opens(Topic::Explain) {
            return Some((Decision::Merge, 0.7, Reason::Explained));
        }
        if self.echoes() {
            return Some((Decision::Merge, 0.65, Reason::Affirmed));
        }
        if request {
            return Some(self.another_request());
        }
        if self.newer_opens(Topic::Detail)
            || self.newer_opens(Topic::Refuse)
            || self
                .newer
                .words
                .iter()
                .any(|word| word.chars().any(char::is_numeric))
        {
            return Some((Decision::Merge, 0.7, Reason::Detail));
        }
        None
    }

    /// True if a clause of the newer message begins with an order. "to the new email" contains none, though "email" can be one.
    fn commands(&self) -> bool {
        let verbs = [Topic::Act, Topic::Destroy]
            .into_iter()
            .flat_map(|topic| self.phrases.all(topic, self.newer));
        verbs.into_iter().any(|verb| {
            let first = (0..=verb.start)
                .rev()
                .find(|at| self.newer.ends_clause(*at))
                .unwrap_or(0);
            self.only(
                &[Topic::Lead, Topic::Affirm, Topic::Hesitant, Topic::Thanks],
                self.newer,
                first,
                verb.start,
            )
        })
    }

    /// True if a question is held and the newer message gives an order that names nothing of it: what that corrects was said earlier.
    fn concerns_another_order(&self) -> bool {
        !self.ordered && self.commands() && !self.shares_content()
    }

    fn shares_content(&self) -> bool {
        (0..self.newer.words.len())
            .filter(|at| !self.is_hollow(*at))
            .any(|at| {
                self.held
                    .words
                    .iter()
                    .any(|word| is_kin(word, &self.newer.words[at]))
            })
    }

    fn another_request(&self) -> Outcome {
        let shares_verb = self.phrases.all(Topic::Act, self.newer).iter().any(|act| {
            self.phrases
                .all(Topic::Act, self.held)
                .iter()
                .any(|other| other.phrase == act.phrase)
        });
        if shares_verb && self.ordered {
            return (Decision::Merge, 0.65, Reason::SameVerb);
        }
        (Decision::ReleaseFirst, 0.65, Reason::NewRequest)
    }

    /// True if most of what the newer message names was named before.
    fn echoes(&self) -> bool {
        let content: Vec<usize> = (0..self.newer.words.len())
            .filter(|at| !self.is_hollow(*at))
            .collect();
        let known = content
            .iter()
            .filter(|at| {
                self.held
                    .words
                    .iter()
                    .any(|word| is_kin(word, &self.newer.words[**at]))
            })
            .count();
        let agrees = self.newer_has(Topic::Affirm);
        self.ordered
            && ((!content.is_empty() && known * 2 > content.len())
                || (agrees && known == content.len()))
    }

    fn rest(&self) -> Outcome {
        if self.newer.words.len() <= 6 {
            return (Decision::Merge, 0.58, Reason::Detail);
        }
        (Decision::ReleaseFirst, 0.5, Reason::Unsure)
    }
}
