//! Finds messages that are an opening and nothing else. It never takes a word it does not know for a greeting, except a name beside one.

use crate::text::languages::{Role, Roles};
use crate::text::words::{Word, words};
use crate::text::{Languages, chars, fold};

/// An opening of more words than this is no bare opening.
const MOST_WORDS: usize = 12;
/// The longest greeting of the lists, in words.
const LONGEST_PHRASE: usize = 6;
/// First name, middle name, family name.
const MOST_NAMES: usize = 3;
/// The longest greeting in a script without blanks, in characters.
const LONGEST_UNSPACED: usize = 14;

/// The range of the words, if all of them open a conversation and none states a request.
pub(super) fn alone(text: &str, languages: &Languages) -> Option<(usize, usize)> {
    // The longest greetings take far less; a long text is not cut into words for nothing.
    if text.len() > 400 {
        return None;
    }
    let found = words(text);
    let (first, last) = (found.first()?, found.last()?);
    (found.len() <= MOST_WORDS && is_opening(text, &found, languages))
        .then_some((first.start, last.end))
}

fn is_opening(text: &str, found: &[Word], languages: &Languages) -> bool {
    let squeezed: Vec<String> = found
        .iter()
        .map(|word| fold::squeeze(&word.folded))
        .collect();
    let mut at = 0;
    let mut greeted = false;
    let mut names = 0;
    while at < found.len() {
        if let Some((length, roles)) = phrase_at(&squeezed[at..], languages) {
            greeted |= roles.has(Role::Greeting);
            at += length;
        } else if let Some(roles) = unspaced(&squeezed[at], languages) {
            greeted |= roles.has(Role::Greeting);
            at += 1;
        } else if greeted && names < MOST_NAMES && is_name(text, &found[at], languages) {
            names += 1;
            at += 1;
        } else {
            return false;
        }
    }
    greeted
}

fn phrase_at(squeezed: &[String], languages: &Languages) -> Option<(usize, Roles)> {
    (1..=LONGEST_PHRASE.min(squeezed.len()))
        .rev()
        .find_map(|length| {
            let roles = languages.spoken(&squeezed[..length].join(" "));
            roles.any().then_some((length, roles))
        })
}

/// Greetings of scripts without blanks stand side by side in one word: "你好在吗".
fn unspaced(word: &str, languages: &Languages) -> Option<Roles> {
    if !word.chars().any(chars::is_unspaced) {
        return None;
    }
    let mut rest = word;
    let mut all = Roles::default();
    while !rest.is_empty() {
        let (length, roles) = prefix(rest, languages)?;
        all = all.with(roles);
        rest = &rest[length..];
    }
    Some(all)
}

fn prefix(rest: &str, languages: &Languages) -> Option<(usize, Roles)> {
    let ends = rest
        .char_indices()
        .map(|(at, c)| at + c.len_utf8())
        .take(LONGEST_UNSPACED);
    ends.collect::<Vec<_>>().into_iter().rev().find_map(|end| {
        let roles = languages.spoken(&rest[..end]);
        roles.any().then_some((end, roles))
    })
}

/// A capitalised word that no list knows: "Hello Maria".
fn is_name(text: &str, word: &Word, languages: &Languages) -> bool {
    let mut letters = text[word.start..word.end].chars();
    let capital = letters.next().is_some_and(char::is_uppercase);
    capital && letters.any(char::is_lowercase) && languages.roles(&word.folded).is_none()
}
