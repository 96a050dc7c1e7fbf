//! What the gateway says to a model in its own words: one data file for each language.

use serde::Deserialize;

/// The file that counts where none is chosen.
pub(super) const ENGLISH: &str = include_str!("../../../lang/en.toml");

/// The languages, with their files.
pub(super) const LANGUAGES: &[(&str, &str)] = &[
    ("en", ENGLISH),
    ("pt", include_str!("../../../lang/pt.toml")),
    ("es", include_str!("../../../lang/es.toml")),
];

/// The phrases of one language; `{reply}` and `{time}` in them are filled in.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Phrases {
    pub(super) frame: String,
    pub(super) now: String,
    pub(super) continued: String,
    pub(super) unnamed: String,
    pub(super) gateway: String,
    pub(super) retold: String,
    pub(super) message: MessagePhrases,
    pub(super) fate: FatePhrases,
    pub(super) note: NotePhrases,
    pub(super) tool: ToolPhrases,
}

/// In place of words that a message has not.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MessagePhrases {
    pub(super) media: String,
    pub(super) voice: String,
    pub(super) gone: String,
    pub(super) reaction: String,
    pub(super) reaction_gone: String,
    pub(super) edit: String,
    pub(super) transcript: String,
}

/// What became of a reply.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FatePhrases {
    pub(super) unknown: String,
    pub(super) cancelled: String,
    pub(super) superseded: String,
    pub(super) parked: String,
    pub(super) dropped: String,
    pub(super) cut: String,
}

/// What the answer must heed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NotePhrases {
    pub(super) cancelled: String,
    pub(super) merged: String,
    pub(super) released: String,
    pub(super) too_late: String,
    pub(super) done: String,
    pub(super) done_unnamed: String,
    pub(super) rerun: String,
    pub(super) interrupted: String,
    pub(super) stopped: String,
}

/// Why a call was not made.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ToolPhrases {
    pub(crate) no_object: String,
    pub(crate) no_more: String,
}

impl Phrases {
    pub(super) fn read(source: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_says_everything_and_fills_in_the_reply() {
        for (language, source) in LANGUAGES {
            let phrases = Phrases::read(source).unwrap();
            let (fate, note) = (&phrases.fate, &phrases.note);
            let named = [
                &fate.unknown,
                &fate.cancelled,
                &fate.superseded,
                &fate.parked,
                &fate.dropped,
                &fate.cut,
                &note.cancelled,
                &note.merged,
                &note.released,
                &note.too_late,
                &note.done,
                &note.rerun,
                &note.interrupted,
            ];
            for phrase in named {
                assert_eq!(phrase.matches("{reply}").count(), 1, "{language}: {phrase}");
            }
            assert!(phrases.now.contains("{time}"), "{language}");
            assert!(phrases.message.reaction.contains("{sign}"), "{language}");
            assert!(!phrases.frame.contains('{'), "{language}");
        }
    }
}
