//! What an event does to a session. Must never decide anything: an event is a fact, and folding a session's events over
//! its snapshot gives its present state.

use crate::event::{Event, TurnLoss};
use crate::ids::{At, MessageId, ReplyId};
use crate::session::{Claim, Noted, OutsideLock, Owner, Reply, Session, Takeover, Waiting, Window};
use crate::status::ReplyStatus;

/// The session after `event`.
#[must_use]
pub fn evolve(mut session: Session, event: &Event) -> Session {
    match event {
        Event::Arrived {
            message,
            at,
            dangles,
            edit_of,
            due,
            ..
        } => {
            session.arrived(*message, *at, *dangles, *edit_of);
            session.window = Some(Window { due: *due });
            session.settle_holds(Some(*at));
        }
        Event::Edited {
            message,
            at,
            dangles,
            due,
            ..
        } => {
            session.epoch += 1;
            let epoch = session.epoch;
            if let Some(waiting) = session
                .uncovered
                .iter_mut()
                .find(|waiting| waiting.id == *message)
            {
                waiting.epoch = epoch;
                waiting.dangles = *dangles;
            }
            session.window = Some(Window { due: *due });
            session.settle_holds(Some(*at));
        }
        Event::Dropped { messages, .. } => session.uncover(messages),
        Event::Controlled { .. } => session.epoch += 1,
        Event::TakenOver { by, at } => {
            session.epoch += 1;
            session.takeover = Some(Takeover {
                by: by.clone(),
                since: *at,
            });
        }
        Event::HandedBack => session.takeover = None,
        Event::Locked {
            holder,
            lease_until,
            expires,
        } => {
            session.lock = Some(OutsideLock {
                holder: holder.clone(),
                lease_until: *lease_until,
                expires: *expires,
            });
        }
        Event::Unlocked { .. } => session.lock = None,
        Event::RerunRequested { reply, due, .. } => {
            session.rerun = Some(*reply);
            let due = session.window.map_or(*due, |window| window.due.min(*due));
            session.window = Some(Window { due });
        }
        Event::RerunEnded { reply } => session.rerun = session.rerun.filter(|asked| asked != reply),
        Event::Taken { .. }
        | Event::Renewed { .. }
        | Event::EffectReserved { .. }
        | Event::Stopping { .. }
        | Event::Committed { .. }
        | Event::TurnFailed { .. }
        | Event::TurnLost { .. } => session.turn_event(event),
        Event::Judged { .. } => {}
        _ => session.reply_event(event),
    }
    session
}

impl Session {
    fn arrived(&mut self, id: MessageId, at: At, dangles: bool, edit_of: Option<MessageId>) {
        self.epoch += 1;
        self.uncovered.push(Waiting {
            id,
            epoch: self.epoch,
            at,
            dangles,
            edit_of,
        });
    }

    /// The messages need no turn any more.
    fn uncover(&mut self, messages: &[MessageId]) {
        self.uncovered
            .retain(|waiting| !messages.contains(&waiting.id));
        if self.fresh().next().is_none() && self.rerun.is_none() {
            self.window = None;
        }
        self.settle_holds(None);
    }

    /// Brings the words PENDING and RELEASED and the start of each hold in line with the messages that wait.
    fn settle_holds(&mut self, at: Option<At>) {
        let newest = self
            .uncovered
            .iter()
            .map(|message| message.epoch)
            .max()
            .unwrap_or(0);
        for reply in self
            .replies
            .iter_mut()
            .filter(|reply| reply.status.is_waiting())
        {
            if newest > reply.cleared {
                reply.status = ReplyStatus::Pending;
                reply.held_since = reply.held_since.or(at);
            } else {
                reply.held_since = None;
            }
        }
    }

    fn turn_event(&mut self, event: &Event) {
        match event {
            Event::Taken {
                turn,
                fence,
                until,
                base,
                burst,
                rerun,
                effects,
            } => {
                self.last_fence = *fence;
                self.owner = Some(Owner {
                    turn: *turn,
                    fence: *fence,
                    until: *until,
                    base: *base,
                    epoch: self.epoch,
                    burst: burst.clone(),
                    rerun: *rerun,
                    effects: *effects,
                    stopping: false,
                });
                self.window = None;
                self.rerun = None;
                self.orphan_effects = false;
            }
            Event::Committed { burst, .. } | Event::TurnFailed { burst, .. } => {
                self.owner = None;
                self.uncovered
                    .retain(|waiting| !burst.contains(&waiting.id));
                self.settle_holds(None);
            }
            Event::TurnLost {
                effects,
                due,
                reason,
                ..
            } => {
                let rerun = self.owner.take().and_then(|owner| owner.rerun);
                self.orphan_effects |= effects;
                if matches!(reason, TurnLoss::LeaseEnded | TurnLoss::HandedBack) {
                    let rerun = rerun.filter(|id| self.reply(*id).is_some());
                    self.rerun = self.rerun.or(rerun);
                }
                if let Some(due) = due {
                    self.window = Some(Window { due: *due });
                }
            }
            _ => self.owner_event(event),
        }
    }

    fn owner_event(&mut self, event: &Event) {
        let Some(owner) = &mut self.owner else { return };
        match event {
            Event::Renewed { until, .. } => owner.until = *until,
            Event::EffectReserved { .. } => owner.effects = true,
            Event::Stopping { .. } => owner.stopping = true,
            _ => {}
        }
    }

    fn reply_event(&mut self, event: &Event) {
        match event {
            Event::Replied { .. } => self.replied(event),
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
        self.replies.push(Reply {
            id: *reply,
            seq: *seq,
            status: ReplyStatus::Pending,
            covers: covers.clone(),
            author: *author,
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
        self.rerun = self.rerun.filter(|asked| *asked != reply);
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

impl Reply {
    /// A claim ended with nothing handed over.
    fn came_back(&mut self, event: &Event) {
        self.claim = None;
        self.noted = self.noted.take().filter(|noted| !noted.ready);
        self.status = if self.is_repeat() {
            ReplyStatus::Unknown
        } else {
            ReplyStatus::Pending
        };
        match event {
            Event::AttemptFailed {
                failures,
                not_before,
                ..
            } => {
                self.failures = *failures;
                self.not_before = *not_before;
                self.retry_at = self.retry_at.map(|_| *not_before);
            }
            Event::NotSent { at, .. } => self.retry_at = self.retry_at.map(|_| *at),
            _ => {}
        }
    }

    fn dispatch_event(&mut self, event: &Event) {
        match event {
            Event::VerdictNoted {
                decision, epoch, ..
            } => {
                self.noted = Some(Noted {
                    decision: *decision,
                    epoch: *epoch,
                    ready: false,
                    successor: None,
                });
            }
            Event::VerdictLate {
                decision,
                epoch,
                successor,
                ..
            } => {
                self.noted = Some(Noted {
                    decision: *decision,
                    epoch: *epoch,
                    ready: true,
                    successor: *successor,
                });
            }
            Event::Claimed { token, until, .. } => {
                self.status = ReplyStatus::Dispatching;
                self.claim = Some(Claim {
                    token: *token,
                    until: *until,
                });
                self.held_since = None;
            }
            Event::PartAccepted { part, until, .. } => {
                self.sent = part + 1;
                if let Some(claim) = &mut self.claim {
                    claim.until = *until;
                }
            }
            Event::AttemptBlocked {
                attempt,
                not_before,
                ..
            } => {
                self.attempts = *attempt;
                self.not_before = *not_before;
                self.retry_at = self.retry_at.map(|_| *not_before);
            }
            Event::OutcomeUnknown { retry_at, .. } => {
                self.status = ReplyStatus::Unknown;
                self.claim = None;
                self.noted = None;
                self.maybe_sent = true;
                self.failures = self.failures.saturating_add(1);
                self.retry_at = *retry_at;
                self.generation += 1;
            }
            Event::Parked { reason, .. } => {
                self.status = ReplyStatus::Parked;
                self.claim = None;
                self.noted = None;
                self.held_since = None;
                self.retry_at = None;
                self.parked = Some(*reason);
                self.generation += 1;
            }
            _ => {}
        }
    }
}

fn event_reply(event: &Event) -> Option<ReplyId> {
    match event {
        Event::VerdictNoted { reply, .. }
        | Event::VerdictLate { reply, .. }
        | Event::Claimed { reply, .. }
        | Event::PartAccepted { reply, .. }
        | Event::AttemptBlocked { reply, .. }
        | Event::OutcomeUnknown { reply, .. }
        | Event::Parked { reply, .. } => Some(*reply),
        _ => None,
    }
}
