//! Phrases of the word lists, and where they occur in a message. It never weighs them: that is for the rules.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::reading::Reading;
use crate::text::fold;

macro_rules! topics {
    ($($(#[$doc:meta])* $variant:ident = $name:literal),+ $(,)?) => {
        /// What a phrase says about the message it stands in.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Topic { $($(#[$doc])* $variant),+ }

        impl Topic {
            /// Every topic, in the order of its declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name of the section that lists its phrases.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }
    };
}

topics! {
    /// Takes the earlier message back: "never mind".
    Withdraw = "withdraw",
    /// The matter is over: "already solved".
    Resolved = "resolved",
    /// Asks to wait: "hold on".
    Wait = "wait",
    /// Asks to stop: "stop".
    Halt = "halt",
    /// Refuses: "no".
    Refuse = "refuse",
    /// Asks for a person.
    Human = "human",
    /// Corrects a detail: "I meant".
    Correct = "correct",
    /// Narrows: "all but".
    Except = "except",
    /// Adds: "and also".
    Add = "add",
    /// Only wants to know.
    Curious = "curious",
    /// Thanks, greetings and courtesy.
    Thanks = "thanks",
    /// Begs for the answer: "don't ignore me".
    Plea = "plea",
    /// No hurry.
    Patience = "patience",
    /// Has no content but asks for a sign of life: "hello?".
    Nudge = "nudge",
    /// Points at the answer or at the outcome: "did it go through".
    Outcome = "outcome",
    /// Changes the subject.
    Subject = "subject",
    /// Opens a request in the form of a question: "can you".
    Request = "request",
    /// Opens a question.
    Question = "question",
    /// Verbs that undo or destroy.
    Destroy = "destroy",
    /// Other verbs of an order.
    Act = "act",
    /// Keeps things as they are.
    Keep = "keep",
    /// Turns the next verb round.
    Negator = "negator",
    /// May stand between a negator and its verb.
    Soft = "soft",
    /// Stands before the message proper: "ok", "oh".
    Lead = "lead",
    /// Announces something that is still to come: "actually".
    Hesitant = "hesitant",
    /// Explains the earlier message: "it is because".
    Explain = "explain",
    /// Opens a condition: "if".
    Condition = "condition",
    /// Asks for another language.
    Tongue = "tongue",
    /// Agrees: "yes".
    Affirm = "affirm",
    /// Opens a missing detail: "it's for", "number".
    Detail = "detail",
    /// Carries no subject of its own: pronouns and the like.
    Hollow = "hollow",
}

impl Topic {
    /// The topic of a section name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|topic| topic.as_str() == name)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Word(String),
    Accented(String),
    Stem(String),
    Any(Vec<Piece>),
}

impl Piece {
    fn parse(piece: &str) -> Self {
        if piece.contains('|') {
            return Self::Any(piece.split('|').map(Self::parse).collect());
        }
        if let Some(stem) = piece.strip_suffix('*') {
            return Self::Stem(fold::loose(stem));
        }
        match piece.strip_prefix('=') {
            Some(accented) => Self::Accented(fold::fold(accented)),
            None => Self::Word(fold::loose(piece)),
        }
    }

    /// The first letters, without accents, of the words that fit.
    fn initials(&self) -> Vec<char> {
        match self {
            Self::Word(own) | Self::Stem(own) => own.chars().next().into_iter().collect(),
            Self::Accented(own) => fold::loose(own).chars().next().into_iter().collect(),
            Self::Any(pieces) => pieces.iter().flat_map(Self::initials).collect(),
        }
    }

    fn fits(&self, word: &str, accented: &str) -> bool {
        match self {
            Self::Word(own) => own == word,
            Self::Accented(own) => own == accented,
            Self::Any(pieces) => pieces.iter().any(|piece| piece.fits(word, accented)),
            Self::Stem(stem) => word.starts_with(stem.as_str()),
        }
    }
}

/// A phrase: words, stems that end in `*`, words after `=` that need their accents, forms of one verb between `|`. `^` before it: only at the start of the message; `$` after it: only at the end of a clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase {
    pieces: Vec<Piece>,
    first: bool,
    last: bool,
}

impl Phrase {
    /// Reads an entry of a word list.
    #[must_use]
    pub fn parse(entry: &str) -> Self {
        let body = entry.trim_start_matches('^').trim_end_matches('$');
        let pieces = body.split_whitespace().map(Piece::parse);
        Self {
            pieces: pieces.collect(),
            first: entry.starts_with('^'),
            last: entry.ends_with('$'),
        }
    }

    fn fits_at(&self, text: &Reading, at: usize) -> bool {
        let end = at + self.pieces.len();
        end <= text.words.len()
            && self
                .pieces
                .iter()
                .zip(at..end)
                .all(|(piece, word)| piece.fits(&text.words[word], &text.exact[word]))
            && (!self.first || at == 0 || at == text.start)
            && (!self.last || text.ends_clause(end))
    }
}

/// A phrase found in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// The first word.
    pub start: usize,
    /// One past the last word.
    pub end: usize,
    /// Which phrase of its topic it is; two messages that use one verb share it.
    pub phrase: usize,
}

/// The phrases of one topic, found by the first letter of their first word.
#[derive(Debug, Clone, Default)]
struct Shelf {
    phrases: Vec<Phrase>,
    initials: BTreeMap<char, Vec<usize>>,
}

impl Shelf {
    fn add(&mut self, phrase: Phrase) {
        let letters: BTreeSet<char> = phrase
            .pieces
            .first()
            .map(Piece::initials)
            .into_iter()
            .flatten()
            .collect();
        for letter in letters {
            self.initials
                .entry(letter)
                .or_default()
                .push(self.phrases.len());
        }
        self.phrases.push(phrase);
    }
}

/// All phrases of the languages that apply, by topic.
#[derive(Debug, Clone, Default)]
pub struct Phrasebook {
    shelves: Vec<Shelf>,
}

impl Phrasebook {
    /// Adds a phrase to the topic of that name; an unknown name adds nothing.
    pub fn add(&mut self, section: &str, phrase: Phrase) {
        let Some(topic) = Topic::named(section) else {
            return;
        };
        self.shelves.resize_with(Topic::ALL.len(), Shelf::default);
        self.shelves[topic as usize].add(phrase);
    }

    /// The longest phrase of a topic that starts at a word.
    #[must_use]
    pub fn at(&self, topic: Topic, text: &Reading, at: usize) -> Option<Found> {
        let found = self.shelves.get(topic as usize)?;
        let letter = text.words.get(at)?.chars().next()?;
        let best = found
            .initials
            .get(&letter)?
            .iter()
            .filter(|index| found.phrases[**index].fits_at(text, at))
            .max_by_key(|index| found.phrases[**index].pieces.len());
        best.map(|index| Found {
            start: at,
            end: at + found.phrases[*index].pieces.len(),
            phrase: *index,
        })
    }

    /// All places where a topic occurs.
    #[must_use]
    pub fn all(&self, topic: Topic, text: &Reading) -> Vec<Found> {
        (0..text.words.len())
            .filter_map(|at| self.at(topic, text, at))
            .collect()
    }

    /// True if a topic occurs anywhere.
    #[must_use]
    pub fn has(&self, topic: Topic, text: &Reading) -> bool {
        (0..text.words.len()).any(|at| self.at(topic, text, at).is_some())
    }

    /// True if the message begins with the topic, after words such as "ok".
    #[must_use]
    pub fn opens(&self, topic: Topic, text: &Reading) -> bool {
        self.at(topic, text, 0).is_some() || self.at(topic, text, text.start).is_some()
    }

    /// True if the message consists of nothing but these topics, and of the first of them at least once.
    #[must_use]
    pub fn covers(&self, topics: &[Topic], text: &Reading) -> bool {
        let mut at = 0;
        let mut seen = false;
        while at < text.words.len() {
            let best = topics.iter().filter_map(|topic| {
                self.at(*topic, text, at)
                    .map(|found| (found.end, *topic == topics[0]))
            });
            let Some((end, main)) = best.max() else {
                return false;
            };
            seen |= main;
            at = end;
        }
        seen
    }
}
