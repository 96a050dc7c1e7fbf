//! A message cut into words and clauses, as the triage rules read it. It never changes meaning: what it drops (accents, apostrophes) people drop too.

use super::pattern::{Phrasebook, Topic};
use crate::text::words::words;
use crate::text::{chars, fold};

/// Longer texts are read up to here, in bytes: a withdrawal stands in a short message.
const LONGEST: usize = 2_000;

/// A message in words.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// The words without accents and apostrophes.
    pub words: Vec<String>,
    /// The words with accents.
    pub exact: Vec<String>,
    /// The first word after such as "ok" and "oh".
    pub start: usize,
    /// It has a question mark.
    pub marked: bool,
    /// It begins or ends with an asterisk, as corrections do in chats.
    pub starred: bool,
    /// For each word: whether a clause begins with it.
    breaks: Vec<bool>,
}

impl Reading {
    /// Reads a message.
    #[must_use]
    pub fn new(text: &str, phrases: &Phrasebook) -> Self {
        let mut limit = text.len().min(LONGEST);
        while !text.is_char_boundary(limit) {
            limit -= 1;
        }
        let text = &text[..limit];
        let found = words(text);
        let mut previous = 0;
        let mut breaks = Vec::with_capacity(found.len());
        for word in &found {
            breaks.push(previous == 0 || text[previous..word.start].contains(ends_clause));
            previous = word.end;
        }
        let trimmed = text.trim();
        let mut reading = Self {
            words: found.iter().map(|word| fold::loose(&word.folded)).collect(),
            exact: found.into_iter().map(|word| word.folded).collect(),
            start: 0,
            marked: text.contains(['?', '？', '؟', '¿', '❓']),
            starred: (trimmed.starts_with('*') != trimmed.ends_with('*'))
                && trimmed.chars().any(chars::is_word),
            breaks,
        };
        while let Some(lead) = phrases.at(Topic::Lead, &reading, reading.start) {
            reading.start = lead.end;
        }
        if reading.start >= reading.words.len() {
            reading.start = 0;
        }
        reading
    }

    /// True if a clause ends before the word at this position, or the message does.
    #[must_use]
    pub fn ends_clause(&self, at: usize) -> bool {
        self.breaks.get(at).copied().unwrap_or(true)
    }

    /// The position after the last word of the clause that the word at `at` stands in.
    #[must_use]
    pub fn clause_end(&self, at: usize) -> usize {
        (at + 1..self.words.len())
            .find(|next| self.breaks[*next])
            .unwrap_or(self.words.len())
    }

    /// True if a negator stands before the words from `start` to `end` in their clause, at most three words away or with only soft words between;
    /// or, as in spoken Portuguese, right behind them at the end of the clause.
    #[must_use]
    pub fn is_negated(&self, phrases: &Phrasebook, start: usize, end: usize) -> bool {
        let behind = self.words.get(end).is_some_and(|word| word == "nao")
            && !self.ends_clause(end)
            && self.ends_clause(end + 1);
        behind || self.is_negated_before(phrases, start)
    }

    fn is_negated_before(&self, phrases: &Phrasebook, start: usize) -> bool {
        let mut at = start;
        let mut distance = 0;
        while at > 0 && !self.breaks[at] {
            at -= 1;
            if phrases.at(Topic::Negator, self, at).is_some() {
                return true;
            }
            if phrases.at(Topic::Soft, self, at).is_none() {
                distance += 1;
            }
            if distance > 2 {
                return false;
            }
        }
        false
    }
}

fn ends_clause(c: char) -> bool {
    chars::is_cry(c)
        || chars::is_full_stop(c)
        || chars::is_ellipsis(c)
        || matches!(
            c,
            '.' | ',' | ';' | ':' | '\n' | '(' | ')' | '—' | '–' | '，' | '、'
        )
}
