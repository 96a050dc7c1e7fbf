//! A batch in memory: each append is judged on the state that the ones before it leave, in order, and only then all rows
//! are written. Must never touch the file before that, so that a refused append leaves no trace.

mod texts;

use std::collections::HashMap;
use std::sync::Arc;

use replygate_gate::{MessageId, ReplyId, Session, SessionId};
use replygate_ports::changes::{Change, MessageState, ReplyRow, changes};
use replygate_ports::store::{ActionRecord, Append, AppendError, NewMessage, Stored};
use rusqlite::Connection;

use super::facts::Facts;
use super::fault::Fault;
use super::rows::Rows;
use super::{Numbers, Pending};
use crate::cache::{Committed, Known};

/// What is newest of a session inside the batch.
pub(super) struct Tip<'a> {
    pub n: i64,
    pub is_new: bool,
    pub created_at: i64,
    pub last: &'a Pending,
    pub history_from: Option<i64>,
}

pub(super) struct MessageDraft<'a> {
    pub n: i64,
    pub session: i64,
    pub append: &'a Append,
    pub content: &'a NewMessage,
    pub text: &'a str,
    pub state: MessageState,
}

pub(super) struct ReplyDraft<'a> {
    pub n: i64,
    pub session: i64,
    pub append: &'a Append,
    pub row: ReplyRow,
}

impl ReplyDraft<'_> {
    /// The reply's parts, which come with the append that makes it.
    pub fn parts(&self) -> &[String] {
        let content = self.append.reply.as_ref();
        content
            .filter(|content| content.id == self.row.id)
            .map_or(&[], |content| &content.parts)
    }
}

pub(super) struct Batch<'a> {
    facts: Facts,
    numbers: Numbers,
    /// The accepted appends in order, each with the number of its step and its session.
    accepted: Vec<(i64, i64, &'a Pending)>,
    tips: HashMap<SessionId, Tip<'a>>,
    messages_new: HashMap<MessageId, MessageDraft<'a>>,
    messages: HashMap<MessageId, MessageState>,
    texts: HashMap<MessageId, &'a str>,
    replies_new: HashMap<ReplyId, ReplyDraft<'a>>,
    replies: HashMap<ReplyId, ReplyRow>,
}

impl<'a> Batch<'a> {
    pub fn new(facts: Facts, numbers: Numbers) -> Self {
        Self {
            facts,
            numbers,
            accepted: Vec::new(),
            tips: HashMap::new(),
            messages_new: HashMap::new(),
            messages: HashMap::new(),
            texts: HashMap::new(),
            replies_new: HashMap::new(),
            replies: HashMap::new(),
        }
    }

    /// Whether nothing was accepted.
    pub fn is_empty(&self) -> bool {
        self.tips.is_empty()
    }

    /// Accepts the append, or says why not.
    pub fn judge(&mut self, pending: &'a Pending) -> Result<u64, AppendError> {
        let append = &pending.append;
        self.refuse_known(pending)?;
        let before = self.before(append)?;
        let changes = changes(append, &before);
        self.refuse_taken_number(append, &changes)?;

        let session = self.advance(pending);
        for change in changes {
            self.apply(append, session, &before, change);
        }
        self.receive(pending);
        self.step(pending, session);
        Ok(append.expected + 1)
    }

    fn refuse_known(&self, pending: &Pending) -> Result<(), AppendError> {
        let action = pending.append.action.as_ref();
        if let Some(record) = action.and_then(|action| self.facts.actions.get(&action.request_id)) {
            return Err(AppendError::Repeated(Box::new(record.clone())));
        }
        match pending
            .dedupe
            .as_ref()
            .and_then(|key| self.facts.messages.get(key))
        {
            Some(message) => Err(AppendError::Duplicate { message: *message }),
            None => Ok(()),
        }
    }

    /// The state that the append was decided on, if that is the present one.
    fn before(&self, append: &Append) -> Result<Session, AppendError> {
        let tip = self
            .tips
            .get(&append.id)
            .map(|tip| (tip.last.append.expected + 1, &tip.last.append.session));
        let known = || {
            self.facts
                .sessions
                .get(&append.id)
                .map(|known| (known.stored.version, &known.stored.session))
        };
        let (present, session) = tip
            .or_else(known)
            .map_or((0, None), |(version, session)| (version, Some(session)));
        if present != append.expected {
            return Err(AppendError::Conflict {
                expected: append.expected,
                present,
            });
        }
        Ok(session.cloned().unwrap_or_default())
    }

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
            self.facts
                .numbers
                .get(&(conversation, row.seq))
                .is_some_and(|id| *id != row.id)
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

    /// Makes the append the session's newest; returns the session's number.
    fn advance(&mut self, pending: &'a Pending) -> i64 {
        let id = pending.append.id;
        if let Some(tip) = self.tips.get_mut(&id) {
            tip.last = pending;
            return tip.n;
        }
        let known = self.facts.sessions.get(&id).map(|known| known.n);
        let n = known.unwrap_or_else(|| {
            self.numbers.session += 1;
            self.numbers.session
        });
        let is_new = known.is_none();
        self.tips.insert(
            id,
            Tip {
                n,
                is_new,
                created_at: pending.append.at.0,
                last: pending,
                history_from: None,
            },
        );
        n
    }

    fn apply(&mut self, append: &'a Append, session: i64, before: &Session, change: Change) {
        match change {
            Change::Message(id, state) => self.message_is(append, session, id, state),
            Change::Text(id) => {
                let Some(edit) = &append.message else { return };
                match self.messages_new.get_mut(&id) {
                    Some(draft) => draft.text = &edit.text,
                    None => drop(self.texts.insert(id, &edit.text)),
                }
            }
            Change::Reply(row) => self.reply_is(append, session, before, row),
            Change::HistoryEnds => {
                let last = self.numbers.entry;
                if let Some(tip) = self.tips.get_mut(&append.id) {
                    tip.history_from = Some(last);
                }
            }
        }
    }

    fn message_is(&mut self, append: &'a Append, session: i64, id: MessageId, state: MessageState) {
        if let Some(draft) = self.messages_new.get_mut(&id) {
            draft.state = state;
            return;
        }
        match append.message.as_ref().filter(|message| message.id == id) {
            Some(content) => {
                let n = self.next_entry();
                let draft = MessageDraft {
                    n,
                    session,
                    append,
                    content,
                    text: &content.text,
                    state,
                };
                self.messages_new.insert(id, draft);
            }
            None => drop(self.messages.insert(id, state)),
        }
    }

    fn reply_is(&mut self, append: &'a Append, session: i64, before: &Session, row: ReplyRow) {
        if let Some(draft) = self.replies_new.get_mut(&row.id) {
            merge(&mut draft.row, row);
        } else if before.reply(row.id).is_none() {
            let n = self.next_entry();
            self.replies_new.insert(
                row.id,
                ReplyDraft {
                    n,
                    session,
                    append,
                    row,
                },
            );
        } else if let Some(known) = self.replies.get_mut(&row.id) {
            merge(known, row);
        } else {
            self.replies.insert(row.id, row);
        }
    }

    fn next_entry(&mut self) -> i64 {
        self.numbers.entry += 1;
        self.numbers.entry
    }

    /// What is known once for ever: the message's key and the operator's request.
    fn receive(&mut self, pending: &Pending) {
        let append = &pending.append;
        if let (Some(message), Some(key)) = (&append.message, pending.dedupe) {
            self.facts.messages.insert(key, message.id);
        }
        if let Some(record) = deed(append) {
            let request = record.action.request_id.clone();
            self.facts.actions.insert(request, record);
        }
    }

    fn step(&mut self, pending: &'a Pending, session: i64) {
        self.numbers.step += 1;
        self.accepted.push((self.numbers.step, session, pending));
    }

    /// Writes every row.
    pub fn write(&self, transaction: &Connection) -> Result<(), Fault> {
        let rows = Rows(transaction);
        for tip in in_order(&self.tips, |tip| tip.n) {
            rows.session(tip)?;
        }
        for (n, session, pending) in &self.accepted {
            rows.step(*n, *session, pending)?;
        }
        self.write_messages(&rows)?;
        self.write_replies(&rows)?;
        self.write_receipts(&rows)
    }

    fn write_messages(&self, rows: &Rows<'_>) -> Result<(), Fault> {
        for draft in in_order(&self.messages_new, |draft| draft.n) {
            rows.new_message(draft)?;
        }
        for (id, state) in &self.messages {
            rows.message(id.0, *state)?;
        }
        for (id, text) in &self.texts {
            rows.text(id.0, text)?;
        }
        Ok(())
    }

    fn write_replies(&self, rows: &Rows<'_>) -> Result<(), Fault> {
        // Before new ones, which may take the number that a requeued one gave up.
        for row in self.replies.values() {
            rows.reply(row)?;
        }
        for draft in in_order(&self.replies_new, |draft| draft.n) {
            rows.new_reply(draft)?;
        }
        Ok(())
    }

    fn write_receipts(&self, rows: &Rows<'_>) -> Result<(), Fault> {
        for (_, session, pending) in &self.accepted {
            let append = &pending.append;
            if let (Some(message), Some(key)) = (&append.message, pending.dedupe) {
                rows.dedupe(key, message.id.0, *session, append.at)?;
            }
            if let Some(record) = deed(append) {
                rows.action(*session, &record)?;
            }
        }
        Ok(())
    }

    /// The numbers given, and what the cache may know once all is committed.
    pub fn finish(self) -> (Numbers, Committed) {
        let texts = self.text_news();
        let sessions = self.tips.into_iter();
        let sessions = sessions.map(|(id, tip)| (id, newest(&tip))).collect();
        (self.numbers, Committed { sessions, texts })
    }
}

/// The operator's deed behind a step, as it is recorded.
fn deed(append: &Append) -> Option<ActionRecord> {
    let action = append.action.clone()?;
    Some(ActionRecord {
        action,
        session: append.id,
        at: append.at,
    })
}

/// The drafts by their number, so that rows are added at the end of their table.
fn in_order<K, T>(drafts: &HashMap<K, T>, number: impl Fn(&T) -> i64) -> Vec<&T> {
    let mut drafts: Vec<&T> = drafts.values().collect();
    drafts.sort_unstable_by_key(|draft| number(draft));
    drafts
}

/// The later row, with what it leaves in place.
fn merge(row: &mut ReplyRow, later: ReplyRow) {
    let earlier = std::mem::replace(row, later);
    row.code = row.code.take().or(earlier.code);
    row.superseded_by = row.superseded_by.or(earlier.superseded_by);
    row.receipt = row.receipt.take().or(earlier.receipt);
    row.cut |= earlier.cut;
    row.usage = row.usage.plus(earlier.usage);
}

fn newest(tip: &Tip<'_>) -> Arc<Known> {
    let Append {
        key,
        expected,
        session,
        ..
    } = &tip.last.append;
    Arc::new(Known {
        n: tip.n,
        stored: Stored {
            key: key.clone(),
            version: expected + 1,
            session: session.clone(),
        },
    })
}
