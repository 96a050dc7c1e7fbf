//! One bubble of the page. Must never hold what the visitor was not told: a reply that was not delivered is not shown.

use replygate_gate::{At, ReplyId, ReplyStatus};
use replygate_ports::views::{MessageView, ReplyView};
use serde::Serialize;

/// Who speaks in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The visitor.
    You,
    /// Who answers, agent or person.
    Them,
    /// The product itself, such as after a command.
    Notice,
}

impl Speaker {
    /// The word that the page's classes and JSON use.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::You => "you",
            Self::Them => "them",
            Self::Notice => "notice",
        }
    }
}

/// One line of the conversation as the page shows it; as JSON `{"key","from","text","at"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Equal for the same line wherever it comes from: `msg_…`, or a reply's id, `:` and the part, or `:notice`.
    pub key: String,
    /// Who speaks.
    pub from: Speaker,
    /// What.
    pub text: String,
    /// When, in milliseconds since 1970.
    pub at: At,
}

impl Line {
    /// What the visitor wrote.
    #[must_use]
    pub fn of_message(message: &MessageView) -> Self {
        Self {
            key: message.id.to_string(),
            from: Speaker::You,
            text: message.text.clone(),
            at: message.written_at(),
        }
    }

    /// What the visitor was told, a line for each part; none of a reply that was not delivered.
    #[must_use]
    pub fn of_reply(reply: &ReplyView) -> Vec<Self> {
        if reply.status != ReplyStatus::Delivered {
            return Vec::new();
        }
        let parts = reply.parts.iter().enumerate();
        parts
            .map(|(nth, text)| Self {
                key: format!("{}:{nth}", reply.id),
                from: Speaker::Them,
                text: text.clone(),
                at: reply.created_at,
            })
            .collect()
    }

    /// What was said outside the order of replies to whom wrote `message`; the key is that of the live event.
    #[must_use]
    pub fn of_notice(message: &MessageView, text: &str) -> Self {
        Self {
            key: notice_key(ReplyId(message.id.0)),
            from: Speaker::Notice,
            text: text.to_owned(),
            at: message.received_at,
        }
    }
}

/// The key of a notice's line.
pub(crate) fn notice_key(id: ReplyId) -> String {
    format!("{id}:notice")
}

#[cfg(test)]
mod tests {
    use replygate_gate::{Author, MessageId, SessionId, Usage};

    use super::*;

    fn reply(status: ReplyStatus) -> ReplyView {
        ReplyView {
            id: ReplyId(4),
            session: SessionId(1),
            seq: 1,
            status,
            parts: vec!["one".to_owned(), "two".to_owned()],
            covers: vec![MessageId(1)],
            author: Author::Agent,
            effects: false,
            created_at: At(2),
            due_at: At(2),
            changed_at: At(2),
            generation: 0,
            attempts: 0,
            park_reason: None,
            code: None,
            superseded_by: None,
            receipt: None,
            cut: false,
            usage: Usage::default(),
        }
    }

    #[test]
    fn only_what_was_delivered_is_shown() {
        for status in ReplyStatus::ALL {
            let shown = Line::of_reply(&reply(*status));
            let texts: Vec<&str> = shown.iter().map(|line| line.text.as_str()).collect();
            match status {
                ReplyStatus::Delivered => assert_eq!(texts, ["one", "two"]),
                _ => assert_eq!(texts, [""; 0], "{status}"),
            }
        }
        let shown = Line::of_reply(&reply(ReplyStatus::Delivered));
        assert_eq!(shown[1].key, format!("{}:1", ReplyId(4)));
    }
}
