//! What is left of a text, taken piece by piece. Must never take half a number or half a word.

use super::super::zone::Zone;

/// Words between the pieces of a date.
const JOINTS: &[&str] = &[
    "de", "of", "at", "on", "a", "las", "la", "às", "as", "em", "el", "dia", "día", "the",
];

/// What is left to read.
pub(super) struct Pieces<'a> {
    pub(super) rest: &'a str,
}

impl<'a> Pieces<'a> {
    pub(super) fn skip(&mut self, signs: &[char]) {
        self.rest = self.rest.trim_start_matches(signs);
    }

    /// Takes between `least` and `most` digits, and not a part of more.
    pub(super) fn digits(&mut self, least: usize, most: usize) -> Option<&'a str> {
        let count = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        if !(least..=most).contains(&count) {
            return None;
        }
        Some(self.take(count))
    }

    pub(super) fn take(&mut self, count: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(count);
        self.rest = rest;
        taken
    }

    pub(super) fn sign(&mut self, signs: &[char]) -> Option<char> {
        let sign = self.rest.chars().next().filter(|c| signs.contains(c))?;
        self.rest = &self.rest[sign.len_utf8()..];
        Some(sign)
    }

    /// The next word of letters, without taking it.
    pub(super) fn word(&self) -> &'a str {
        let end = self
            .rest
            .find(|c: char| !c.is_alphabetic())
            .unwrap_or(self.rest.len());
        &self.rest[..end]
    }

    /// Takes blanks, commas and words that only join.
    pub(super) fn joints(&mut self) {
        loop {
            self.skip(&[' ', ',', '\t']);
            let word = self.word();
            let is_t = word == "t" && self.rest[1..].starts_with(|c: char| c.is_ascii_digit());
            if !is_t && !JOINTS.contains(&word) {
                return;
            }
            // "a.m." is no joint.
            if word == "a" && self.rest[1..].starts_with('.') {
                return;
            }
            self.rest = &self.rest[word.len()..];
        }
    }

    pub(super) fn tried<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.rest;
        let found = read(self);
        if found.is_none() {
            self.rest = before;
        }
        found
    }

    /// The zone that is written behind the time: none, one, or something else.
    #[expect(
        clippy::option_option,
        reason = "no zone and no reading are two answers"
    )]
    pub(super) fn zone(&mut self) -> Option<Option<Zone>> {
        let rest = self
            .rest
            .trim()
            .trim_start_matches('(')
            .trim_end_matches(')');
        if rest.is_empty() {
            return Some(None);
        }
        match Zone::named(rest) {
            Zone::Unnamed(_) => None,
            known @ Zone::Known(_) => Some(Some(known)),
        }
    }
}
