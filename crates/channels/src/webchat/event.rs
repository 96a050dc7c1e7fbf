//! What an open page is told. Must never carry anything but what its own visitor may read.

use replygate_gate::{At, ReplyId};
use replygate_ports::feed::Shown;
use serde_json::{Value, json};

use super::page::notice_key;

/// Something that happened in a visitor's conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A part of a reply arrived. The page knows it again by `reply` and `part`.
    Reply {
        /// The reply.
        reply: ReplyId,
        /// Which part, from 0.
        part: u16,
        /// The text.
        text: String,
        /// When it was handed over.
        at: At,
    },
    /// Somebody began or stopped typing.
    Typing {
        /// Whether somebody types.
        on: bool,
    },
    /// Something outside the order of replies, such as the acknowledgement of a command.
    Notice {
        /// Its id.
        id: ReplyId,
        /// The text.
        text: String,
        /// When it was said.
        at: At,
    },
    /// The page was too slow and missed something: it reads the history again.
    Resync,
}

impl Event {
    /// The event's name in the stream: `reply`, `typing`, `notice`, `resync`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Reply { .. } => "reply",
            Self::Typing { .. } => "typing",
            Self::Notice { .. } => "notice",
            Self::Resync => "resync",
        }
    }

    /// The event for pages of other processes: what it says without its text.
    #[must_use]
    pub const fn shown(&self) -> Shown {
        match self {
            Self::Reply {
                reply, part, at, ..
            } => Shown::Part {
                reply: *reply,
                part: *part,
                at: *at,
            },
            Self::Typing { on } => Shown::Typing { on: *on },
            Self::Notice { .. } | Self::Resync => Shown::History,
        }
    }

    /// The event's data in the stream: a line of the page for `reply` and `notice`, `{"on"}` for `typing`, else `{}`.
    #[must_use]
    pub fn json(&self) -> Value {
        match self {
            Self::Reply {
                reply,
                part,
                text,
                at,
            } => {
                json!({"key": format!("{reply}:{part}"), "from": "them", "text": text, "at": at})
            }
            Self::Typing { on } => json!({"on": on}),
            Self::Notice { id, text, at } => {
                json!({"key": notice_key(*id), "from": "notice", "text": text, "at": at})
            }
            Self::Resync => json!({}),
        }
    }
}
