//! What becomes of one reply between claim and settle, and of a verdict that waits for it.

use crate::event::{CancelledBy, Event};
use crate::ids::ReplyId;
use crate::session::{Claim, Noted, Reply};
use crate::status::ReplyStatus;

impl Reply {
    /// A claim ended with nothing handed over.
    pub(super) fn came_back(&mut self, event: &Event) {
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

    pub(super) fn dispatch_event(&mut self, event: &Event) {
        match event {
            Event::VerdictNoted {
                decision, epoch, ..
            } => {
                self.noted = Some(Noted {
                    decision: *decision,
                    epoch: *epoch,
                    ready: false,
                    successor: None,
                    by: CancelledBy::Verdict,
                });
            }
            Event::VerdictLate {
                decision,
                epoch,
                successor,
                by,
                ..
            } => {
                self.noted = Some(Noted {
                    decision: *decision,
                    epoch: *epoch,
                    ready: true,
                    successor: *successor,
                    by: *by,
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
            Event::RepetitionEnded { .. } => self.retry_at = None,
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

/// The reply that an event of the hand-over names.
pub(super) fn event_reply(event: &Event) -> Option<ReplyId> {
    match event {
        Event::VerdictNoted { reply, .. }
        | Event::VerdictLate { reply, .. }
        | Event::Claimed { reply, .. }
        | Event::PartAccepted { reply, .. }
        | Event::AttemptBlocked { reply, .. }
        | Event::OutcomeUnknown { reply, .. }
        | Event::RepetitionEnded { reply }
        | Event::Parked { reply, .. } => Some(*reply),
        _ => None,
    }
}
