//! What an agent is told about a call that was not carried out, in the conversation's language. The words are in
//! `lang/notes/`. Must never sound like an error where nothing failed.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::text::Tongue;

/// What is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// Its work was done so many milliseconds ago.
    Duplicate {
        /// Milliseconds.
        age_ms: u64,
    },
    /// Its work was done while it waited.
    Joined,
    /// Its work may have been done so many milliseconds ago.
    Unknown {
        /// Milliseconds.
        age_ms: u64,
    },
    /// Its work is still being done.
    InProgress,
    /// It ran, and nobody knows what came of it.
    NotConfirmed,
    /// It only looked, and nothing came back.
    NoAnswer,
    /// It would change something, and the customer has stopped what was under way.
    Stopped,
}

type Words = HashMap<&'static str, &'static str>;

static WORDS: LazyLock<[Words; 3]> = LazyLock::new(|| {
    Tongue::ALL.map(|tongue| match tongue {
        Tongue::English => read(include_str!("../../lang/notes/en.txt")),
        Tongue::Portuguese => read(include_str!("../../lang/notes/pt.txt")),
        Tongue::Spanish => read(include_str!("../../lang/notes/es.txt")),
    })
});

fn read(text: &'static str) -> Words {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(" = "))
        .collect()
}

impl Note {
    /// The note in that language.
    #[must_use]
    pub fn text(self, tongue: Tongue) -> String {
        let words = &WORDS[tongue as usize];
        let say = |key: &str| words.get(key).copied().unwrap_or_default();
        match self {
            Self::Duplicate { age_ms } => say("duplicate").replace("{age}", &age(words, age_ms)),
            Self::Unknown { age_ms } => say("unknown").replace("{age}", &age(words, age_ms)),
            Self::Joined => say("joined").to_owned(),
            Self::InProgress => say("in_progress").to_owned(),
            Self::NotConfirmed => say("not_confirmed").to_owned(),
            Self::NoAnswer => say("no_answer").to_owned(),
            Self::Stopped => say("stopped").to_owned(),
        }
    }
}

/// "3 minutes ago", in whole units.
fn age(words: &Words, ms: u64) -> String {
    let seconds = ms / 1_000;
    let (count, one, many) = match seconds {
        0 => (0, "now", "now"),
        1..60 => (seconds, "second", "seconds"),
        60..3_600 => (seconds / 60, "minute", "minutes"),
        3_600..86_400 => (seconds / 3_600, "hour", "hours"),
        _ => (seconds / 86_400, "day", "days"),
    };
    let key = if count == 1 { one } else { many };
    words
        .get(key)
        .copied()
        .unwrap_or_default()
        .replace("{n}", &count.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_told_as_people_tell_them() {
        for (ms, expected) in [
            (999, "a moment ago"),
            (1_000, "1 second ago"),
            (18_000, "18 seconds ago"),
            (60_000, "1 minute ago"),
            (599_999, "9 minutes ago"),
            (7_200_000, "2 hours ago"),
            (86_400_000, "1 day ago"),
        ] {
            let note = Note::Duplicate { age_ms: ms }.text(Tongue::English);
            assert!(note.contains(expected), "{note}");
        }
    }

    #[test]
    fn every_note_has_its_words_in_every_language() {
        let notes = [
            Note::Duplicate { age_ms: 12_000 },
            Note::Joined,
            Note::Unknown { age_ms: 180_000 },
            Note::InProgress,
            Note::NotConfirmed,
            Note::NoAnswer,
            Note::Stopped,
        ];
        for tongue in Tongue::ALL {
            for note in notes {
                let text = note.text(tongue);
                assert!(
                    text.len() > 20 && !text.contains(['{', '}']),
                    "{tongue:?} {text}"
                );
            }
        }
        let note = Note::Duplicate { age_ms: 12_000 }.text(Tongue::Spanish);
        assert!(
            note.starts_with("Esto ya se hizo hace 12 segundos"),
            "{note}"
        );
    }
}
