//! The word lists of `lang/`, parsed once. A language is one file there and one line in `FILES`. It never guesses the language of a person.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::fold;
use crate::triage::pattern::{Phrase, Phrasebook};

/// Every language that comes with the product: its code and its word list.
const FILES: &[(&str, &str)] = &[
    ("en", include_str!("../../lang/en.txt")),
    ("pt", include_str!("../../lang/pt.txt")),
    ("es", include_str!("../../lang/es.txt")),
    ("fr", include_str!("../../lang/fr.txt")),
    ("hi", include_str!("../../lang/hi.txt")),
    ("ar", include_str!("../../lang/ar.txt")),
    ("zh", include_str!("../../lang/zh.txt")),
    ("ja", include_str!("../../lang/ja.txt")),
];

static ALL: LazyLock<Languages> = LazyLock::new(|| Languages::parse(FILES));

/// What a word can be in one language, as a set of bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Roles(u16);

/// One section of a word list that the debounce reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub enum Role {
    /// Opens a conversation; the request follows.
    Greeting = 1,
    /// May stand beside a greeting without adding a request.
    Filler = 1 << 1,
    /// Leaves the sentence open when it is the last word.
    Dangling = 1 << 2,
    /// Like `Dangling`, but may end a question that has a question word ("where are you from").
    Stranded = 1 << 3,
    /// May end a sentence although it hangs in another language or in a shorter form.
    Last = 1 << 4,
    /// Leaves the thought open when it is the whole clause ("also").
    Opener = 1 << 5,
    /// Its dot does not end a sentence.
    Abbreviation = 1 << 6,
    /// Stops everything when it is the whole message.
    Stop = 1 << 7,
    /// Shows that a text is written in this language.
    Function = 1 << 8,
    /// A question word.
    Asking = 1 << 9,
    /// A word of this language that hangs in another one; here it says nothing.
    Known = 1 << 10,
}

impl Role {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "greeting" => Self::Greeting,
            "filler" => Self::Filler,
            "dangling" => Self::Dangling,
            "stranded" => Self::Stranded,
            "last" => Self::Last,
            "opener" => Self::Opener,
            "abbreviation" => Self::Abbreviation,
            "stop" => Self::Stop,
            "function" => Self::Function,
            "asking" => Self::Asking,
            "known" => Self::Known,
            _ => return None,
        })
    }

    /// Greetings are compared squeezed and without accents; everything else by the exact word.
    fn is_spoken(self) -> bool {
        matches!(self, Self::Greeting | Self::Filler)
    }
}

impl Roles {
    /// True if the word has this role.
    #[must_use]
    pub fn has(self, role: Role) -> bool {
        self.0 & role as u16 != 0
    }

    /// True if the word has any role at all.
    #[must_use]
    pub fn any(self) -> bool {
        self.0 != 0
    }

    /// True if the word is one of those that only sentences of its language are full of.
    fn speaks(self) -> bool {
        [Role::Function, Role::Dangling, Role::Stranded, Role::Asking]
            .into_iter()
            .any(|role| self.has(role))
    }

    /// The roles of both.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn add(&mut self, role: Role) {
        self.0 |= role as u16;
    }
}

/// A language code without a word list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownLanguage {
    /// The code that was asked for.
    pub code: String,
}

impl std::fmt::Display for UnknownLanguage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let known: Vec<&str> = FILES.iter().map(|(code, _)| *code).collect();
        write!(
            f,
            "language \"{}\" has no word list; allowed: {}",
            self.code,
            known.join(", ")
        )
    }
}

impl std::error::Error for UnknownLanguage {}

/// The word lists that apply, all at once, because nobody says in which language the next message comes.
#[derive(Debug, Clone, Default)]
pub struct Languages {
    codes: Vec<&'static str>,
    words: BTreeMap<String, Box<[Roles]>>,
    spoken: BTreeMap<String, Roles>,
    letters: Vec<String>,
    phrases: Phrasebook,
}

impl Languages {
    /// All languages that come with the product, parsed on first use.
    #[must_use]
    pub fn all() -> &'static Self {
        &ALL
    }

    /// Only the named languages. An unknown code is an error that lists the known ones.
    pub fn of(codes: &[&str]) -> Result<Self, UnknownLanguage> {
        let files: Result<Vec<_>, _> = codes
            .iter()
            .map(|code| {
                FILES
                    .iter()
                    .find(|(known, _)| known == code)
                    .copied()
                    .ok_or_else(|| UnknownLanguage {
                        code: (*code).to_owned(),
                    })
            })
            .collect();
        Ok(Self::parse(&files?))
    }

    /// The codes of the languages that apply, in the order in which [`Self::roles`] lists them.
    #[must_use]
    pub fn codes(&self) -> &[&'static str] {
        &self.codes
    }

    /// The roles of a folded word, or of up to several words joined by one blank, per language.
    #[must_use]
    pub fn roles(&self, folded: &str) -> Option<&[Roles]> {
        self.words.get(folded).map(AsRef::as_ref)
    }

    /// True if the word has this role in any language.
    #[must_use]
    pub fn has(&self, folded: &str, role: Role) -> bool {
        self.roles(folded)
            .is_some_and(|roles| roles.iter().any(|r| r.has(role)))
    }

    /// Whether a squeezed word or phrase is a greeting or may stand beside one.
    #[must_use]
    pub fn spoken(&self, squeezed: &str) -> Roles {
        self.spoken.get(squeezed).copied().unwrap_or_default()
    }

    /// The position of a language in [`Self::codes`].
    #[must_use]
    pub fn position(&self, code: &str) -> Option<usize> {
        self.codes.iter().position(|known| *known == code)
    }

    /// How much each language speaks for itself in these folded words: one for each word of its own, two for each letter only it has.
    #[must_use]
    pub fn evidence<'a>(&self, folded: impl Iterator<Item = &'a str>) -> Vec<u32> {
        let mut scores = vec![0; self.codes.len()];
        for word in folded {
            self.count_word(word, &mut scores);
            if let Some((elided, _)) = word.split_once('\'') {
                self.count_word(&word[..=elided.len()], &mut scores);
            }
            for (score, letters) in scores.iter_mut().zip(&self.letters) {
                if word.chars().any(|c| letters.contains(c)) {
                    *score += 2;
                }
            }
        }
        scores
    }

    fn count_word(&self, word: &str, scores: &mut [u32]) {
        let Some(roles) = self.roles(word) else {
            return;
        };
        for (score, roles) in scores.iter_mut().zip(roles) {
            *score += u32::from(roles.speaks());
        }
    }

    /// The phrases that the triage rules read.
    #[must_use]
    pub fn phrases(&self) -> &Phrasebook {
        &self.phrases
    }

    fn parse(files: &[(&'static str, &'static str)]) -> Self {
        let mut all = Self {
            codes: files.iter().map(|(code, _)| *code).collect(),
            letters: vec![String::new(); files.len()],
            ..Self::default()
        };
        for (index, (_, file)) in files.iter().enumerate() {
            for (section, entry) in entries(file) {
                all.add(index, section, entry);
            }
        }
        all
    }

    fn add(&mut self, language: usize, section: &str, entry: &'static str) {
        if section == "letters" {
            self.letters[language].push_str(entry);
            return;
        }
        let Some(role) = Role::named(section) else {
            self.phrases.add(section, Phrase::parse(entry));
            return;
        };
        if role.is_spoken() {
            self.spoken
                .entry(fold::squeeze(entry))
                .or_default()
                .add(role);
            return;
        }
        let size = self.codes.len();
        self.words
            .entry(fold::fold(entry))
            .or_insert_with(|| vec![Roles::default(); size].into())[language]
            .add(role);
    }
}

/// The entries of a word list with the section each stands in. `#` starts a comment line, `[name]` a section, entries stand between commas or line ends.
fn entries(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut section = "";
    file.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .flat_map(move |line| {
            if let Some(name) = line
                .strip_prefix('[')
                .and_then(|rest| rest.strip_suffix(']'))
            {
                section = name;
                return Vec::new();
            }
            line.split(',')
                .map(str::trim)
                .filter(|entry| !entry.is_empty())
                .map(|entry| (section, entry))
                .collect()
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triage::pattern::Topic;

    #[test]
    fn every_section_of_every_word_list_is_known() {
        for (code, file) in FILES {
            for (section, entry) in entries(file) {
                let known = section == "letters"
                    || Role::named(section).is_some()
                    || Topic::named(section).is_some();
                assert!(
                    known,
                    "{code}: section [{section}] of {entry:?} is not known"
                );
            }
        }
    }

    #[test]
    fn a_language_without_a_list_is_refused_with_the_known_ones() {
        let error = Languages::of(&["en", "xx"]).unwrap_err();
        assert!(error.to_string().contains("\"xx\"") && error.to_string().contains("en, pt"));
    }

    #[test]
    fn a_chosen_language_leaves_the_others_out() {
        let only = Languages::of(&["pt"]).unwrap();
        assert!(only.has("mas", Role::Dangling));
        assert!(!only.has("pero", Role::Dangling));
    }
}
