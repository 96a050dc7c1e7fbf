//! Reads a text from its end: passes over what says nothing, and finds the last character that does. It never looks at words.

use unicode_segmentation::UnicodeSegmentation;

use crate::text::chars;

/// Faces made of marks, longest first: their brackets and colons are no punctuation.
const FACES: &[&str] = &[
    ":'-)", ":'-(", "^_^", "^-^", "T_T", "-_-", "o_o", ":-)", ":-(", ":-D", ":-P", ":-p", ":-/",
    ":-|", ";-)", ":'(", ":')", "=)", "=(", "=D", "=P", ":)", ":(", ":D", ":P", ":p", ":o", ":O",
    ":/", ":|", ":*", ":3", ";)", ";P", "xD", "XD", "<3", "^^", "(:", "8)", ":]", ":[", "u.u",
    "¬¬",
];

/// Where the meaning of a text ends, and what was passed over behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Ending {
    /// One past the last byte that says something.
    pub end: usize,
    /// A closing bracket or quote was passed over.
    pub closed_bracket: bool,
    /// An emoji that may stand for a word was passed over.
    pub object: bool,
}

/// Passes over trailing blanks, invisible marks, emoji, faces, closing quotes and brackets.
pub(super) fn read(text: &str) -> Ending {
    let mut ending = Ending {
        end: text.len(),
        ..Ending::default()
    };
    loop {
        let rest = &text[..ending.end];
        if let Some(length) = face_at_end(rest) {
            ending.end -= length;
            continue;
        }
        let Some(cluster) = rest.graphemes(true).next_back() else {
            return ending;
        };
        if !pass(cluster, rest, &mut ending) {
            // A joiner or selector belongs to the cluster of the mark before it.
            ending.end = rest.trim_end_matches(chars::is_invisible).len();
            return ending;
        }
        ending.end -= cluster.len();
    }
}

fn pass(cluster: &str, rest: &str, ending: &mut Ending) -> bool {
    if cluster
        .chars()
        .all(|c| chars::is_blank(c) || chars::is_invisible(c))
    {
        return true;
    }
    if chars::is_emoji(cluster) {
        ending.object |= !chars::is_gesture(cluster);
        return true;
    }
    let Some(first) = cluster.chars().next() else {
        return false;
    };
    if !chars::is_closing(first) || opens_here(cluster, rest) {
        return false;
    }
    ending.closed_bracket = true;
    true
}

/// A straight quote after a word and a blank that has no partner opens a quotation instead of closing one.
fn opens_here(cluster: &str, rest: &str) -> bool {
    if cluster != "\"" || rest.matches('"').count().is_multiple_of(2) {
        return false;
    }
    let before = &rest[..rest.len() - 1];
    before.ends_with(char::is_whitespace)
        && before
            .trim_end()
            .chars()
            .next_back()
            .is_some_and(chars::is_word)
}

fn face_at_end(rest: &str) -> Option<usize> {
    let mouth = rest.chars().next_back().filter(char::is_ascii)?;
    let repeated = if matches!(mouth, '(' | ')' | 'D') {
        rest.len() - rest.trim_end_matches(mouth).len() - 1
    } else {
        0
    };
    let once = &rest[..rest.len() - repeated];
    FACES.iter().find_map(|face| {
        let before = once.strip_suffix(face)?;
        let stands_alone = !before.chars().next_back().is_some_and(chars::is_word);
        stands_alone.then_some(face.len() + repeated)
    })
}

/// An opening bracket or quote without its partner, as a byte range. Faces do not count.
pub(super) fn unclosed(text: &str) -> Option<(usize, usize)> {
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut previous = ' ';
    for (at, c) in text.char_indices() {
        if let Some(partner) = chars::partner(c) {
            if !matches!(previous, ':' | ';' | '=' | '-' | '\'') {
                open.push((at, partner));
            }
        } else if let Some(found) = open.iter().rposition(|(_, partner)| *partner == c) {
            open.truncate(found);
        }
        previous = c;
    }
    open.last()
        .map(|(at, partner)| (*at, at + partner.len_utf8()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str) -> &str {
        &text[..read(text).end]
    }

    #[test]
    fn everything_that_says_nothing_is_passed_over() {
        assert_eq!(kept("(ok?)\u{200F} 👩‍👩‍👧🇧🇷1️⃣ \n"), "(ok?");
        assert_eq!(kept("Pode ser? :)))"), "Pode ser?");
        assert_eq!(kept("*Quero isso.*"), "*Quero isso.");
        assert_eq!(kept("❤️"), "");
    }

    #[test]
    fn a_bracket_behind_a_word_is_no_face() {
        assert_eq!(kept("(2 itens:)"), "(2 itens:");
    }

    #[test]
    fn only_a_bracket_without_partner_is_open() {
        assert_eq!(unclosed("os itens (azul e verde"), Some((9, 10)));
        assert_eq!(unclosed("os itens (azul) e verde"), None);
        assert_eq!(unclosed("que pena :("), None);
    }
}
