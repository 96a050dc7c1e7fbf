//! The rules in their order: the first that applies decides. It never lets a single word decide where its negation says the opposite.

use serde::{Deserialize, Serialize};

use super::Decision;
use super::likeness::{is_kin, is_same};
use super::pattern::{Found, Phrasebook, Topic};
use super::reading::Reading;
use crate::text::languages::Role;
use crate::text::{Languages, chars};

macro_rules! reasons {
    ($($(#[$doc:meta])* $variant:ident = $phrase:literal),+ $(,)?) => {
        /// The rule that decided a verdict.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Reason { $($(#[$doc])* $variant),+ }

        impl Reason {
            /// The reason as a short stable English phrase.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $phrase),+ }
            }
        }
    };
}

reasons! {
    /// No newer message was given.
    NothingNewer = "nothing newer",
    /// The newer message has no words.
    NoWords = "no words, only a sign of life",
    /// Only an emoji of thanks or agreement.
    KindEmoji = "only a friendly emoji",
    /// It begins or ends with an asterisk.
    Starred = "a correction marked with an asterisk",
    /// The same text again.
    Repeated = "the same message again",
    /// It states a condition of the request.
    Condition = "a condition of the same request",
    /// It asks for the opposite.
    Reversed = "asks for the opposite",
    /// It undoes the request.
    Undone = "undoes the request",
    /// It changes a part of the request.
    PartChanged = "changes a part of the request",
    /// It begs for the answer.
    Plea = "begs for the answer",
    /// It only wants to know.
    Curious = "only wants to know",
    /// There is no hurry.
    Patience = "says there is no hurry",
    /// It takes the request back.
    Withdrawn = "takes the request back",
    /// The matter is over.
    Resolved = "the matter is over",
    /// It refuses.
    Refused = "refuses",
    /// It says stop or wait after an order.
    Stopped = "stop or wait after an order",
    /// It says wait after a question.
    Waiting = "asks to wait",
    /// It asks for a person.
    Human = "asks for a person",
    /// It changes the subject.
    OtherSubject = "changes the subject",
    /// It asks for another language.
    OtherLanguage = "asks for another language",
    /// Thanks or courtesy.
    Courtesy = "thanks or courtesy",
    /// A sign of life.
    Nudge = "asks for a sign of life",
    /// It points at the answer.
    AboutAnswer = "asks about the answer or the outcome",
    /// Another question.
    NewQuestion = "another question",
    /// It corrects a detail.
    Corrected = "corrects a detail",
    /// It makes an exception.
    Narrowed = "narrows the request",
    /// It adds to the request.
    Added = "adds to the request",
    /// It explains the request.
    Explained = "explains the request",
    /// It gives a detail.
    Detail = "gives a detail",
    /// Another request.
    NewRequest = "another request",
    /// The same kind of request again.
    SameVerb = "the same kind of request again",
    /// It announces something that is still to come.
    Hesitant = "announces something still to come",
    /// It says the same in other words.
    Affirmed = "says the same in other words",
    /// No rule applies.
    Unsure = "no rule applies",
}

type Outcome = (Decision, f32, Reason);

/// Two messages and the words to read them with.
struct Case<'a> {
    held: &'a Reading,
    newer: &'a Reading,
    phrases: &'a Phrasebook,
    languages: &'a Languages,
    /// The held message gives an order or a statement rather than asking.
    ordered: bool,
    /// The newer message asks.
    asks: bool,
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
    fn newer_has(&self, topic: Topic) -> bool {
        self.phrases.has(topic, self.newer)
    }

    fn newer_opens(&self, topic: Topic) -> bool {
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

    /// Whether one of the messages asks for the opposite of the other.
    fn reverses(&self) -> Option<Outcome> {
        if self.asks || self.newer_opens(Topic::Except) || self.newer_opens(Topic::Explain) {
            return None;
        }
        if self.newer_has(Topic::Curious) && !self.ordered {
            return None;
        }
        self.flips_destruction().or_else(|| self.flips_act())
    }

    fn flips_destruction(&self) -> Option<Outcome> {
        let (found, destroys) = *self.destructions(self.newer).last()?;
        let before = self.destructions(self.held);
        let Some((_, destroyed)) = before.last() else {
            return destroys.then(|| self.undoes(found)).flatten();
        };
        if *destroyed == destroys || !self.ordered {
            return None;
        }
        Some(self.whole_or_part(found, Reason::Reversed))
    }

    /// "cancel it" after an order that was not about cancelling.
    fn undoes(&self, found: Found) -> Option<Outcome> {
        if !self.ordered {
            return (!self.brings_new(found.end, self.newer.clause_end(found.end - 1)))
                .then_some((Decision::CancelFirst, 0.6, Reason::Undone));
        }
        Some(self.whole_or_part(found, Reason::Undone))
    }

    fn flips_act(&self) -> Option<Outcome> {
        if !self.ordered {
            return None;
        }
        for act in self.phrases.all(Topic::Act, self.newer) {
            let negated = self.newer.is_negated(self.phrases, act.start, act.end);
            let before = self
                .phrases
                .all(Topic::Act, self.held)
                .into_iter()
                .find(|other| other.phrase == act.phrase);
            let Some(before) = before else { continue };
            if self.held.is_negated(self.phrases, before.start, before.end) != negated {
                return Some(self.whole_or_part(act, Reason::Reversed));
            }
        }
        None
    }

    /// Nothing of the request survives when the verb's object is the same or a pronoun; with another object only a part changes.
    fn whole_or_part(&self, found: Found, reason: Reason) -> Outcome {
        let end = self.newer.clause_end(found.end - 1);
        if self.brings_new(found.end, end) {
            return (Decision::Merge, 0.7, Reason::PartChanged);
        }
        (Decision::CancelFirst, 0.88, reason)
    }

    /// Destructive verbs of a message, each with whether it is wanted. Keeping is not destroying; "cancelled" is a state, not an order.
    fn destructions(&self, text: &Reading) -> Vec<(Found, bool)> {
        let mut all: Vec<(Found, bool)> = Vec::new();
        for found in self.phrases.all(Topic::Destroy, text) {
            if !is_participle(&text.words[found.end - 1]) {
                all.push((
                    found,
                    !text.is_negated(self.phrases, found.start, found.end),
                ));
            }
        }
        for found in self.phrases.all(Topic::Keep, text) {
            all.push((found, text.is_negated(self.phrases, found.start, found.end)));
        }
        all.sort_by_key(|(found, _)| found.start);
        all
    }

    /// True if the words from `start` to `end` of the newer message name something that the held one does not.
    fn brings_new(&self, start: usize, end: usize) -> bool {
        (start..end).any(|at| {
            !self.is_hollow(at)
                && !self
                    .held
                    .words
                    .iter()
                    .any(|word| is_kin(word, &self.newer.words[at]))
        })
    }

    fn is_hollow(&self, at: usize) -> bool {
        let word = &self.newer.exact[at];
        [Role::Function, Role::Dangling, Role::Stranded]
            .into_iter()
            .any(|role| self.languages.has(word, role))
            || [Topic::Hollow, Topic::Thanks, Topic::Negator, Topic::Soft]
                .into_iter()
                .any(|topic| self.phrases.at(topic, self.newer, at).is_some())
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
        if !withdrawals.is_empty() && !(self.newer.marked && self.asks) {
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
        if corrects {
            return Some((Decision::Merge, 0.8, Reason::Corrected));
        }
        if self.newer_has(Topic::Except) {
            return Some((Decision::Merge, 0.8, Reason::Narrowed));
        }
        let request = self.newer_opens(Topic::Request)
            || self.newer_has(Topic::Act)
            || self.newer_has(Topic::Destroy);
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

fn is_participle(word: &str) -> bool {
    [
        "lled", "eled", "eted", "oved", "ado", "ada", "ados", "adas", "ido", "ida", "idos", "idas",
    ]
    .iter()
    .any(|ending| word.ends_with(ending))
}
