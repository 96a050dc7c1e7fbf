//! Ways to make two spellings equal. It never changes the text that is stored or shown.

use unicode_normalization::UnicodeNormalization;

use super::chars;

/// Compatibility form in lower case without invisible characters; accents stay, because "où" is not "ou".
/// Arabic loses its vowel signs, its stretching and the difference between the forms of alef, which writers mix freely.
#[must_use]
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // Compatibility would turn "nº" into the word "no".
    if text.contains(['º', 'ª']) {
        return text
            .split_inclusive(['º', 'ª'])
            .map(fold_kept_ordinal)
            .collect();
    }
    compatible(text).collect()
}

fn fold_kept_ordinal(piece: &str) -> String {
    let body = piece.trim_end_matches(['º', 'ª']);
    compatible(body)
        .chain(piece[body.len()..].chars())
        .collect()
}

fn compatible(text: &str) -> impl Iterator<Item = char> + '_ {
    text.nfkc()
        .flat_map(char::to_lowercase)
        .nfc()
        .filter_map(plain)
}

fn plain(c: char) -> Option<char> {
    match c {
        '\u{0640}' | '\u{064B}'..='\u{065F}' | '\u{0670}' => None,
        'أ' | 'إ' | 'آ' | 'ٱ' => Some('ا'),
        _ if chars::is_apostrophe(c) => Some('\''),
        _ if chars::is_invisible(c) => None,
        _ => Some(c),
    }
}

/// [`fold`] without accents and apostrophes: for phrases that people type with and without them.
#[must_use]
pub fn loose(text: &str) -> String {
    let folded = fold(text);
    if folded.is_ascii() {
        return folded.replace('\'', "");
    }
    folded
        .nfd()
        .filter(|c| !matches!(c, '\u{0300}'..='\u{036F}' | '\''))
        .nfc()
        .collect()
}

/// [`loose`] with every run of one letter shortened to one: "Hellooo" and "hello" become equal. Long vowel signs of kana go too.
#[must_use]
pub fn squeeze(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in loose(text).chars().filter(|c| !matches!(c, 'ー' | 'ｰ')) {
        if chars::is_unspaced(c) || !out.ends_with(c) {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_stay_in_the_fold_and_go_in_the_loose_fold() {
        assert_eq!(fold("OÙ"), "où");
        assert_eq!(loose("OÙ"), "ou");
        assert_eq!(fold("ｋｅｄｏ"), "kedo");
        assert_eq!(fold("Nº"), "nº");
    }

    #[test]
    fn kana_and_nukta_survive_every_fold() {
        assert_eq!(loose("ですが"), "ですが");
        assert_eq!(squeeze("ああ"), "ああ");
        assert_eq!(loose("ज़रूर"), fold("ज़रूर"));
    }

    #[test]
    fn letters_held_down_are_one_letter() {
        assert_eq!(squeeze("Oiiiii"), "oi");
        assert_eq!(squeeze("Hellooo"), squeeze("hello"));
    }
}
