//! The adaptive debounce: how finished a message looks, and how long to wait for the next one. It never waits itself, and it never looks at
//! anything but the text, its kind and the settings, so that the same function runs in the pipeline, in the model and in the browser.

mod burst;
mod ending;
mod greeting;
mod hanging;
mod links;
mod windows;

use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use burst::{Burst, BurstEnd, Timed, bursts};
pub use windows::{SettingError, Windows, due, latest};

use crate::control::{self, ControlCommands};
use crate::status::UnknownWord;
use crate::text::Languages;

/// What a message consists of, as the channel reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageKind {
    /// Words only.
    #[default]
    Text,
    /// An image, a video, a document, a place, a contact card; its text is the caption.
    Media,
    /// A voice note; its text is the transcript, if there is one.
    Voice,
    /// A sign put on an earlier message; its text is the emoji. Taken away again it has none.
    Reaction,
}

impl MessageKind {
    /// Every kind.
    pub const ALL: &'static [Self] = &[Self::Text, Self::Media, Self::Voice, Self::Reaction];

    /// The word under which the kind is stored and by which channels name it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Media => "media",
            Self::Voice => "voice",
            Self::Reaction => "reaction",
        }
    }

    /// Whether it may come without any text.
    #[must_use]
    pub const fn may_be_empty(self) -> bool {
        !matches!(self, Self::Text)
    }
}

impl FromStr for MessageKind {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let found = Self::ALL.iter().find(|kind| kind.as_str() == text);
        found.copied().ok_or_else(|| {
            let allowed: Vec<&str> = Self::ALL.iter().map(|kind| kind.as_str()).collect();
            UnknownWord::new("message kind", text, allowed.join(", "))
        })
    }
}

/// How a message ends, in the order of precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Signal {
    /// A control command: it skips the buffer.
    Command,
    /// An attachment or bare links without words: a comment usually follows.
    Media,
    /// An opening only: the request follows.
    Greeting,
    /// Visibly unfinished.
    Dangling,
    /// A complete sentence.
    Closed,
    /// No sign either way.
    Neutral,
}

impl Signal {
    /// The word that settings, JSON and the console use.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::Media => "media",
            Self::Greeting => "greeting",
            Self::Dangling => "dangling",
            Self::Closed => "closed",
            Self::Neutral => "neutral",
        }
    }
}

/// The rule that decided a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// The whole message is a control command or a bare stop word.
    ControlCommand,
    /// An attachment without words.
    Attachment,
    /// Links and nothing else.
    BareLink,
    /// Greetings, and only what may stand beside them.
    GreetingAlone,
    /// Two or more dots, or an ellipsis character.
    Ellipsis,
    /// A comma, semicolon, colon or dash at the end.
    Pause,
    /// A bracket or quotation mark that was opened and not closed.
    OpenBracket,
    /// A plus or ampersand standing alone at the end.
    Joiner,
    /// An abbreviation that needs a word after it ("Sr.").
    Abbreviation,
    /// The last word asks for another one ("and", "the").
    HangingWord,
    /// The last clause is only a connective ("also").
    LoneConnective,
    /// A question or exclamation mark, or a full stop of any script.
    SentenceMark,
    /// The text ends in a link; the mark may belong to it.
    LinkAtEnd,
    /// A number with a dot and nothing else.
    NumberDot,
    /// No letters or digits at all.
    NoWords,
    /// Words without a sign at the end.
    NoSign,
}

impl Rule {
    /// The stable name of the rule.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ControlCommand => "control_command",
            Self::Attachment => "attachment",
            Self::BareLink => "bare_link",
            Self::GreetingAlone => "greeting_alone",
            Self::Ellipsis => "ellipsis",
            Self::Pause => "pause",
            Self::OpenBracket => "open_bracket",
            Self::Joiner => "joiner",
            Self::Abbreviation => "abbreviation",
            Self::HangingWord => "hanging_word",
            Self::LoneConnective => "lone_connective",
            Self::SentenceMark => "sentence_mark",
            Self::LinkAtEnd => "link_at_end",
            Self::NumberDot => "number_dot",
            Self::NoWords => "no_words",
            Self::NoSign => "no_sign",
        }
    }
}

/// A piece of the original text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The characters themselves.
    pub text: String,
}

/// One message as the debounce sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample<'a> {
    /// Text, caption or transcript; may be empty.
    pub text: &'a str,
    /// What the message consists of.
    pub kind: MessageKind,
}

impl<'a> Sample<'a> {
    /// A message of words only.
    #[must_use]
    pub const fn text(text: &'a str) -> Self {
        Self {
            text,
            kind: MessageKind::Text,
        }
    }
}

/// Why a message has its signal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// How the message ends.
    pub signal: Signal,
    /// The rule that decided.
    pub rule: Rule,
    /// The characters that decided, if any did.
    pub matched: Option<Span>,
    /// What was passed over at the end before the last mark was read (blanks, emoji, quotes, brackets, invisible marks).
    pub skipped: Option<Span>,
    /// How long to wait for the next message, in milliseconds.
    pub window_ms: u64,
}

/// A signal with the rule and the byte range that decided it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Finding {
    signal: Signal,
    rule: Rule,
    matched: (usize, usize),
}

impl Finding {
    const fn new(signal: Signal, rule: Rule, matched: (usize, usize)) -> Self {
        Self {
            signal,
            rule,
            matched,
        }
    }
}

/// How a message ends. Control commands are those of `commands`.
#[must_use]
pub fn classify(sample: Sample<'_>, commands: &ControlCommands, languages: &Languages) -> Signal {
    find(sample, commands, languages).signal
}

/// How a message ends, which rule decided, by which characters, and how long to wait.
#[must_use]
pub fn explain(
    sample: Sample<'_>,
    commands: &ControlCommands,
    languages: &Languages,
    windows: &Windows,
) -> Explanation {
    let finding = find(sample, commands, languages);
    let end = ending::read(sample.text).end;
    Explanation {
        signal: finding.signal,
        rule: finding.rule,
        matched: span(sample.text, finding.matched),
        skipped: span(sample.text, (end.max(finding.matched.1), sample.text.len())),
        window_ms: windows.window(finding.signal),
    }
}

fn span(text: &str, (start, end): (usize, usize)) -> Option<Span> {
    let piece = text.get(start..end).filter(|piece| !piece.is_empty())?;
    Some(Span {
        start,
        end,
        text: piece.to_owned(),
    })
}

fn find(sample: Sample<'_>, commands: &ControlCommands, languages: &Languages) -> Finding {
    let text = sample.text;
    let whole = (0, text.len());
    // Complete in itself, whatever its name: a channel may spell an emoji out, `stop` for a sign of that name.
    if sample.kind == MessageKind::Reaction {
        return Finding::new(Signal::Neutral, Rule::NoWords, whole);
    }
    if control::parse(text, commands, languages).is_some() {
        return Finding::new(Signal::Command, Rule::ControlCommand, whole);
    }
    if sample.kind != MessageKind::Text && !text.chars().any(crate::text::chars::is_word) {
        return Finding::new(Signal::Media, Rule::Attachment, whole);
    }
    if links::is_bare(text) {
        return Finding::new(Signal::Media, Rule::BareLink, whole);
    }
    if let Some(matched) = greeting::alone(text, languages) {
        return Finding::new(Signal::Greeting, Rule::GreetingAlone, matched);
    }
    hanging::finish(text, languages)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(text: &str) -> Explanation {
        explain(
            Sample::text(text),
            &ControlCommands::default(),
            Languages::all(),
            &Windows::default(),
        )
    }

    #[test]
    fn an_explanation_names_the_deciding_characters_and_what_was_skipped() {
        let why = explained("Can I pay on delivery? 🙏");
        assert_eq!(why.rule, Rule::SentenceMark);
        assert_eq!(why.matched.unwrap().text, "?");
        assert_eq!(why.skipped.unwrap().text, " 🙏");
        assert_eq!(why.window_ms, 1200);
    }

    #[test]
    fn a_joiner_or_selector_glued_to_the_mark_hides_nothing() {
        for text in [
            "Is it open?\u{FE0F}\u{200D} ",
            "Obrigado.\u{200D}",
            "متى؟\u{FE0F}",
        ] {
            assert_eq!(explained(text).signal, Signal::Closed, "{text:?}");
        }
        assert_eq!(explained("so,\u{200D}").signal, Signal::Dangling);
    }

    #[test]
    fn a_hanging_word_is_named() {
        let why = explained("je voudrais changer l'adresse et ");
        assert_eq!(
            (why.rule, why.matched.unwrap().text.as_str()),
            (Rule::HangingWord, "et")
        );
    }

    #[test]
    fn a_caption_is_read_like_a_text() {
        let photo = |text| {
            classify(
                Sample {
                    text,
                    kind: MessageKind::Media,
                },
                &ControlCommands::default(),
                Languages::all(),
            )
        };
        assert_eq!(photo(""), Signal::Media);
        assert_eq!(photo("😍"), Signal::Media);
        assert_eq!(photo("Do you have this one?"), Signal::Closed);
    }

    #[test]
    fn a_reaction_is_neither_a_command_nor_an_attachment() {
        for text in ["👍", "stop", ""] {
            let sample = Sample {
                text,
                kind: MessageKind::Reaction,
            };
            let signal = classify(sample, &ControlCommands::default(), Languages::all());
            assert_eq!(signal, Signal::Neutral, "{text:?}");
        }
    }

    #[test]
    fn every_kind_is_found_by_its_word() {
        for kind in MessageKind::ALL {
            assert_eq!(kind.as_str().parse(), Ok(*kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
        }
        assert!("sticker".parse::<MessageKind>().is_err());
    }

    #[test]
    fn the_names_of_rules_and_signals_are_those_of_their_json() {
        for rule in [
            Rule::ControlCommand,
            Rule::HangingWord,
            Rule::NoSign,
            Rule::NumberDot,
        ] {
            assert_eq!(serde_json::to_value(rule).unwrap(), rule.as_str());
        }
        for signal in [
            Signal::Command,
            Signal::Media,
            Signal::Greeting,
            Signal::Dangling,
            Signal::Closed,
            Signal::Neutral,
        ] {
            assert_eq!(serde_json::to_value(signal).unwrap(), signal.as_str());
        }
    }
}
