//! Texts whose case, width, blanks and typographic signs do not matter. Must never drop an accent: it tells words apart.

use unicase::UniCase;
use unicode_normalization::UnicodeNormalization;

use crate::text::chars;

/// The text in compatibility form, case-folded, with single blanks inside and none around it.
pub(super) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return single_blanks(&text.to_ascii_lowercase());
    }
    let compatible: String = text.nfkc().filter_map(plain).collect();
    let folded = UniCase::unicode(compatible).to_folded_case();
    single_blanks(&folded.nfkc().collect::<String>())
}

fn plain(c: char) -> Option<char> {
    match c {
        _ if chars::is_blank(c) => Some(' '),
        _ if chars::is_invisible(c) => None,
        _ if chars::is_apostrophe(c) => Some('\''),
        '“' | '”' | '„' | '‟' | '«' | '»' => Some('"'),
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => Some('-'),
        _ => Some(c),
    }
}

fn single_blanks(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn case_blanks_width_and_signs_do_not_matter() {
        for (a, b) in [
            ("Revisión del calentador", " revisión  del calentador "),
            ("PSICOLOGÍA", "psicolog\u{0069}\u{0301}a"),
            ("Straße", "STRASSE"),
            ("ΟΔΟΣ", "οδος"),
            ("ｶﾀｶﾅ １２", "カタカナ 12"),
            ("Ana’s – visit", "ana's - visit"),
            ("a\u{200B}b\u{A0}c", "ab c"),
        ] {
            assert_eq!(fold(a), fold(b), "{a}");
        }
    }

    #[test]
    fn accents_and_words_matter() {
        for (a, b) in [("año", "ano"), ("où", "ou"), ("a b", "ab"), ("kıs", "kis")] {
            assert_ne!(fold(a), fold(b), "{a}");
        }
    }

    proptest! {
        #[test]
        fn folding_again_changes_nothing(text: String) {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }
    }
}
