//! One bubble of the page. Must never hold what the visitor was not told: a reply that was not delivered is not shown.

use replygate_gate::At;
use replygate_ports::store::{HistoryEntry, ReplyFate};
use serde::Serialize;

/// Who speaks in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The visitor.
    You,
    /// Who answers, agent or person.
    Them,
}

impl Speaker {
    /// The word that the page's classes and JSON use.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::You => "you",
            Self::Them => "them",
        }
    }
}

/// One line of the conversation as the page shows it; as JSON `{"key","from","text","at"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Equal for the same line wherever it comes from: `msg_…`, or a reply's id, `:` and the part.
    pub key: String,
    /// Who speaks.
    pub from: Speaker,
    /// What.
    pub text: String,
    /// When, in milliseconds since 1970.
    pub at: At,
}

/// The lines that a visitor may see: their own messages and what was delivered, in the history's order. Pruned texts
/// leave no line.
#[must_use]
pub fn lines(history: &[HistoryEntry]) -> Vec<Line> {
    history
        .iter()
        .flat_map(lines_of)
        .filter(|line| !line.text.is_empty())
        .collect()
}

fn lines_of(entry: &HistoryEntry) -> Vec<Line> {
    match entry {
        HistoryEntry::Customer { message, at, text } => {
            vec![Line {
                key: message.to_string(),
                from: Speaker::You,
                text: text.clone(),
                at: *at,
            }]
        }
        HistoryEntry::Agent {
            reply,
            at,
            parts,
            fate: ReplyFate::Delivered,
        }
        | HistoryEntry::Person {
            reply, at, parts, ..
        } => parts
            .iter()
            .enumerate()
            .map(|(nth, text)| Line {
                key: format!("{reply}:{nth}"),
                from: Speaker::Them,
                text: text.clone(),
                at: *at,
            })
            .collect(),
        HistoryEntry::Agent { .. } => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use replygate_gate::{MessageId, ReplyId};

    use super::*;

    fn agent(id: u128, parts: &[&str], fate: ReplyFate) -> HistoryEntry {
        let parts = parts.iter().map(|text| (*text).to_owned()).collect();
        HistoryEntry::Agent {
            reply: ReplyId(id),
            at: At(2),
            parts,
            fate,
        }
    }

    #[test]
    fn only_what_was_delivered_is_shown() {
        let history = [
            HistoryEntry::Customer {
                message: MessageId(1),
                at: At(1),
                text: "oi".into(),
            },
            agent(2, &["cancelled"], ReplyFate::Cancelled),
            agent(3, &["waiting"], ReplyFate::Waiting),
            agent(4, &["one", "two"], ReplyFate::Delivered),
            HistoryEntry::Customer {
                message: MessageId(5),
                at: At(3),
                text: String::new(),
            },
        ];
        let shown = lines(&history);
        let texts: Vec<&str> = shown.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts, ["oi", "one", "two"]);
        assert_eq!(shown[2].key, format!("{}:1", ReplyId(4)));
    }
}
