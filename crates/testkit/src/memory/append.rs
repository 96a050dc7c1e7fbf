//! The append: everything is checked before anything is changed, so that a refused step leaves no trace.

use replygate_gate::{At, MessageId, Session};
use replygate_ports::changes::{Change, MessageState, ReplyRow, changes};
use replygate_ports::store::{ActionRecord, Append, AppendError, NewMessage, NewReply, Step};
use replygate_ports::views::{MessageView, ReplyView};

use super::tables::{MessageRow, Received, ReplyRecord, SessionRow, Tables};

impl Tables {
    pub(super) fn append(&mut self, append: Append) -> Result<u64, AppendError> {
        self.refuse_known(&append)?;
        let changes = changes(&append, &self.session_before(&append)?);
        self.refuse_taken_number(&append, &changes)?;

        for change in changes {
            self.apply(&append, change);
        }
        self.receive(&append);
        Ok(self.step(append))
    }

    fn refuse_known(&self, append: &Append) -> Result<(), AppendError> {
        let done = append
            .action
            .as_ref()
            .and_then(|action| self.actions.get(&action.request_id));
        if let Some(record) = done {
            return Err(AppendError::Repeated(Box::new(record.clone())));
        }
        let known = append
            .message
            .as_ref()
            .and_then(|message| self.dedupe.get(&message.dedupe));
        match known {
            Some(received) => Err(AppendError::Duplicate {
                message: received.message,
            }),
            None => Ok(()),
        }
    }

    /// The state that the step was decided on, if that is the present one.
    fn session_before(&self, append: &Append) -> Result<Session, AppendError> {
        let row = self.sessions.get(&append.id);
        let present = row.map_or(0, |row| row.stored.version);
        if present != append.expected {
            return Err(AppendError::Conflict {
                expected: append.expected,
                present,
            });
        }
        Ok(row
            .map(|row| row.stored.session.clone())
            .unwrap_or_default())
    }

    fn refuse_taken_number(&self, append: &Append, changes: &[Change]) -> Result<(), AppendError> {
        let conversation = append.key.conversation_id();
        let taken = changes.iter().any(|change| match change {
            Change::Reply(row) => self.replies.values().any(|other| {
                other.conversation == conversation
                    && other.view.seq == row.seq
                    && other.view.id != row.id
            }),
            _ => false,
        });
        if taken {
            return Err(AppendError::Conflict {
                expected: append.expected,
                present: append.expected,
            });
        }
        Ok(())
    }

    fn apply(&mut self, append: &Append, change: Change) {
        match change {
            Change::Message(id, state) => self.message_is(append, id, state),
            Change::Text(id) => {
                if let (Some(row), Some(edit)) = (self.messages.get_mut(&id), &append.message) {
                    row.view.text.clone_from(&edit.text);
                }
            }
            Change::Reply(row) => self.reply_is(append, row),
            Change::HistoryEnds => {
                self.history_ends
                    .insert(append.key.conversation_id(), self.last_row);
            }
        }
    }

    fn message_is(&mut self, append: &Append, id: MessageId, state: MessageState) {
        if let Some(known) = self.messages.get_mut(&id) {
            known.view.state = state;
            return;
        }
        let Some(message) = append.message.as_ref().filter(|message| message.id == id) else {
            return;
        };
        let row = self.next_row();
        let view = message_view(append, message, state);
        self.messages.insert(
            id,
            MessageRow {
                row,
                conversation: append.key.conversation_id(),
                view,
            },
        );
    }

    fn reply_is(&mut self, append: &Append, changed: ReplyRow) {
        if let Some(known) = self.replies.get_mut(&changed.id) {
            update(&mut known.view, changed);
            return;
        }
        let parts = parts_of(append.reply.as_ref(), &changed);
        let row = self.next_row();
        let view = reply_view(append, changed, parts);
        let conversation = append.key.conversation_id();
        self.replies.insert(
            view.id,
            ReplyRecord {
                row,
                conversation,
                view,
            },
        );
    }

    /// What came in with the step and what an operator did, each once for ever.
    fn receive(&mut self, append: &Append) {
        if let Some(message) = &append.message {
            let received = Received {
                message: message.id,
                session: append.id,
                at: append.at,
            };
            self.dedupe.insert(message.dedupe.clone(), received);
        }
        if let Some(action) = &append.action {
            let record = ActionRecord {
                action: action.clone(),
                session: append.id,
                at: append.at,
            };
            self.actions.insert(action.request_id.clone(), record);
        }
    }

    fn step(&mut self, append: Append) -> u64 {
        let version = append.expected + 1;
        let row = self
            .sessions
            .entry(append.id)
            .or_insert_with(|| SessionRow::new(append.key));
        if let Some(old) = row.next_at {
            self.scheduled.remove(&(old, append.id));
        }
        if let Some(next) = append.next_at {
            self.scheduled.insert((next, append.id));
        }
        row.stored.version = version;
        row.stored.session = append.session;
        row.next_at = append.next_at;
        row.last_activity = append.at;
        let step = Step {
            version,
            at: append.at,
            actor: append.actor,
            events: append.events,
        };
        self.steps.insert((append.id, version), step);
        version
    }
}

fn message_view(append: &Append, message: &NewMessage, state: MessageState) -> MessageView {
    MessageView {
        id: message.id,
        session: append.id,
        provider_id: message.dedupe.provider_id.clone(),
        kind: message.kind,
        text: message.text.clone(),
        sent_at: message.sent_at,
        received_at: append.at,
        state,
        edit_of: message.edit_of,
    }
}

fn parts_of(content: Option<&NewReply>, row: &ReplyRow) -> Vec<String> {
    content
        .filter(|content| content.id == row.id)
        .map(|content| content.parts.clone())
        .unwrap_or_default()
}

fn reply_view(append: &Append, row: ReplyRow, parts: Vec<String>) -> ReplyView {
    let mut view = ReplyView {
        id: row.id,
        session: append.id,
        seq: row.seq,
        status: row.status,
        parts,
        covers: Vec::new(),
        author: row.author,
        effects: row.effects,
        created_at: append.at,
        due_at: At::default(),
        changed_at: append.at,
        generation: 0,
        attempts: 0,
        park_reason: None,
        code: None,
        superseded_by: None,
        receipt: None,
        cut: false,
        sent: 0,
        usage: row.usage,
    };
    update(&mut view, row);
    view
}

fn update(view: &mut ReplyView, row: ReplyRow) {
    view.seq = row.seq;
    view.status = row.status;
    view.covers = row.covers;
    view.effects = row.effects;
    view.due_at = row.due_at;
    view.changed_at = row.changed_at;
    view.generation = row.generation;
    view.attempts = row.attempts;
    view.park_reason = row.park_reason;
    view.code = row.code.or(view.code.take());
    view.superseded_by = row.superseded_by.or(view.superseded_by);
    view.receipt = row.receipt.or(view.receipt.take());
    view.cut |= row.cut;
    view.sent = row.sent;
}
