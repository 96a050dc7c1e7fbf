//! What a step means for the rows that lists and senders read. Every store applies the same changes in the same
//! transaction as the step, so that no two stores can disagree about a status. Must never decide anything.

use replygate_gate::{
    At, Author, DropReason, Event, MessageId, ParkReason, Reply, ReplyId, ReplyStatus, Session,
    UnknownWord, Usage, evolve,
};

use crate::store::Append;

/// What became of a message, as rows have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageState {
    /// Waits for a turn.
    Waiting,
    /// A turn covered it; `None` when the agent stayed silent.
    Covered(Option<ReplyId>),
    /// It ended without a turn.
    Dropped(DropReason),
}

impl MessageState {
    /// The state as rows have it: a word, the covering reply and the reason of a drop.
    #[must_use]
    pub const fn columns(self) -> (&'static str, Option<ReplyId>, Option<DropReason>) {
        match self {
            Self::Waiting => ("waiting", None, None),
            Self::Covered(reply) => ("covered", reply, None),
            Self::Dropped(reason) => ("dropped", None, Some(reason)),
        }
    }

    /// The state that rows have in these columns.
    ///
    /// # Errors
    /// When the word is not one of `waiting`, `covered` and `dropped`, or a drop has no reason.
    pub fn from_columns(
        word: &str,
        reply: Option<ReplyId>,
        reason: Option<DropReason>,
    ) -> Result<Self, UnknownWord> {
        match (word, reason) {
            ("waiting", _) => Ok(Self::Waiting),
            ("covered", _) => Ok(Self::Covered(reply)),
            ("dropped", Some(reason)) => Ok(Self::Dropped(reason)),
            ("dropped", None) => {
                let reasons: Vec<&str> = DropReason::ALL
                    .iter()
                    .map(|reason| reason.as_str())
                    .collect();
                Err(UnknownWord::new("drop reason", "", reasons.join(", ")))
            }
            _ => Err(UnknownWord::new(
                "message state",
                word,
                "waiting, covered, dropped",
            )),
        }
    }
}

/// A reply's row after a step, without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyRow {
    /// The reply.
    pub id: ReplyId,
    /// Its place in the conversation's order.
    pub seq: u64,
    /// Where it is.
    pub status: ReplyStatus,
    /// The messages it answers.
    pub covers: Vec<MessageId>,
    /// Who wrote it.
    pub author: Author,
    /// Whether its turn committed an outside effect.
    pub effects: bool,
    /// When it is or was due.
    pub due_at: At,
    /// Grows when it is parked, becomes unknown or is sent again.
    pub generation: u32,
    /// Attempts that met a stuck lock, and definite failures of the channel.
    pub attempts: u32,
    /// Why it waits for a person.
    pub park_reason: Option<ParkReason>,
    /// The channel's or agent's word for what went wrong last.
    pub code: Option<String>,
    /// The reply that took its place.
    pub superseded_by: Option<ReplyId>,
    /// The channel's id of what it accepted.
    pub receipt: Option<String>,
    /// Whether only a part of it was sent.
    pub cut: bool,
    /// How many of its parts the user has for certain.
    pub sent: u32,
    /// When its status last changed.
    pub changed_at: At,
    /// What a model was asked for it; only in the change that makes the row.
    pub usage: Usage,
}

/// One change of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The message's state is this now.
    Message(MessageId, MessageState),
    /// The message's text is that of the append's message now: it was edited before any turn read it. The append's
    /// message gets no row of its own; its dedupe key names this message.
    Text(MessageId),
    /// The reply's row is this now. Its parts come with the append that made it. `code`, `superseded_by` and `receipt`
    /// that are `None` leave what is there.
    Reply(ReplyRow),
    /// Earlier messages are no history any more: a `/reset`.
    HistoryEnds,
}

/// The changes that an append means, at most one per message and reply; `before` is the session's state that it was
/// decided on.
#[must_use]
pub fn changes(append: &Append, before: &Session) -> Vec<Change> {
    let mut trace = Trace {
        at: append.at,
        rows: Vec::new(),
        changes: Vec::new(),
    };
    let mut last = None;
    for event in &append.events {
        let present = last.as_ref().unwrap_or(before);
        let after = evolve(present.clone(), event);
        trace.event(event, present, &after);
        last = Some(after);
    }
    trace.finish()
}

struct Trace {
    at: At,
    rows: Vec<ReplyRow>,
    changes: Vec<Change>,
}

impl Trace {
    fn event(&mut self, event: &Event, before: &Session, after: &Session) {
        match event {
            Event::Arrived { message, .. } => self
                .changes
                .push(Change::Message(*message, MessageState::Waiting)),
            Event::Edited { message, .. } => self.changes.push(Change::Text(*message)),
            Event::Dropped { messages, reason } => {
                for message in messages {
                    self.message(*message, MessageState::Dropped(*reason));
                }
            }
            Event::Committed {
                burst,
                reply,
                usage,
                ..
            } => {
                for message in burst.iter().filter(|id| waits(before, **id)) {
                    self.message(*message, MessageState::Covered(*reply));
                }
                self.spent(*reply, *usage);
            }
            Event::TurnFailed { burst, usage, .. } => {
                let parked = self
                    .rows
                    .iter()
                    .rev()
                    .find(|row| row.park_reason == Some(ParkReason::AgentFailed));
                let reply = parked.map(|row| row.id);
                for message in burst.iter().filter(|id| waits(before, **id)) {
                    self.message(*message, MessageState::Covered(reply));
                }
                self.spent(reply, *usage);
            }
            Event::Controlled {
                control: replygate_gate::control::Control::Reset,
                ..
            } => {
                self.changes.push(Change::HistoryEnds);
            }
            _ => {}
        }
        self.replies(event, before, after);
    }

    fn spent(&mut self, reply: Option<ReplyId>, usage: Usage) {
        let row = self.rows.iter_mut().find(|row| Some(row.id) == reply);
        if let Some(row) = row {
            row.usage = usage;
        }
    }

    fn message(&mut self, id: MessageId, state: MessageState) {
        let known = self
            .changes
            .iter_mut()
            .find(|change| matches!(change, Change::Message(known, _) if *known == id));
        match known {
            Some(change) => *change = Change::Message(id, state),
            None => self.changes.push(Change::Message(id, state)),
        }
    }

    fn replies(&mut self, event: &Event, before: &Session, after: &Session) {
        for reply in &after.replies {
            if before.reply(reply.id) == Some(reply) {
                continue;
            }
            let row = self.row(reply);
            row.park_reason = reply.parked;
            if let Event::Parked {
                code: Some(code), ..
            }
            | Event::AttemptFailed { code, .. }
            | Event::OutcomeUnknown { code, .. } = event
            {
                row.code = Some(code.clone());
            }
            if let Event::PartAccepted {
                receipt: Some(receipt),
                ..
            } = event
            {
                row.receipt = Some(receipt.clone());
            }
        }
        for gone in before
            .replies
            .iter()
            .filter(|reply| after.reply(reply.id).is_none())
        {
            let row = self.row(gone);
            row.park_reason = None;
            end(row, gone, event);
        }
    }

    fn row(&mut self, reply: &Reply) -> &mut ReplyRow {
        let index = self
            .rows
            .iter()
            .position(|row| row.id == reply.id)
            .unwrap_or(self.rows.len());
        if index == self.rows.len() {
            self.rows.push(ReplyRow {
                id: reply.id,
                seq: reply.seq,
                status: reply.status,
                covers: Vec::new(),
                author: reply.author,
                effects: reply.effects,
                due_at: reply.not_before,
                generation: reply.generation,
                attempts: 0,
                park_reason: reply.parked,
                code: None,
                superseded_by: None,
                receipt: None,
                cut: false,
                sent: 0,
                changed_at: self.at,
                usage: Usage::default(),
            });
        }
        let row = &mut self.rows[index];
        row.seq = reply.seq;
        row.status = reply.status;
        row.covers.clone_from(&reply.covers);
        row.effects = reply.effects;
        row.due_at = reply.not_before;
        row.generation = reply.generation;
        row.attempts = u32::from(reply.attempts) + u32::from(reply.failures);
        row.sent = u32::from(reply.sent);
        row
    }

    fn finish(mut self) -> Vec<Change> {
        self.changes
            .extend(self.rows.into_iter().map(Change::Reply));
        self.changes
    }
}

fn waits(session: &Session, message: MessageId) -> bool {
    session
        .uncovered
        .iter()
        .any(|waiting| waiting.id == message)
}

/// The row of a reply that left the open ones: the event says how it ended.
fn end(row: &mut ReplyRow, reply: &Reply, event: &Event) {
    match event {
        Event::Cancelled { .. } => row.status = ReplyStatus::Cancelled,
        Event::Superseded { by, .. } => {
            row.status = ReplyStatus::Superseded;
            row.superseded_by = Some(*by);
        }
        Event::Cut { .. } => {
            row.status = ReplyStatus::Delivered;
            row.cut = true;
        }
        Event::Delivered { receipt, .. } => {
            row.status = ReplyStatus::Delivered;
            row.receipt.clone_from(receipt);
            row.sent = u32::from(reply.parts);
        }
        Event::Expired { .. } => row.status = ReplyStatus::Expired,
        Event::Discarded { .. } => row.status = ReplyStatus::Discarded,
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_of_a_message_survives_its_columns() {
        let dropped = DropReason::ALL
            .iter()
            .map(|reason| MessageState::Dropped(*reason));
        let covered = [None, Some(ReplyId(7))].map(MessageState::Covered);
        for state in dropped.chain(covered).chain([MessageState::Waiting]) {
            let (word, reply, reason) = state.columns();
            assert_eq!(MessageState::from_columns(word, reply, reason), Ok(state));
        }
        assert!(MessageState::from_columns("dropped", None, None).is_err());
        assert!(MessageState::from_columns("lost", None, None).is_err());
    }
}
