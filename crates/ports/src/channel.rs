//! A channel as the pipeline uses it: hand over a part, show typing, give a notice. Parsing what comes in is the
//! channel crate's own business; the pipeline gets [`Inbound`].

use std::time::Duration;

use async_trait::async_trait;
use replygate_gate::debounce::MessageKind;
use replygate_gate::{At, MessageId, Outcome, ReplyId, Sender, SessionKey};

/// The number under which a transcript is an edit of its message, so that one that comes twice is known: no channel's edit
/// time is this one.
pub const TRANSCRIPT: i64 = 0;

/// A message as a channel understood it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inbound {
    /// Where it came from.
    pub key: SessionKey,
    /// The channel's own id of the message.
    pub provider_id: String,
    /// Words, attachment, voice or reaction.
    pub kind: MessageKind,
    /// The words, as they came.
    pub text: String,
    /// When the channel says it was written.
    pub sent_at: Option<At>,
    /// Set for an edit of the message with the same `provider_id`: the channel's edit time or number, or [`TRANSCRIPT`].
    pub edit: Option<i64>,
    /// Within so many milliseconds its transcript comes; none where none is on its way.
    pub awaits_ms: Option<u64>,
    /// The reply that a reaction was put on, where it is one of ours.
    pub reaction_to: Option<ReplyId>,
}

/// One part of a reply, to be handed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outbound {
    /// To whom.
    pub key: SessionKey,
    /// The reply.
    pub reply: ReplyId,
    /// Its place in the conversation's order.
    pub seq: u64,
    /// Which part, from 0.
    pub part: u16,
    /// Of how many.
    pub parts: u16,
    /// The part's text.
    pub text: String,
    /// The messages that the reply answers.
    pub covers: Vec<MessageId>,
}

/// How a channel shows that somebody is typing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typing {
    /// Not at all.
    None,
    /// On until told off.
    OnOff,
    /// On for a while; to be renewed after this time, off by silence or by the next message.
    Renewed {
        /// How often to renew.
        every: Duration,
    },
    /// Once per inbound message, never renewed.
    Once,
}

/// A way to reach people.
#[async_trait]
pub trait Channel: Send + Sync {
    /// Hands one part over and says what became of it; returns within `limit`, with `Unknown` when the outcome is not
    /// known by then.
    ///
    /// `Unknown` is for whatever may have left; `NotSent` only when it certainly did not.
    async fn send(&self, part: &Outbound, limit: Duration) -> Outcome;

    /// Shows typing or stops showing it. Failures are of no consequence.
    async fn typing(&self, to: &SessionKey, show: Show);

    /// Says something outside the order of replies, such as the acknowledgement of a command; `id` makes it recognisable
    /// when it comes twice.
    async fn notice(&self, to: &SessionKey, id: ReplyId, text: &str, limit: Duration) -> Outcome;

    /// How typing works here.
    fn typing_style(&self) -> Typing;

    /// What whoever delivers messages makes of being told no. A platform's webhook delivers again whatever is not
    /// accepted, so unless a channel knows better its messages are accepted and dropped on record.
    fn sender(&self) -> Sender {
        Sender::Redelivers
    }
}

/// Whether typing is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// Somebody is typing.
    On,
    /// Nobody is.
    Off,
}
