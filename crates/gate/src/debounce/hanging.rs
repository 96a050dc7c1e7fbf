//! Decides how a text that is neither command, media nor greeting ends: by its last mark, or by its last words. It never reads further back than
//! a few hundred bytes, so that the cost does not grow with the text.

use super::ending::{self, Ending};
use super::{Finding, Rule, Signal, links};
use crate::text::languages::{Role, Roles};
use crate::text::words::{Word, tail, words};
use crate::text::{Languages, chars};

/// How far back words are read for evidence of the language, in bytes.
const REACH: usize = 600;
/// The longest phrase of the lists that decides an ending, in words.
const LONGEST_PHRASE: usize = 4;
/// The longest ending of the lists in a script without blanks, in characters.
const LONGEST_SUFFIX: usize = 8;

/// The signal of a text by its end.
pub(super) fn finish(text: &str, languages: &Languages) -> Finding {
    let end = ending::read(text);
    let kept = &text[..end.end];
    let Some(last) = kept.chars().next_back() else {
        return Finding::new(Signal::Neutral, Rule::NoWords, (0, 0));
    };
    let (offset, near) = tail(kept, REACH);
    let finding = elision(near, &text[end.end..], languages)
        .or_else(|| by_mark(near, last, languages))
        .or_else(|| {
            ending::unclosed(near).map(|at| Finding::new(Signal::Dangling, Rule::OpenBracket, at))
        })
        .unwrap_or_else(|| by_words(near, end, languages));
    Finding {
        matched: (finding.matched.0 + offset, finding.matched.1 + offset),
        ..finding
    }
}

/// An apostrophe at the end is passed over as a quote, but "l'" waits for its noun.
fn elision(near: &str, passed: &str, languages: &Languages) -> Option<Finding> {
    let mark = passed.chars().next().filter(|c| chars::is_apostrophe(*c))?;
    let last = words(near).pop().filter(|word| word.end == near.len())?;
    languages
        .has(&format!("{}'", last.folded), Role::Dangling)
        .then(|| {
            Finding::new(
                Signal::Dangling,
                Rule::HangingWord,
                (last.start, last.end + mark.len_utf8()),
            )
        })
}

fn by_mark(near: &str, last: char, languages: &Languages) -> Option<Finding> {
    let at = (near.len() - last.len_utf8(), near.len());
    if chars::is_ellipsis(last) || is_dots(near, last) {
        return Some(Finding::new(Signal::Dangling, Rule::Ellipsis, dots(near)));
    }
    if chars::is_pause(last) {
        return Some(Finding::new(Signal::Dangling, Rule::Pause, at));
    }
    if let Some(link) = links::at_end(near) {
        return Some(Finding::new(Signal::Neutral, Rule::LinkAtEnd, link));
    }
    if !near.chars().any(chars::is_word) {
        return Some(Finding::new(Signal::Neutral, Rule::NoWords, at));
    }
    if last == '.' {
        return Some(full_stop(near, at, languages));
    }
    if chars::is_cry(last) || chars::is_full_stop(last) || is_typed_danda(near, last) {
        return Some(Finding::new(Signal::Closed, Rule::SentenceMark, at));
    }
    if chars::is_opening(last) || last == '"' {
        return Some(Finding::new(Signal::Dangling, Rule::OpenBracket, at));
    }
    let stands_alone = near[..at.0].ends_with(char::is_whitespace);
    (matches!(last, '+' | '&' | '＋' | '＆') && stands_alone)
        .then(|| Finding::new(Signal::Dangling, Rule::Joiner, at))
}

/// Two or more dots in a row, blanks between them allowed.
fn is_dots(near: &str, last: char) -> bool {
    chars::is_dot(last)
        && near[dots(near).0..]
            .chars()
            .filter(|c| chars::is_dot(*c) || chars::is_ellipsis(*c))
            .count()
            >= 2
}

fn dots(near: &str) -> (usize, usize) {
    let before = near.trim_end_matches(|c| chars::is_dot(c) || chars::is_ellipsis(c) || c == ' ');
    let blanks = near[before.len()..].len() - near[before.len()..].trim_start().len();
    (before.len() + blanks, near.len())
}

/// Many write the danda as a vertical bar.
fn is_typed_danda(near: &str, last: char) -> bool {
    let before = near.trim_end_matches('|').trim_end();
    last == '|'
        && before
            .chars()
            .next_back()
            .is_some_and(|c| matches!(c, '\u{0900}'..='\u{097F}'))
}

fn full_stop(near: &str, at: (usize, usize), languages: &Languages) -> Finding {
    let line = near.rsplit('\n').next().unwrap_or(near).trim();
    let number_only = line.chars().any(char::is_numeric) && !line.chars().any(char::is_alphabetic);
    if number_only {
        return Finding::new(Signal::Neutral, Rule::NumberDot, at);
    }
    let token_start = near.rfind(char::is_whitespace).map_or(0, |blank| {
        blank + near[blank..].chars().next().map_or(1, char::len_utf8)
    });
    let token = crate::text::fold::fold(
        near[token_start..].trim_start_matches(|c| chars::is_opening(c) || chars::is_closing(c)),
    );
    if languages.has(&token, Role::Abbreviation) {
        return Finding::new(
            Signal::Dangling,
            Rule::Abbreviation,
            (token_start, near.len()),
        );
    }
    Finding::new(Signal::Closed, Rule::SentenceMark, at)
}

fn by_words(near: &str, end: Ending, languages: &Languages) -> Finding {
    let nothing = Finding::new(Signal::Neutral, Rule::NoSign, (near.len(), near.len()));
    let found = words(near);
    let Some(last) = found.last() else {
        return Finding {
            rule: Rule::NoWords,
            ..nothing
        };
    };
    // The "com" of an address is no word.
    let glued = near[..last.start].ends_with(['.', '@', '/', '_', '#', '\\', '=', '-']);
    // A word in quotes is talked about, and an emoji of a thing completes the phrase. A word that the text does not end in decides nothing.
    if glued || end.closed_bracket || end.object || last.end != near.len() {
        return nothing;
    }
    if let Some(clause) = lone_connective(near, &found, languages) {
        return Finding::new(Signal::Dangling, Rule::LoneConnective, clause);
    }
    if last
        .folded
        .chars()
        .next_back()
        .is_some_and(chars::is_unspaced)
    {
        return hanging_suffix(near, languages).map_or(nothing, |at| {
            Finding::new(Signal::Dangling, Rule::HangingWord, at)
        });
    }
    if hangs(&found, languages) {
        return Finding::new(Signal::Dangling, Rule::HangingWord, (last.start, last.end));
    }
    nothing
}

/// The last clause, if it is nothing but a connective such as "also".
fn lone_connective(near: &str, found: &[Word], languages: &Languages) -> Option<(usize, usize)> {
    let cut = near
        .rfind(|c| {
            chars::is_cry(c)
                || chars::is_full_stop(c)
                || chars::is_pause(c)
                || matches!(c, '.' | '\n')
        })
        .unwrap_or(0);
    let clause: Vec<&Word> = found.iter().filter(|word| word.start >= cut).collect();
    let (first, last) = (clause.first()?, clause.last()?);
    let joined = clause
        .iter()
        .map(|word| word.folded.as_str())
        .collect::<Vec<_>>()
        .join(" ");
    languages
        .has(&joined, Role::Opener)
        .then_some((first.start, last.end))
}

/// Where the hanging end of a text without blanks begins. A longer ending that may close a sentence wins over a shorter one that hangs.
fn hanging_suffix(near: &str, languages: &Languages) -> Option<(usize, usize)> {
    let script = languages.position(if near.chars().any(chars::is_kana) {
        "ja"
    } else {
        "zh"
    })?;
    let starts: Vec<usize> = near
        .char_indices()
        .rev()
        .take(LONGEST_SUFFIX)
        .map(|(at, _)| at)
        .collect();
    starts
        .into_iter()
        .rev()
        .find_map(|start| {
            let roles = languages.roles(&crate::text::fold::fold(&near[start..]))?[script];
            (roles.has(Role::Dangling) || roles.has(Role::Last)).then_some((start, roles))
        })
        .filter(|(_, roles)| !roles.has(Role::Last))
        .map(|(start, _)| (start, near.len()))
}

/// What the last words mean in one language.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tendency {
    Hangs,
    Ends,
    Silent,
}

/// True if the last words leave the sentence open in the language that the text speaks. "no" hangs in Portuguese and ends a sentence in Spanish.
fn hangs(found: &[Word], languages: &Languages) -> bool {
    let folded: Vec<&str> = found.iter().map(|word| word.folded.as_str()).collect();
    let tendencies = tendencies(&folded, languages);
    if !tendencies.contains(&Tendency::Hangs) {
        return false;
    }
    let ends_somewhere = tendencies.contains(&Tendency::Ends);
    let evidence = languages.evidence(folded[..folded.len() - 1].iter().copied());
    let most = evidence.iter().copied().max().unwrap_or_default();
    if most == 0 {
        return !ends_somewhere;
    }
    let speaks = |index: &usize| evidence[*index] == most;
    let among = |wanted: Tendency| {
        (0..tendencies.len())
            .filter(speaks)
            .filter(|index| tendencies[*index] == wanted)
            .count()
    };
    let (hanging, ending) = (among(Tendency::Hangs), among(Tendency::Ends));
    if hanging + ending > 0 {
        return hanging >= ending;
    }
    // A connective from another language ("refund chahiye but") hangs too, unless the text's own language knows the word.
    let known = languages.roles(folded[folded.len() - 1]);
    !(0..tendencies.len())
        .filter(speaks)
        .any(|index| known.is_some_and(|roles| roles[index].any()))
}

fn tendencies(folded: &[&str], languages: &Languages) -> Vec<Tendency> {
    let asks = asking(folded, languages);
    let mut all = vec![Tendency::Silent; languages.codes().len()];
    for length in (1..=LONGEST_PHRASE.min(folded.len())).rev() {
        let phrase = folded[folded.len() - length..].join(" ");
        // The lists mark with "^" what ends a text only when it is the whole text: "um" is an answer, "quero comprar um" is not.
        let alone = if length == folded.len() {
            languages.roles(&format!("^ {phrase}"))
        } else {
            None
        };
        let Some(roles) = alone.or_else(|| languages.roles(&phrase)) else {
            continue;
        };
        for (index, tendency) in all
            .iter_mut()
            .enumerate()
            .filter(|(_, tendency)| **tendency == Tendency::Silent)
        {
            *tendency = tendency_of(roles[index], asks[index]);
        }
    }
    all
}

fn tendency_of(roles: Roles, asks: bool) -> Tendency {
    if roles.has(Role::Last) || (roles.has(Role::Stranded) && asks) {
        Tendency::Ends
    } else if roles.has(Role::Dangling) || roles.has(Role::Stranded) {
        Tendency::Hangs
    } else {
        Tendency::Silent
    }
}

/// Per language: whether the text has a question word before its last word.
fn asking(folded: &[&str], languages: &Languages) -> Vec<bool> {
    let mut asks = vec![false; languages.codes().len()];
    for word in &folded[..folded.len() - 1] {
        if let Some(roles) = languages.roles(word) {
            for (asks, roles) in asks.iter_mut().zip(roles) {
                *asks |= roles.has(Role::Asking);
            }
        }
    }
    asks
}
