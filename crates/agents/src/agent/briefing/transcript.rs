//! The conversation as the customer sees it, in lines that take turns: many models refuse two of the same side in a row,
//! and a beginning that is not the customer's.

use replygate_gate::debounce::MessageKind;
use replygate_ports::agent::{Turn, TurnMessage};
use replygate_ports::store::HistoryEntry;

use super::phrases::Phrases;
use super::seen;
use crate::model::{Line, Said};

/// Stands between two texts of the same side.
const BETWEEN: &str = "\n\n";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Customer,
    Business,
}

pub(super) fn lines(turn: &Turn, phrases: &Phrases) -> Vec<Line> {
    let past = turn.history.iter().map(|entry| match entry {
        HistoryEntry::Customer { text, .. } if text.is_empty() => {
            (Side::Customer, phrases.message.gone.clone())
        }
        HistoryEntry::Customer { text, .. } => (Side::Customer, text.clone()),
        HistoryEntry::Agent {
            reply,
            parts,
            sent,
            fate,
            ..
        } => {
            let seen = seen(turn, *reply, parts, *sent, *fate);
            (Side::Business, seen.join(BETWEEN))
        }
        HistoryEntry::Person { parts, .. } => (Side::Business, parts.join(BETWEEN)),
    });
    let newest = turn
        .messages
        .iter()
        .map(|message| (Side::Customer, words(message, phrases)));
    let mut sides: Vec<(Side, String)> = Vec::new();
    for (side, text) in past.chain(newest).filter(|(_, text)| !text.is_empty()) {
        match sides.last_mut() {
            Some((last, joined)) if *last == side => {
                joined.push_str(BETWEEN);
                joined.push_str(&text);
            }
            _ => sides.push((side, text)),
        }
    }
    if sides
        .first()
        .is_some_and(|(side, _)| *side == Side::Business)
    {
        sides.insert(0, (Side::Customer, phrases.continued.clone()));
    }
    let line = |(side, text)| match side {
        Side::Customer => Line::Customer(text),
        Side::Business => Line::Model(Said::words(text)),
    };
    sides.into_iter().map(line).collect()
}

/// A message's words, or what stands for them.
pub(super) fn words(message: &TurnMessage, phrases: &Phrases) -> String {
    let known = &phrases.message;
    let sign;
    let text = match message.kind {
        MessageKind::Reaction if message.text.is_empty() => &known.reaction_gone,
        MessageKind::Reaction => {
            sign = known.reaction.replace("{sign}", &message.text);
            &sign
        }
        _ if !message.text.is_empty() => message.text.as_str(),
        MessageKind::Media => &known.media,
        MessageKind::Voice => &known.voice,
        MessageKind::Text => &known.gone,
    };
    let before = match message.kind {
        _ if message.edit_of.is_none() => return text.to_owned(),
        MessageKind::Voice => &known.transcript,
        _ => &known.edit,
    };
    format!("{before}\n{text}")
}
