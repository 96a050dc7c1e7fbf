//! Reactions: a sign put on an open question answers it, any other is recorded. Must never let one that answers nothing
//! start a turn or hold a reply.

use replygate_gate::debounce::MessageKind;
use replygate_gate::text::asks;
use replygate_gate::{At, ReplyId};
use replygate_ports::channel::Inbound;
use replygate_ports::store::{HistoryEntry, ReplyFate};

use crate::desk::StepError;
use crate::engine::Inner;

/// A question is open for a day, the time that messaging platforms give a business to answer in: a sign put on an older
/// one is a pleasantry, or a slip.
const OPEN_MS: u64 = 86_400_000;
/// How far back the last thing that the customer read is looked for, behind signs and replies that are still on their way.
const LOOK_BACK: u32 = 20;

/// The last thing that was said in a conversation, as far as the customer has it.
struct Last {
    /// The reply, when it was one.
    reply: Option<(ReplyId, At, Vec<String>)>,
    /// Whether a sign was put on something since.
    signs: bool,
}

impl Inner {
    /// Whether a reaction answers an open question: it was put on the last thing that was said, which is a reply of ours
    /// to this customer, asks something and is not old. Taken away again it counts only against a sign before it.
    pub(super) async fn is_answer(&self, inbound: &Inbound) -> Result<bool, StepError> {
        let Some(put_on) = inbound.reaction_to else {
            return Ok(false);
        };
        let session = inbound.key.session();
        let history = self.parts.store.history(session, &[], LOOK_BACK).await?;
        let last = last(history);
        let Some((reply, at, parts)) = last.reply.filter(|(reply, ..)| *reply == put_on) else {
            return Ok(false);
        };
        let is_fresh = self.parts.clock.now().since(at) <= OPEN_MS;
        let says = !inbound.text.is_empty() || last.signs;
        if !is_fresh || !says || !parts.iter().any(|part| asks(part)) {
            return Ok(false);
        }
        // In a group somebody else may put a sign on what one author was asked.
        Ok(self.parts.store.find_reply(reply).await? == Some(session))
    }
}

fn last(history: Vec<HistoryEntry>) -> Last {
    let mut last = Last {
        reply: None,
        signs: false,
    };
    for entry in history.into_iter().rev() {
        match entry {
            HistoryEntry::Customer {
                kind: MessageKind::Reaction,
                ..
            } => last.signs = true,
            HistoryEntry::Agent { fate, .. } if !is_seen(fate) => {}
            HistoryEntry::Customer { .. } => return last,
            HistoryEntry::Agent {
                reply, at, parts, ..
            }
            | HistoryEntry::Person { reply, at, parts } => {
                last.reply = Some((reply, at, parts));
                return last;
            }
        }
    }
    last
}

/// Whether the customer has the reply, or may have it: a sign that was put on it proves the latter.
fn is_seen(fate: ReplyFate) -> bool {
    matches!(fate, ReplyFate::Delivered | ReplyFate::Unknown)
}
