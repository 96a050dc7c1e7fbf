//! Which of the languages that Replygate speaks a text is in. Must never guess without a word that shows it.

use std::sync::LazyLock;

use super::{Languages, written_in};

/// A language that Replygate speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tongue {
    /// English.
    #[default]
    English,
    /// Portuguese.
    Portuguese,
    /// Spanish.
    Spanish,
}

static LANGUAGES: LazyLock<Languages> =
    LazyLock::new(|| Languages::of(&Tongue::ALL.map(Tongue::code)).unwrap_or_default());

impl Tongue {
    /// Every language.
    pub const ALL: [Self; 3] = [Self::English, Self::Portuguese, Self::Spanish];

    /// Its code: `en`, `pt`, `es`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Portuguese => "pt",
            Self::Spanish => "es",
        }
    }

    /// The language that most words of `text` show; `None` when none does or two do alike.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let code = written_in(text, &LANGUAGES)?;
        Self::ALL.into_iter().find(|tongue| tongue.code() == code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_words_show_the_language() {
        for (text, expected) in [
            ("What are your business hours?", Some(Tongue::English)),
            ("And do you accept PIX?", Some(Tongue::English)),
            ("And a 2L Coke too", Some(Tongue::English)),
            ("Qual o horário de funcionamento?", Some(Tongue::Portuguese)),
            ("E uma Coca 2L também", Some(Tongue::Portuguese)),
            (
                "Na verdade não cancela, acabei de receber",
                Some(Tongue::Portuguese),
            ),
            ("¿Cuál es el horario de atención?", Some(Tongue::Spanish)),
            ("Y una Coca de 2L también", Some(Tongue::Spanish)),
            ("Agéndame las horas en mi calendario", Some(Tongue::Spanish)),
            ("PIX?", None),
            ("👍", None),
        ] {
            assert_eq!(Tongue::of(text), expected, "{text}");
        }
    }
}
