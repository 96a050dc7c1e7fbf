//! A turn as a model reads it: what it is told by the gateway, and the conversation. The one place where fates and notes
//! become instructions. Must never put a customer's words among the instructions.

mod phrases;
mod transcript;

use jiff::Timestamp;
use replygate_gate::{At, ReplyId};
use replygate_ports::agent::{Note, Turn};
use replygate_ports::settings::SettingError;
use replygate_ports::store::{HistoryEntry, ReplyFate, first};
use serde_json::{Value, json};

use phrases::{Phrases, ToolPhrases};

use crate::model::Line;
use crate::options::Options;

/// As much of an earlier reply as is repeated, in characters.
const QUOTED_CHARS: usize = 1_000;

/// How a model is told what a turn is about.
pub(crate) struct Briefing {
    phrases: Phrases,
    system: Option<String>,
}

impl Briefing {
    /// `system`: what the model is told of its work, and `language`: in which language the gateway talks to it.
    pub(crate) fn read(options: &Options<'_>) -> Result<Self, SettingError> {
        let language = options.word("language", phrases::LANGUAGES)?;
        let source = language.unwrap_or(phrases::ENGLISH);
        let phrases = Phrases::read(source).map_err(|error| {
            options.wrong("language", error, "a language whose phrases can be read")
        })?;
        let system = options.text("system", "a text")?.map(str::to_owned);
        Ok(Self { phrases, system })
    }

    /// What a model is told of a call that was not made.
    pub(crate) fn tool_phrases(&self) -> &ToolPhrases {
        &self.phrases.tool
    }

    /// Whether something is told of the agent's work.
    pub(crate) fn has_system(&self) -> bool {
        self.system.is_some()
    }

    /// These sentences as a message of the gateway's own, for agents that know no other way.
    pub(crate) fn as_gateway(&self, sentences: &[String]) -> String {
        format!("{}\n\n{}", self.phrases.gateway, sentences.join("\n\n"))
    }

    /// A conversation retold in one message of the gateway's own: one JSON array, so that no line of it can pass for
    /// another's. Nothing when there is none.
    pub(crate) fn retold(&self, lines: &[Line]) -> Option<String> {
        let told: Vec<Value> = lines
            .iter()
            .filter_map(|line| match line {
                Line::Customer(text) => Some(json!({"customer": text})),
                Line::Model(said) => Some(json!({"you": said.text})),
                Line::Results(_) => None,
            })
            .collect();
        let heading = &self.phrases.retold;
        (!told.is_empty()).then(|| format!("{heading}\n{}", Value::Array(told)))
    }

    /// What the model is told: first what never changes, then what holds for this turn.
    pub(crate) fn system(&self, turn: &Turn) -> Vec<String> {
        let mut lasting = self.phrases.frame.clone();
        if let Some(system) = &self.system {
            lasting = format!("{system}\n\n{lasting}");
        }
        let mut now = vec![self.phrases.now.replace("{time}", &time(turn.at))];
        now.extend(self.news(turn));
        vec![lasting, now.join("\n")]
    }

    /// What became of earlier replies, and what the new answer must heed: one sentence for each.
    pub(crate) fn news(&self, turn: &Turn) -> Vec<String> {
        let mut news: Vec<String> = turn
            .history
            .iter()
            .filter_map(|entry| self.fate(turn, entry))
            .collect();
        news.extend(turn.notes.iter().map(|note| self.note(turn, note)));
        news
    }

    /// The conversation that the customer sees, and the messages to be answered, in lines that take turns.
    pub(crate) fn lines(&self, turn: &Turn) -> Vec<Line> {
        transcript::lines(turn, &self.phrases)
    }

    /// The messages to be answered, each as its own text.
    pub(crate) fn burst(&self, turn: &Turn) -> Vec<String> {
        turn.messages
            .iter()
            .map(|message| transcript::words(message, &self.phrases))
            .collect()
    }

    fn fate(&self, turn: &Turn, entry: &HistoryEntry) -> Option<String> {
        let HistoryEntry::Agent {
            reply,
            parts,
            sent,
            fate,
            ..
        } = entry
        else {
            return None;
        };
        // What the customer has stands in the conversation.
        let rest = parts.get(first(parts, *sent).len()..).unwrap_or_default();
        if rest.is_empty() || verdict(turn, *reply).is_some() {
            return None;
        }
        let phrase = match fate {
            ReplyFate::Waiting => return None,
            ReplyFate::Delivered => &self.phrases.fate.cut,
            ReplyFate::Unknown => &self.phrases.fate.unknown,
            ReplyFate::Cancelled => &self.phrases.fate.cancelled,
            ReplyFate::Superseded => &self.phrases.fate.superseded,
            ReplyFate::Parked => &self.phrases.fate.parked,
            ReplyFate::Dropped => &self.phrases.fate.dropped,
        };
        Some(phrase.replace("{reply}", &quoted(rest)))
    }

    fn note(&self, turn: &Turn, note: &Note) -> String {
        let phrases = &self.phrases.note;
        let (phrase, reply) = match note {
            Note::Cancelled { reply } => (&phrases.cancelled, reply),
            Note::Merged { reply } => (&phrases.merged, reply),
            Note::Released { reply } => (&phrases.released, reply),
            Note::TooLate { reply } => (&phrases.too_late, reply),
            Note::Done { reply: Some(reply) } => (&phrases.done, reply),
            Note::Done { reply: None } => return phrases.done_unnamed.clone(),
            Note::Rerun { reply } => (&phrases.rerun, reply),
            Note::Interrupted { reply } => (&phrases.interrupted, reply),
            Note::Stopped => return phrases.stopped.clone(),
        };
        let words = turn.history.iter().find_map(|entry| match entry {
            HistoryEntry::Agent {
                reply: of, parts, ..
            } if of == reply && !parts.is_empty() => Some(quoted(parts)),
            _ => None,
        });
        let words = words.unwrap_or_else(|| self.phrases.unnamed.clone());
        phrase.replace("{reply}", &words)
    }
}

/// What of a reply the customer has seen or will see before the answer.
fn seen<'a>(
    turn: &Turn,
    reply: ReplyId,
    parts: &'a [String],
    sent: u32,
    fate: ReplyFate,
) -> &'a [String] {
    if fate != ReplyFate::Delivered && is_seen(turn, reply, fate) {
        return parts;
    }
    first(parts, sent)
}

/// Whether the customer has seen this reply or will before the answer; what the turn's notes say of it counts first.
fn is_seen(turn: &Turn, reply: ReplyId, fate: ReplyFate) -> bool {
    verdict(turn, reply).unwrap_or(matches!(
        fate,
        ReplyFate::Delivered | ReplyFate::Waiting | ReplyFate::Unknown
    ))
}

/// What the turn's notes say about a held reply: whether the customer will see it.
fn verdict(turn: &Turn, reply: ReplyId) -> Option<bool> {
    turn.notes.iter().find_map(|note| match note {
        Note::Cancelled { reply: of }
        | Note::Merged { reply: of }
        | Note::Interrupted { reply: of } => (*of == reply).then_some(false),
        Note::Released { reply: of } | Note::TooLate { reply: of } => {
            (*of == reply).then_some(true)
        }
        Note::Done { .. } | Note::Rerun { .. } | Note::Stopped => None,
    })
}

/// A reply's words between quotation marks, as JSON writes them: no line of theirs can pass for one of ours.
fn quoted(parts: &[String]) -> String {
    let words: String = parts.join("\n").chars().take(QUOTED_CHARS).collect();
    Value::from(words).to_string()
}

/// The instant to the minute, in UTC, with its day of the week.
fn time(at: At) -> String {
    Timestamp::from_millisecond(at.0)
        .map(|instant| instant.strftime("%A, %Y-%m-%d %H:%M UTC").to_string())
        .unwrap_or_default()
}
