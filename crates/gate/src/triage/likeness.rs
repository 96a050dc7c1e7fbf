//! Tells the same message sent again from another one that looks like it. It never calls two messages the same that differ in a number or a "not".

use super::pattern::{Phrasebook, Topic};
use super::reading::Reading;

/// Longer messages are compared by equality only.
const MOST_WORDS: usize = 60;

/// True if both messages say the same, typing errors and courtesy aside.
pub(super) fn is_same(a: &Reading, b: &Reading, phrases: &Phrasebook) -> bool {
    let (a, b) = (content(a, phrases), content(b, phrases));
    !a.is_empty()
        && (a == b
            || joined_equal(&a, &b)
            || (a.len() == b.len()
                && a.len() <= MOST_WORDS
                && a.iter().zip(&b).all(|(x, y)| is_typo(x, y))))
}

fn content<'a>(text: &'a Reading, phrases: &Phrasebook) -> Vec<&'a str> {
    let mut words = Vec::new();
    let mut at = text.start;
    while at < text.words.len() {
        if let Some(courtesy) = phrases.at(Topic::Thanks, text, at) {
            at = courtesy.end;
            continue;
        }
        words.push(text.words[at].as_str());
        at += 1;
    }
    words
}

/// "re send" and "resend".
fn joined_equal(a: &[&str], b: &[&str]) -> bool {
    a.len().abs_diff(b.len()) == 1 && a.concat() == b.concat()
}

fn is_typo(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let digits = |word: &str| word.chars().any(char::is_numeric);
    if digits(a) || digits(b) {
        return false;
    }
    let (short, long) = (
        a.chars().count().min(b.chars().count()),
        a.chars().count().max(b.chars().count()),
    );
    let allowed = match short {
        0..=3 => return false,
        4..=7 => 1,
        _ => 2,
    };
    // Hardly anybody mistypes the first letter, and "martes" is not "partes".
    a.chars().next() == b.chars().next() && long - short <= allowed && distance(a, b) <= allowed
}

/// The number of insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        rows[i][0] = i;
        for j in 1..=b.len() {
            let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            rows[i][j] = replace.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                rows[i][j] = rows[i][j].min(rows[i - 2][j - 2] + 1);
            }
        }
    }
    rows[a.len()][b.len()]
}

/// True if two words are forms of one word: equal, or equal in all but a short ending.
pub(super) fn is_kin(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let shared = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    let longest = a.chars().count().max(b.chars().count());
    shared >= 4 && longest - shared <= 3
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Languages;

    fn same(a: &str, b: &str) -> bool {
        let phrases = Languages::all().phrases();
        is_same(
            &Reading::new(a, phrases),
            &Reading::new(b, phrases),
            phrases,
        )
    }

    #[test]
    fn a_typing_error_is_the_same_message_and_another_day_is_not() {
        assert!(same("can you resned my ticket", "can you resend my ticket"));
        assert!(same(
            "quiero cambiar mi turno",
            "Quiero cambiar mi turno por favor"
        ));
        assert!(!same("Do you open on Monday?", "Do you open on Sunday?"));
        assert!(!same("book 2 seats", "book 3 seats"));
        assert!(!same("cancel my order", "don't cancel my order"));
    }
}
