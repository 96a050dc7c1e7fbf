//! A batch in memory: each append is judged on the state that the ones before it leave, in order. Must never touch the
//! file, so that a refused append leaves no trace.

mod cells;
mod texts;

use std::collections::HashMap;
use std::sync::Arc;

use replygate_gate::{MessageId, ReplyId, Session, SessionId};
use replygate_ports::changes::{Change, MessageState, ReplyRow, changes};
use replygate_ports::store::{ActionRecord, Append, AppendError, NewMessage, Stored};

use super::bulk::Cell;
use super::facts::Facts;
use super::rows::Rows;
use super::{Numbers, Pending};
use crate::cache::{Committed, Known};
use crate::codec::{blob, state_columns};
use cells::{message_row, reply_head, reply_tail, session_row};

/// What is newest of a session inside the batch.
struct Tip<'a> {
    n: i64,
    is_new: bool,
    created_at: i64,
    last: &'a Pending,
    history_from: Option<i64>,
}

struct MessageDraft<'a> {
    n: i64,
    session: i64,
    append: &'a Append,
    content: &'a NewMessage,
    text: &'a str,
    state: MessageState,
}

struct ReplyDraft<'a> {
    n: i64,
    session: i64,
    append: &'a Append,
    row: ReplyRow,
}

impl ReplyDraft<'_> {
    /// The reply's parts, which come with the append that makes it.
    fn parts(&self) -> &[String] {
        let content = self.append.reply.as_ref();
        content
            .filter(|content| content.id == self.row.id)
            .map_or(&[], |content| &content.parts)
    }
}

pub(super) struct Batch<'a> {
    facts: Facts,
    numbers: Numbers,
    rows: Rows,
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
            rows: Rows::new(),
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
        self.receive(pending, session);
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
    fn receive(&mut self, pending: &Pending, session: i64) {
        let append = &pending.append;
        if let (Some(message), Some(key)) = (&append.message, &pending.dedupe) {
            self.facts.messages.insert(key.clone(), message.id);
            let cells = [
                Cell::Blob(key.clone()),
                Cell::Blob(blob(message.id.0)),
                Cell::Int(session),
            ];
            self.rows
                .dedupe
                .push(cells.into_iter().chain([Cell::at(append.at)]));
        }
        if let Some(action) = &append.action {
            let record = ActionRecord {
                action: action.clone(),
                session: append.id,
                at: append.at,
            };
            self.rows.actions.push([
                Cell::Text(action.request_id.clone()),
                Cell::Int(session),
                Cell::Blob(blob(append.id.0)),
                Cell::at(append.at),
                Cell::Text(action.by.clone()),
                Cell::Text(action.verb.clone()),
                Cell::or_null(action.reply, |reply| Cell::Blob(blob(reply.0))),
                Cell::or_null(action.reason.clone(), Cell::Text),
            ]);
            self.facts.actions.insert(action.request_id.clone(), record);
        }
    }

    fn step(&mut self, pending: &Pending, session: i64) {
        self.numbers.step += 1;
        self.rows.steps.push([
            Cell::Int(self.numbers.step),
            Cell::Int(session),
            Cell::Int(pending.append.expected as i64 + 1),
            Cell::at(pending.append.at),
            Cell::Text(pending.append.actor.clone()),
            Cell::Shared(Arc::clone(&pending.events)),
        ]);
    }

    /// The numbers given, the rows to write, and what the cache may know once they are.
    pub fn finish(mut self) -> (Numbers, Rows, Committed) {
        let texts = self.text_news();
        for tip in in_order(&self.tips, |tip| tip.n) {
            session_row(&mut self.rows, tip);
        }
        for draft in in_order(&self.messages_new, |draft| draft.n) {
            self.rows.messages_new.push(message_row(draft));
        }
        for (id, state) in &self.messages {
            let (word, reply, reason) = state_columns(*state);
            let cells = [
                Cell::Word(word),
                Cell::or_null(reply, Cell::Blob),
                Cell::or_null(reason, Cell::Word),
            ];
            self.rows
                .messages
                .push([Cell::Blob(blob(id.0))].into_iter().chain(cells));
        }
        for (id, text) in &self.texts {
            self.rows
                .texts
                .push([Cell::Blob(blob(id.0)), Cell::Text((*text).to_owned())]);
        }
        for draft in in_order(&self.replies_new, |draft| draft.n) {
            self.rows
                .replies_new
                .push(reply_head(draft).into_iter().chain(reply_tail(&draft.row)));
        }
        for row in self.replies.values() {
            self.rows.replies.push(
                [Cell::Blob(blob(row.id.0))]
                    .into_iter()
                    .chain(reply_tail(row)),
            );
        }
        let sessions = self
            .tips
            .into_iter()
            .map(|(id, tip)| (id, newest(&tip)))
            .collect();
        (self.numbers, self.rows, Committed { sessions, texts })
    }
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
