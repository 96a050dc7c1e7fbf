//! What a story's log says, as far as it is checked.

use std::collections::BTreeMap;

use replygate_gate::{At, Event, MessageId, ParkReason, ReplyId, Session, evolve};
use replygate_ports::store::Step;

use crate::simulate::seeds::timeline::tried_at;

/// What the log says, as far as it is checked.
#[derive(Default)]
pub(super) struct Facts {
    pub(super) received: BTreeMap<MessageId, At>,
    pub(super) closes: BTreeMap<MessageId, At>,
    pub(super) covers: BTreeMap<ReplyId, Vec<MessageId>>,
    pub(super) run_ms: BTreeMap<ReplyId, u64>,
    pub(super) cancelled: Vec<ReplyId>,
    pub(super) merged: Vec<ReplyId>,
    pub(super) attempts: Vec<At>,
    pub(super) parked: Vec<(ReplyId, ParkReason, At)>,
}

impl Facts {
    pub(super) fn of(steps: &[Step]) -> Self {
        let mut facts = Self::default();
        let mut session = Session::default();
        for step in steps {
            for event in &step.events {
                facts.learn(step.at, event, &session);
                session = evolve(session, event);
            }
        }
        facts
    }

    fn learn(&mut self, at: At, event: &Event, before: &Session) {
        match event {
            Event::Arrived {
                message, at, due, ..
            } => {
                self.received.insert(*message, *at);
                self.closes.insert(*message, *due);
            }
            Event::Replied { reply, covers, .. } => {
                self.covers.insert(*reply, covers.clone());
            }
            Event::Committed {
                reply: Some(reply),
                run_ms,
                ..
            } => {
                self.run_ms.insert(*reply, *run_ms);
            }
            Event::Cancelled { reply, .. } => self.cancelled.push(*reply),
            Event::Superseded { reply, .. } => self.merged.push(*reply),
            Event::AttemptBlocked { reply, .. } => {
                self.attempts.push(tried_at(at, *reply, before));
            }
            Event::Parked { reply, reason, .. } => {
                self.parked
                    .push((*reply, *reason, tried_at(at, *reply, before)));
            }
            _ => {}
        }
    }

    pub(super) fn covers(&self, reply: ReplyId) -> &[MessageId] {
        self.covers.get(&reply).map_or(&[], Vec::as_slice)
    }
}
