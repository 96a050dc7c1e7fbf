//! Many steps as one transaction: each step is judged on the state that the ones before it leave, in order, and what the
//! accepted ones mean for the rows is gathered, each row once. Every store that commits steps together drafts them here,
//! so that no two stores can judge differently. Must never touch a store: a refused step leaves no trace.

mod rows;

use std::collections::HashMap;
use std::sync::Arc;

use replygate_gate::{ConversationId, MessageId, ReplyId, Session, SessionId};

use crate::changes::{Change, MessageState, ReplyRow, changes};
use crate::store::{ActionRecord, Append, AppendError, Stored};

pub use rows::{
    EditedMessage, EditedReply, MadeMessage, MadeReply, MovedSession, ReceivedKey, Rows,
    first_open, shared_order,
};

/// What the store says about a batch before it is judged. `K` is a session as the store keeps it in memory.
#[derive(Debug)]
pub struct Facts<K> {
    /// The present state of the batch's sessions; a session that is not here does not exist.
    pub sessions: HashMap<SessionId, Arc<K>>,
    /// Which of the batch's dedupe keys are known, by [`digest`](crate::store::DedupeKey::digest), and as which message.
    pub messages: HashMap<u128, MessageId>,
    /// Which of the batch's requests were carried out.
    pub actions: HashMap<String, ActionRecord>,
    /// Which of the numbers that the batch gives in group conversations are taken, and by which reply.
    pub numbers: HashMap<(ConversationId, u64), ReplyId>,
}

impl<K> Default for Facts<K> {
    fn default() -> Self {
        Self {
            sessions: HashMap::new(),
            messages: HashMap::new(),
            actions: HashMap::new(),
            numbers: HashMap::new(),
        }
    }
}

/// A batch in memory. `P` is a step as the store queues it.
#[derive(Debug)]
pub struct Draft<'a, P, K> {
    facts: Facts<K>,
    rows: Rows<'a, P, K>,
    sessions: HashMap<SessionId, usize>,
    messages: HashMap<MessageId, Place>,
    replies: HashMap<ReplyId, Place>,
}

/// Where a row is: among those that the batch makes, or among those that it changes.
#[derive(Clone, Copy, Debug)]
enum Place {
    Made(usize),
    Edited(usize),
}

impl<'a, P: AsRef<Append>, K: AsRef<Stored>> Draft<'a, P, K> {
    /// An empty batch.
    #[must_use]
    pub fn new(facts: Facts<K>) -> Self {
        Self {
            facts,
            rows: Rows::default(),
            sessions: HashMap::new(),
            messages: HashMap::new(),
            replies: HashMap::new(),
        }
    }

    /// Whether nothing was accepted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.steps.is_empty()
    }

    /// What the accepted steps mean.
    #[must_use]
    pub fn finish(self) -> Rows<'a, P, K> {
        self.rows
    }

    /// Accepts the step and returns the version it leads to, or says why not.
    ///
    /// # Errors
    /// `Repeated`, `Duplicate` and `Conflict`, in this order.
    pub fn judge(&mut self, step: &'a P) -> Result<u64, AppendError> {
        let append = step.as_ref();
        let key = append
            .message
            .as_ref()
            .map(|message| message.dedupe.digest());
        self.refuse_known(append, key)?;
        let before = self.before(append)?;
        let changes = changes(append, &before);
        self.refuse_taken_number(append, &changes)?;

        self.advance(step);
        for change in changes {
            self.apply(step, &before, change);
        }
        self.receive(step, key);
        self.rows.steps.push(step);
        Ok(append.expected + 1)
    }

    fn refuse_known(&self, append: &Append, key: Option<u128>) -> Result<(), AppendError> {
        let action = append.action.as_ref();
        if let Some(record) = action.and_then(|action| self.facts.actions.get(&action.request_id)) {
            return Err(AppendError::Repeated(Box::new(record.clone())));
        }
        match key.and_then(|key| self.facts.messages.get(&key)) {
            Some(message) => Err(AppendError::Duplicate { message: *message }),
            None => Ok(()),
        }
    }

    /// The state that the step was decided on, if that is the present one.
    fn before(&self, append: &Append) -> Result<Session, AppendError> {
        let (present, session) = self.present(append.id);
        if present != append.expected {
            return Err(AppendError::Conflict {
                expected: append.expected,
                present,
            });
        }
        Ok(session.cloned().unwrap_or_default())
    }

    fn present(&self, id: SessionId) -> (u64, Option<&Session>) {
        if let Some(index) = self.sessions.get(&id) {
            let last = self.rows.sessions[*index].last.as_ref();
            return (last.expected + 1, Some(&last.session));
        }
        let known = self.facts.sessions.get(&id).map(|known| (**known).as_ref());
        known.map_or((0, None), |stored| (stored.version, Some(&stored.session)))
    }

    /// Only groups are asked: in a direct chat the session's version keeps its numbers apart.
    fn refuse_taken_number(
        &mut self,
        append: &Append,
        changes: &[Change],
    ) -> Result<(), AppendError> {
        if !append.key.is_group() {
            return Ok(());
        }
        let conversation = append.key.conversation_id();
        let rows = || {
            changes.iter().filter_map(|change| match change {
                Change::Reply(row) => Some(row),
                _ => None,
            })
        };
        let taken = |row: &ReplyRow| {
            let by = self.facts.numbers.get(&(conversation, row.seq));
            by.is_some_and(|id| *id != row.id)
        };
        if rows().any(taken) {
            return Err(AppendError::Conflict {
                expected: append.expected,
                present: append.expected,
            });
        }
        for row in rows() {
            self.facts.numbers.insert((conversation, row.seq), row.id);
        }
        Ok(())
    }

    /// Makes the step its session's newest.
    fn advance(&mut self, step: &'a P) {
        let id = step.as_ref().id;
        if let Some(index) = self.sessions.get(&id) {
            self.rows.sessions[*index].last = step;
            return;
        }
        self.sessions.insert(id, self.rows.sessions.len());
        self.rows.sessions.push(MovedSession {
            known: self.facts.sessions.get(&id).cloned(),
            first: step,
            last: step,
            history_from: None,
        });
    }

    fn apply(&mut self, step: &'a P, before: &Session, change: Change) {
        match change {
            Change::Message(id, state) => self.message_is(step, id, state),
            Change::Text(id) => {
                if let Some(edit) = &step.as_ref().message {
                    self.text_is(step, id, &edit.text);
                }
            }
            Change::Reply(row) => self.reply_is(step, before, row),
            Change::HistoryEnds => {
                let end = self.next_entry();
                if let Some(index) = self.sessions.get(&step.as_ref().id) {
                    self.rows.sessions[*index].history_from = Some(end);
                }
            }
        }
    }

    fn next_entry(&mut self) -> usize {
        self.rows.entries += 1;
        self.rows.entries
    }

    fn message_is(&mut self, step: &'a P, id: MessageId, state: MessageState) {
        match self.messages.get(&id) {
            Some(Place::Made(index)) => self.rows.messages_made[*index].state = state,
            Some(Place::Edited(index)) => self.rows.messages_edited[*index].state = Some(state),
            None => self.first_of_message(step, id, state),
        }
    }

    fn first_of_message(&mut self, step: &'a P, id: MessageId, state: MessageState) {
        let append = step.as_ref();
        let Some(content) = append.message.as_ref().filter(|message| message.id == id) else {
            self.edit_message(append.id, id).state = Some(state);
            return;
        };
        let entry = self.next_entry();
        let made = MadeMessage {
            entry,
            step,
            content,
            text: &content.text,
            state,
        };
        self.messages
            .insert(id, Place::Made(self.rows.messages_made.len()));
        self.rows.messages_made.push(made);
    }

    fn text_is(&mut self, step: &'a P, id: MessageId, text: &'a str) {
        match self.messages.get(&id) {
            Some(Place::Made(index)) => self.rows.messages_made[*index].text = text,
            Some(Place::Edited(index)) => self.rows.messages_edited[*index].text = Some(text),
            None => self.edit_message(step.as_ref().id, id).text = Some(text),
        }
    }

    fn edit_message(&mut self, session: SessionId, id: MessageId) -> &mut EditedMessage<'a> {
        let index = self.rows.messages_edited.len();
        self.messages.insert(id, Place::Edited(index));
        self.rows.messages_edited.push(EditedMessage {
            session,
            id,
            state: None,
            text: None,
        });
        &mut self.rows.messages_edited[index]
    }

    fn reply_is(&mut self, step: &'a P, before: &Session, row: ReplyRow) {
        match self.replies.get(&row.id) {
            Some(Place::Made(index)) => rows::merge(&mut self.rows.replies_made[*index].row, row),
            Some(Place::Edited(index)) => {
                rows::merge(&mut self.rows.replies_edited[*index].row, row);
            }
            None if before.reply(row.id).is_none() => self.make_reply(step, row),
            None => {
                self.replies
                    .insert(row.id, Place::Edited(self.rows.replies_edited.len()));
                self.rows.replies_edited.push(EditedReply { step, row });
            }
        }
    }

    fn make_reply(&mut self, step: &'a P, row: ReplyRow) {
        let entry = self.next_entry();
        let content = step.as_ref().reply.as_ref();
        let content = content.filter(|content| content.id == row.id);
        self.replies
            .insert(row.id, Place::Made(self.rows.replies_made.len()));
        self.rows.replies_made.push(MadeReply {
            entry,
            step,
            parts: content.map_or(&[][..], |content| &content.parts[..]),
            row,
        });
    }

    /// What is known once for ever: the message's key and the operator's request.
    fn receive(&mut self, step: &'a P, key: Option<u128>) {
        let append = step.as_ref();
        if let (Some(message), Some(key)) = (&append.message, key) {
            self.facts.messages.insert(key, message.id);
            self.rows.keys.push(ReceivedKey {
                key,
                message: message.id,
                step,
            });
        }
        if let Some(action) = &append.action {
            let record = ActionRecord {
                action: action.clone(),
                session: append.id,
                at: append.at,
            };
            self.facts.actions.insert(action.request_id.clone(), record);
            self.rows.actions.push(step);
        }
    }
}
