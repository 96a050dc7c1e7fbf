//! Cutting a text into words with their places. It never splits inside a script without blanks: "我想改" is one word here.

use super::{chars, fold};

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// First byte in the original text.
    pub start: usize,
    /// One past the last byte in the original text.
    pub end: usize,
    /// The word as [`fold::fold`] gives it.
    pub folded: String,
}

/// The words of `text`, in order. An apostrophe between letters belongs to the word; an apostrophe at the end only after one or more letters ("l'").
#[must_use]
pub fn words(text: &str) -> Vec<Word> {
    let mut found = Vec::new();
    let mut start = None;
    let mut previous_is_letter = false;
    for (at, c) in text.char_indices() {
        let joins = previous_is_letter && chars::is_apostrophe(c);
        if chars::is_word(c) || joins || (start.is_some() && chars::is_invisible(c)) {
            start.get_or_insert(at);
        } else if let Some(from) = start.take() {
            push(&mut found, text, from, at);
        }
        previous_is_letter = chars::is_word(c);
    }
    if let Some(from) = start {
        push(&mut found, text, from, text.len());
    }
    found
}

fn push(found: &mut Vec<Word>, text: &str, start: usize, end: usize) {
    let piece = text[start..end].trim_end_matches(chars::is_invisible);
    let folded = fold::fold(piece);
    if !folded.is_empty() {
        found.push(Word {
            start,
            end: start + piece.len(),
            folded,
        });
    }
}

/// The last part of `text` of at most `limit` bytes, cut at a character border, with its offset.
#[must_use]
pub fn tail(text: &str, limit: usize) -> (usize, &str) {
    let mut from = text.len().saturating_sub(limit);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    (from, &text[from..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> Vec<String> {
        words(text).into_iter().map(|w| w.folded).collect()
    }

    #[test]
    fn words_of_several_scripts_keep_their_signs() {
        assert_eq!(folded("Don’t stop, OK?"), ["don't", "stop", "ok"]);
        assert_eq!(folded("भेज दीजिए।"), ["भेज", "दीजिए"]);
        assert_eq!(folded("我想改，好"), ["我想改", "好"]);
    }

    #[test]
    fn a_tail_starts_at_a_character() {
        assert_eq!(tail("aé", 1), (3, ""));
        assert_eq!(tail("aé", 2), (1, "é"));
    }
}
