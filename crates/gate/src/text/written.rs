//! Which language a text is written in. It never guesses without a word that shows it.

use super::Languages;
use super::words;

/// The code of the language that most words of `text` show; `None` when none does or two do alike.
#[must_use]
pub fn written_in(text: &str, languages: &Languages) -> Option<&'static str> {
    let words = words::words(text);
    let scores = languages.evidence(words.iter().map(|word| word.folded.as_str()));
    let most = scores.iter().copied().max().filter(|most| *most > 0)?;
    let mut best = scores
        .iter()
        .zip(languages.codes())
        .filter(|(score, _)| **score == most)
        .map(|(_, code)| *code);
    let first = best.next()?;
    best.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_words_show_the_language() {
        for (text, expected) in [
            ("What are your business hours?", Some("en")),
            ("Qual o horário de funcionamento?", Some("pt")),
            ("¿Cuál es el horario de atención?", Some("es")),
            ("Quels sont vos horaires ?", Some("fr")),
            ("/stop", None),
            ("👍", None),
            ("", None),
        ] {
            assert_eq!(written_in(text, Languages::all()), expected, "{text}");
        }
    }
}
