//! What an event does to a session. Must never decide anything: an event is a fact, and folding a session's events over
//! its snapshot gives its present state.

mod dispatch;
mod reply;
mod turn;

use crate::event::Event;
use crate::ids::{At, MessageId, ReplyId};
use crate::session::{OutsideLock, Session, Takeover, Waiting, Window};
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
            awaited,
            ..
        } => {
            session.arrived(*message, *at, *dangles, *edit_of, *awaited);
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
                waiting.awaited = None;
            }
            session.window = Some(Window { due: *due });
            session.settle_holds(Some(*at));
        }
        Event::Dropped { messages, .. } => session.uncover(messages),
        Event::Controlled { .. } => {
            session.epoch += 1;
            session.forget_interruption();
        }
        Event::TakenOver { by, at } => {
            session.epoch += 1;
            session.forget_interruption();
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
        Event::RerunEnded { reply } => session.no_rerun(*reply),
        Event::Taken { .. }
        | Event::Renewed { .. }
        | Event::EffectReserved { .. }
        | Event::Stopping { .. }
        | Event::Committed { .. }
        | Event::TurnFailed { .. }
        | Event::TurnLost { .. } => session.turn_event(event),
        Event::Judged { .. }
        | Event::TurnJudged { .. }
        | Event::Rejected { .. }
        | Event::Queued { .. } => {}
        _ => session.reply_event(event),
    }
    session
}

impl Session {
    fn arrived(
        &mut self,
        id: MessageId,
        at: At,
        dangles: bool,
        edit_of: Option<MessageId>,
        awaited: Option<At>,
    ) {
        self.epoch += 1;
        self.uncovered.push(Waiting {
            id,
            epoch: self.epoch,
            at,
            dangles,
            edit_of,
            reopened: false,
            awaited,
        });
    }

    /// Whatever a turn had written is of no use to the next one.
    fn forget_interruption(&mut self) {
        self.interrupted = None;
        self.partial = None;
    }

    /// The messages need no turn any more.
    fn uncover(&mut self, messages: &[MessageId]) {
        self.uncovered
            .retain(|waiting| !messages.contains(&waiting.id));
        if self.fresh().next().is_none() && self.rerun.is_none() {
            self.window = None;
        }
        self.forget_stop();
        self.settle_holds(None);
    }

    /// The reply's messages are not answered anew.
    fn no_rerun(&mut self, reply: ReplyId) {
        self.rerun = self.rerun.filter(|asked| *asked != reply);
        self.forget_stop();
    }

    /// A stop concerns what was asked before it: with nothing of that left, the next turn is free.
    fn forget_stop(&mut self) {
        self.orphan_stop &= !self.uncovered.is_empty() || self.rerun.is_some();
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
}
