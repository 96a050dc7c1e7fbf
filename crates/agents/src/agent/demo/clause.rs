//! A piece of a message between two marks, in words. Must never look at anything but its own text.

use replygate_gate::text::fold;
use replygate_gate::text::words::{Word, words};

/// How far before a verb its negation may stand, in words: "no need to cancel".
const NEGATION_REACH: usize = 3;

const NEGATIONS: [&str; 12] = [
    "dont", "not", "never", "didnt", "no", "nao", "nunca", "nem", "ni", "sin", "sem", "without",
];

/// One clause.
#[derive(Debug)]
pub(super) struct Clause<'a> {
    text: &'a str,
    words: Vec<Word>,
    /// The words without accents and apostrophes.
    loose: Vec<String>,
    /// Whether it ends with a question mark.
    pub asks: bool,
}

impl<'a> Clause<'a> {
    /// The clauses of a text, cut at commas and at the ends of sentences.
    pub(super) fn all(text: &'a str) -> Vec<Self> {
        Self::cut(text, |c| matches!(c, ',' | ':' | ';'))
    }

    /// The sentences of a text as one clause each: an address has commas.
    pub(super) fn sentences(text: &'a str) -> Vec<Self> {
        Self::cut(text, |_| false)
    }

    /// Cuts where a sentence ends and, before a blank or the end, where `pauses` says so.
    fn cut(text: &'a str, pauses: impl Fn(char) -> bool) -> Vec<Self> {
        let mut clauses = Vec::new();
        let mut start = 0;
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let last = chars.peek().is_none_or(|(_, next)| next.is_whitespace());
            if matches!(c, '\n' | '?' | '!' | '¿' | '¡')
                || (last && (matches!(c, '.' | '…') || pauses(c)))
            {
                clauses.push(Self::new(&text[start..at], c == '?'));
                start = at + c.len_utf8();
            }
        }
        clauses.push(Self::new(&text[start..], false));
        clauses.retain(|clause| !clause.words.is_empty());
        clauses
    }

    fn new(text: &'a str, asks: bool) -> Self {
        let words = words(text);
        let loose = words.iter().map(|word| fold::loose(&word.folded)).collect();
        Self {
            text,
            words,
            loose,
            asks,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.loose.len()
    }

    pub(super) fn word(&self, at: usize) -> &str {
        self.loose.get(at).map_or("", String::as_str)
    }

    /// Whether one of the phrases is in it. A phrase is one or more words; `*` at the end of a word stands for any end.
    pub(super) fn has(&self, phrases: &[&str]) -> bool {
        self.find(phrases).is_some()
    }

    /// Where the first of the phrases that is in it begins and ends, in words.
    pub(super) fn find(&self, phrases: &[&str]) -> Option<(usize, usize)> {
        phrases
            .iter()
            .filter_map(|phrase| self.find_one(phrase))
            .min()
    }

    fn find_one(&self, phrase: &str) -> Option<(usize, usize)> {
        let length = phrase.split(' ').count();
        let fits = |start: &usize| {
            phrase
                .split(' ')
                .zip(&self.loose[*start..])
                .all(|(want, word)| matches(want, word))
        };
        let last = self.loose.len().checked_sub(length)?;
        (0..=last).find(fits).map(|start| (start, start + length))
    }

    /// Whether a negation stands right before the word at `at`.
    pub(super) fn is_negated(&self, at: usize) -> bool {
        self.loose[at.saturating_sub(NEGATION_REACH)..at]
            .iter()
            .any(|word| NEGATIONS.contains(&word.as_str()))
    }

    /// The original text from the word `from` to before the word `to`, in one line.
    pub(super) fn slice(&self, from: usize, to: usize) -> String {
        let Some(last) = to
            .checked_sub(1)
            .filter(|last| *last >= from)
            .and_then(|last| self.words.get(last))
        else {
            return String::new();
        };
        let text = &self.text[self.words[from].start..last.end];
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

fn matches(want: &str, word: &str) -> bool {
    match want.strip_suffix('*') {
        Some(start) => word.starts_with(start),
        None => word == want,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        Clause::all(text)
            .iter()
            .map(|clause| clause.slice(0, clause.len()))
            .collect()
    }

    #[test]
    fn a_text_is_cut_at_its_marks_and_not_inside_a_number() {
        assert_eq!(
            texts("Actually don't cancel it, I just received it"),
            ["Actually don't cancel it", "I just received it"]
        );
        assert_eq!(
            texts("Uma Coca de 2.5L\ne batata!"),
            ["Uma Coca de 2.5L", "e batata"]
        );
        assert_eq!(texts("?!"), Vec::<String>::new());
    }

    #[test]
    fn phrases_are_found_without_accents_and_by_their_start() {
        let clauses = Clause::all("Não quero cancelar");
        assert_eq!(clauses[0].find(&["cancel*"]), Some((2, 3)));
        assert!(clauses[0].has(&["nao quero"]) && !clauses[0].has(&["quero nao", "cancel"]));
        assert!(clauses[0].is_negated(2));
    }
}
