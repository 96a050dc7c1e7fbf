//! What a batch changes, each row once, in the order in which the batch first names it.

use std::sync::Arc;

use replygate_gate::{At, ConversationId, MessageId, Session, SessionId};

use crate::changes::{MessageState, ReplyRow};
use crate::store::{Append, NewMessage, Stored};

/// Everything that the accepted steps of a batch change.
///
/// New messages and replies, and ends of histories, are entries: they count from 1 in the order of arrival, and a store
/// turns the count into numbers that go on from all earlier ones.
#[derive(Debug)]
pub struct Rows<'a, P, K> {
    /// How many entries there are.
    pub entries: usize,
    /// The steps, in order.
    pub steps: Vec<&'a P>,
    /// The sessions that moved.
    pub sessions: Vec<MovedSession<'a, P, K>>,
    /// New messages, by entry.
    pub messages_made: Vec<MadeMessage<'a, P>>,
    /// Messages that were there before.
    pub messages_edited: Vec<EditedMessage<'a>>,
    /// Dedupe keys.
    pub keys: Vec<ReceivedKey<'a, P>>,
    /// New replies, by entry.
    pub replies_made: Vec<MadeReply<'a, P>>,
    /// Replies that were there before.
    pub replies_edited: Vec<EditedReply<'a, P>>,
    /// The steps that carry an operator's deed.
    pub actions: Vec<&'a P>,
}

impl<P, K> Default for Rows<'_, P, K> {
    fn default() -> Self {
        Self {
            entries: 0,
            steps: Vec::new(),
            sessions: Vec::new(),
            messages_made: Vec::new(),
            messages_edited: Vec::new(),
            keys: Vec::new(),
            replies_made: Vec::new(),
            replies_edited: Vec::new(),
            actions: Vec::new(),
        }
    }
}

/// A session after the batch.
#[derive(Debug)]
pub struct MovedSession<'a, P, K> {
    /// As it was before the batch; `None` when the batch makes it.
    pub known: Option<Arc<K>>,
    /// Its first step in the batch.
    pub first: &'a P,
    /// Its last step in the batch.
    pub last: &'a P,
    /// The entry up to which nothing is history any more, when the batch ended it.
    pub history_from: Option<usize>,
}

impl<P: AsRef<Append>, K> MovedSession<'_, P, K> {
    /// Its version now.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.last.as_ref().expected + 1
    }

    /// Its state now, as a load would find it.
    #[must_use]
    pub fn stored(&self) -> Stored {
        let last = self.last.as_ref();
        Stored {
            key: last.key.clone(),
            version: self.version(),
            session: last.session.clone(),
        }
    }

    /// The lowest number that later replies of the conversation wait for.
    #[must_use]
    pub fn first_open(&self) -> Option<u64> {
        first_open(&self.last.as_ref().session)
    }
}

/// A message that the batch makes.
#[derive(Debug)]
pub struct MadeMessage<'a, P> {
    /// Its place in the order of arrival.
    pub entry: usize,
    /// The step that brought it.
    pub step: &'a P,
    /// Its content as it came.
    pub content: &'a NewMessage,
    /// Its newest text.
    pub text: &'a str,
    /// What became of it.
    pub state: MessageState,
}

impl<P: AsRef<Append>> MadeMessage<'_, P> {
    /// When it was written: by the channel's time, else when it was received.
    #[must_use]
    pub fn written_at(&self) -> At {
        self.content.sent_at.unwrap_or(self.step.as_ref().at)
    }
}

/// A message that was there before the batch.
#[derive(Debug)]
pub struct EditedMessage<'a> {
    /// Its session.
    pub session: SessionId,
    /// The message.
    pub id: MessageId,
    /// What became of it, if that changed.
    pub state: Option<MessageState>,
    /// Its newest text, if that changed.
    pub text: Option<&'a str>,
}

/// A dedupe key that the batch makes known.
#[derive(Debug)]
pub struct ReceivedKey<'a, P> {
    /// The key's [`digest`](crate::store::DedupeKey::digest).
    pub key: u128,
    /// The message that it names.
    pub message: MessageId,
    /// The step that brought it.
    pub step: &'a P,
}

/// A reply that the batch makes.
#[derive(Debug)]
pub struct MadeReply<'a, P> {
    /// Its place in the order of arrival.
    pub entry: usize,
    /// The step that brought it.
    pub step: &'a P,
    /// Its parts.
    pub parts: &'a [String],
    /// Its row.
    pub row: ReplyRow,
}

/// A reply that was there before the batch.
#[derive(Debug)]
pub struct EditedReply<'a, P> {
    /// The first step that changed it.
    pub step: &'a P,
    /// Its row; `code`, `superseded_by` and `receipt` that are `None`, and `cut` that is not set, leave what is there.
    pub row: ReplyRow,
}

/// The lowest number that later replies of a session's conversation wait for.
#[must_use]
pub fn first_open(session: &Session) -> Option<u64> {
    let in_line = session.replies.iter();
    let in_line = in_line.filter(|reply| session.is_in_line(reply));
    in_line.map(|reply| reply.seq).min()
}

/// The conversation in whose order a step's replies stand, when it is a group; in a direct chat the session keeps it.
#[must_use]
pub fn shared_order(append: &Append) -> Option<ConversationId> {
    let key = &append.key;
    key.is_group().then(|| key.conversation_id())
}

/// The later row, with what it leaves in place.
pub(super) fn merge(row: &mut ReplyRow, later: ReplyRow) {
    let earlier = std::mem::replace(row, later);
    row.code = row.code.take().or(earlier.code);
    row.superseded_by = row.superseded_by.or(earlier.superseded_by);
    row.receipt = row.receipt.take().or(earlier.receipt);
    row.cut |= earlier.cut;
    row.usage = row.usage.plus(earlier.usage);
}
