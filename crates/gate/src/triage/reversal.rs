//! Finds the newer message that asks for the opposite of the held one. It never takes a noun or a state ("cancelled", "my order") for an order.

use super::Decision;
use super::likeness::is_kin;
use super::pattern::{Found, Topic};
use super::reading::Reading;
use super::reason::Reason;
use super::rules::{Case, Outcome};
use crate::text::languages::Role;

/// Shorter words are orders even with the ending of a participle: "pidas".
const SHORT_ORDER: usize = 5;

impl Case<'_> {
    /// Whether one of the messages asks for the opposite of the other.
    pub(super) fn reverses(&self) -> Option<Outcome> {
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
            return self.undoes(found, destroys);
        };
        if *destroyed == destroys || !self.ordered {
            return None;
        }
        Some(self.whole_or_part(found, Reason::Reversed))
    }

    /// "cancel it" after an order that was not about cancelling, or "leave it as it is" after one that changes something.
    fn undoes(&self, found: Found, destroys: bool) -> Option<Outcome> {
        if self.ordered {
            return Some(self.whole_or_part(found, Reason::Undone));
        }
        let same = !self.brings_new(found.end, self.newer.clause_end(found.end - 1));
        (destroys && same).then_some((Decision::CancelFirst, 0.6, Reason::Undone))
    }

    fn flips_act(&self) -> Option<Outcome> {
        if !self.ordered {
            return None;
        }
        let before = self.orders(self.held);
        for act in self.orders(self.newer) {
            let negated = self.newer.is_negated(self.phrases, act.start, act.end);
            let Some(before) = before.iter().find(|other| other.phrase == act.phrase) else {
                continue;
            };
            if self.held.is_negated(self.phrases, before.start, before.end) != negated {
                return Some(self.whole_or_part(act, Reason::Reversed));
            }
        }
        None
    }

    /// Verbs that are orders: nothing stands before them in their clause but requests, negators and the like. In "my order is late" there is none.
    fn orders(&self, text: &Reading) -> Vec<Found> {
        const BEFORE: [Topic; 9] = [
            Topic::Lead,
            Topic::Thanks,
            Topic::Request,
            Topic::Negator,
            Topic::Soft,
            Topic::Affirm,
            Topic::Hesitant,
            Topic::Refuse,
            Topic::Correct,
        ];
        let mut all = self.phrases.all(Topic::Act, text);
        all.retain(|act| {
            let first = (0..=act.start)
                .rev()
                .find(|at| text.ends_clause(*at))
                .unwrap_or(0);
            !is_no_order(&text.words[act.end - 1]) && self.only(&BEFORE, text, first, act.start)
        });
        all
    }

    /// True if the words from `start` to `end` belong to phrases of these topics.
    pub(super) fn only(&self, topics: &[Topic], text: &Reading, start: usize, end: usize) -> bool {
        let mut at = start;
        while at < end {
            let longest = topics
                .iter()
                .filter_map(|topic| self.phrases.at(*topic, text, at))
                .map(|found| found.end)
                .max();
            let Some(next) = longest else { return false };
            at = next;
        }
        true
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
            if !is_no_order(&text.words[found.end - 1]) {
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

    pub(super) fn is_hollow(&self, at: usize) -> bool {
        let word = &self.newer.exact[at];
        [Role::Function, Role::Dangling, Role::Stranded]
            .into_iter()
            .any(|role| self.languages.has(word, role))
            || [Topic::Hollow, Topic::Thanks, Topic::Negator, Topic::Soft]
                .into_iter()
                .any(|topic| self.phrases.at(topic, self.newer, at).is_some())
    }
}

/// "cancelled" is a state and "cancelamento" a thing; neither is an order.
fn is_no_order(word: &str) -> bool {
    [
        "lled", "eled", "eted", "oved", "ado", "ada", "ados", "adas", "ido", "ida", "idos", "idas",
        "lation", "lations", "lacion", "mento", "mentos",
    ]
    .iter()
    .any(|ending| word.chars().count() > SHORT_ORDER && word.ends_with(ending))
}
