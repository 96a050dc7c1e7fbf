//! Which of the demo's languages a text is in. Must never guess without a word that shows it.

use std::sync::LazyLock;

use replygate_gate::text::{Languages, written_in};

use super::phrases::{ENGLISH, PORTUGUESE, Phrases, SPANISH};

/// A language that the demo speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tongue {
    English,
    Portuguese,
    Spanish,
}

const ALL: [(Tongue, &str); 3] = [
    (Tongue::English, "en"),
    (Tongue::Portuguese, "pt"),
    (Tongue::Spanish, "es"),
];

static LANGUAGES: LazyLock<Languages> =
    LazyLock::new(|| Languages::of(&ALL.map(|(_, code)| code)).unwrap_or_default());

impl Tongue {
    /// The language that most words of `text` show; `None` when none does or two do alike.
    pub(super) fn of(text: &str) -> Option<Self> {
        let code = written_in(text, &LANGUAGES)?;
        ALL.iter()
            .find(|(_, known)| *known == code)
            .map(|(tongue, _)| *tongue)
    }

    pub(super) const fn phrases(self) -> &'static Phrases {
        match self {
            Self::English => &ENGLISH,
            Self::Portuguese => &PORTUGUESE,
            Self::Spanish => &SPANISH,
        }
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
