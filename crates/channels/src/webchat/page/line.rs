//! One bubble of the page. Must never hold what the visitor was not told: a part that did not leave is not shown.

use replygate_gate::{At, ReplyId};
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

    /// What the visitor was told, a line for each part that certainly left; none of a reply of which nothing did.
    #[must_use]
    pub fn of_reply(reply: &ReplyView) -> Vec<Self> {
        let parts = reply.sent_parts().iter().enumerate();
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
    use replygate_gate::{Author, MessageId, ReplyStatus, SessionId, Usage};

    use super::*;

    fn reply(status: ReplyStatus, sent: u32) -> ReplyView {
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
            sent,
            usage: Usage::default(),
        }
    }

    #[test]
    fn only_parts_that_left_are_shown() {
        // Whatever became of the rest, what left is there.
        for status in ReplyStatus::ALL {
            for sent in 0..3 {
                let shown = Line::of_reply(&reply(*status, sent));
                let texts: Vec<&str> = shown.iter().map(|line| line.text.as_str()).collect();
                assert_eq!(texts, ["one", "two"][..sent as usize], "{status}");
            }
        }
        let shown = Line::of_reply(&reply(ReplyStatus::Delivered, 2));
        assert_eq!(shown[1].key, format!("{}:1", ReplyId(4)));
    }
}
