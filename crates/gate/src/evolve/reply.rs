//! What the events of a reply do to the session that holds it: put in line, judged, sent again, ended.

use super::dispatch::event_reply;
use crate::event::{CancelledBy, Event};
use crate::ids::{At, ReplyId};
use crate::session::{Reply, Session};
use crate::status::ReplyStatus;

impl Session {
    pub(super) fn reply_event(&mut self, event: &Event) {
        match event {
            Event::Replied { .. } => self.replied(event),
            Event::Cancelled {
                reply,
                by: CancelledBy::Interrupt,
            } => {
                self.ended(*reply);
                self.interrupted = None;
                self.partial = Some(*reply);
            }
            Event::Cancelled { reply, .. }
            | Event::Cut { reply }
            | Event::Delivered { reply, .. }
            | Event::Expired { reply }
            | Event::Discarded { reply } => self.ended(*reply),
            Event::Superseded { reply, by } => self.superseded(*reply, *by),
            Event::Released { reply, epoch } => {
                if let Some(open) = self.reply_mut(*reply) {
                    open.cleared = open.cleared.max(*epoch);
                    open.noted = None;
                    if open.status == ReplyStatus::Pending {
                        open.status = ReplyStatus::Released;
                    }
                }
                self.settle_holds(None);
            }
            Event::Requeued { reply, seq, at } => self.requeued(*reply, *seq, *at),
            Event::NotSent { reply, at } | Event::AttemptFailed { reply, at, .. } => {
                if let Some(open) = self.reply_mut(*reply) {
                    open.came_back(event);
                }
                self.settle_holds(Some(*at));
            }
            _ => {
                if let Some(open) = event_reply(event).and_then(|id| self.reply_mut(id)) {
                    open.dispatch_event(event);
                }
            }
        }
    }

    fn reply_mut(&mut self, id: ReplyId) -> Option<&mut Reply> {
        self.replies.iter_mut().find(|reply| reply.id == id)
    }

    fn replied(&mut self, event: &Event) {
        let Event::Replied {
            reply,
            seq,
            author,
            covers,
            parts,
            at,
            not_before,
            cleared,
            merged,
            effects,
        } = event
        else {
            return;
        };
        self.last_seq = self.last_seq.max(*seq);
        let since = self.uncovered.iter().filter(|one| covers.contains(&one.id));
        let since = since.map(|waiting| waiting.at).min();
        self.replies.push(Reply {
            id: *reply,
            seq: *seq,
            status: ReplyStatus::Pending,
            covers: covers.clone(),
            author: *author,
            since,
            queued_at: *at,
            not_before: *not_before,
            cleared: *cleared,
            held_since: None,
            noted: None,
            merged: *merged,
            effects: *effects,
            parts: *parts,
            sent: 0,
            claim: None,
            attempts: 0,
            failures: 0,
            retry_at: None,
            maybe_sent: false,
            generation: 0,
            parked: None,
        });
        self.settle_holds(Some(*at));
    }

    /// The reply is final, so that nothing can be asked of it any more.
    fn ended(&mut self, reply: ReplyId) {
        self.replies.retain(|open| open.id != reply);
        self.no_rerun(reply);
    }

    fn superseded(&mut self, reply: ReplyId, by: ReplyId) {
        let Some(old) = self.reply(reply).cloned() else {
            return;
        };
        self.ended(reply);
        for noted in self
            .replies
            .iter_mut()
            .filter_map(|open| open.noted.as_mut())
        {
            if noted.successor == Some(reply) {
                noted.successor = Some(by);
            }
        }
        if let Some(successor) = self.reply_mut(by) {
            successor.merged = true;
            successor.covers.extend(old.covers);
            successor.covers.sort_unstable();
            successor.covers.dedup();
            successor.effects |= old.effects;
            successor.since = successor.since.into_iter().chain(old.since).min();
        }
    }

    fn requeued(&mut self, reply: ReplyId, seq: u64, at: At) {
        let epoch = self.epoch;
        self.last_seq = self.last_seq.max(seq);
        let Some(index) = self.replies.iter().position(|open| open.id == reply) else {
            return;
        };
        let mut open = self.replies.remove(index);
        open.seq = seq;
        open.status = ReplyStatus::Pending;
        open.queued_at = at;
        open.not_before = at;
        open.cleared = epoch;
        open.held_since = None;
        open.noted = None;
        open.attempts = 0;
        open.failures = 0;
        open.retry_at = None;
        open.parked = None;
        open.generation += 1;
        self.replies.push(open);
    }
}
