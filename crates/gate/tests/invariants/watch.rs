//! An observer of a session's events who objects to every breach of the protocol.

use std::collections::BTreeSet;

use replygate_gate::{Event, MessageId, ParkReason, ReplyId, ReplyStatus, Session};

#[derive(Default)]
pub struct Watch {
    seqs: BTreeSet<u64>,
    finals: BTreeSet<ReplyId>,
    /// Replies of which something certainly or possibly reached the channel.
    left: BTreeSet<ReplyId>,
    arrived: BTreeSet<MessageId>,
    accounted: BTreeSet<MessageId>,
    last_fence: u64,
}

impl Watch {
    /// Looks at an event before it is applied.
    pub fn sees(&mut self, session: &Session, event: &Event) -> Result<(), String> {
        if let Some(reply) = about(event).filter(|reply| self.finals.contains(reply)) {
            return Err(format!("{reply} is final, yet {event:?}"));
        }
        match event {
            Event::Arrived { message, .. } => {
                self.arrived.insert(*message);
            }
            Event::Dropped { messages, .. } => self.accounted.extend(messages),
            Event::Committed { burst, .. } | Event::TurnFailed { burst, .. } => {
                self.accounted.extend(burst);
            }
            Event::Replied { seq, .. } | Event::Requeued { seq, .. } => {
                if self.seqs.last().is_some_and(|last| last >= seq) {
                    return Err(format!("number {seq} was given before"));
                }
                self.seqs.insert(*seq);
            }
            Event::Taken { fence, .. } if *fence <= self.last_fence => {
                return Err(format!("fencing token {fence} is not new"));
            }
            Event::Taken { fence, .. } => self.last_fence = *fence,
            Event::PartAccepted { reply, .. } | Event::OutcomeUnknown { reply, .. } => {
                self.left.insert(*reply);
            }
            Event::TurnLost {
                reason, effects, ..
            } if *effects && reason.is_by_newer_messages() => {
                return Err("a newer message stopped a turn that had an effect".to_owned());
            }
            Event::Cancelled { reply, .. } if self.left.contains(reply) => {
                return Err(format!("I1: {reply} had left and is cancelled"));
            }
            Event::Superseded { reply, .. } => {
                let asked = session.owner.as_ref().and_then(|owner| owner.rerun);
                if self.left.contains(reply) && asked != Some(*reply) {
                    return Err(format!("I1: {reply} had left and is superseded"));
                }
            }
            Event::Parked {
                reply,
                reason: ParkReason::LockStuck | ParkReason::TooOld,
                ..
            } => {
                let held = |id| session.reply(id).is_some_and(|open| session.is_held(open));
                if held(*reply) && session.reply(*reply).is_some_and(|r| r.status.is_waiting()) {
                    return Err(format!("I6: {reply} is held and parked"));
                }
            }
            _ => {}
        }
        if ends(event) {
            self.finals.extend(about(event));
        }
        Ok(())
    }

    /// Looks at the state after a command.
    pub fn finds(&self, session: &Session) -> Result<(), String> {
        let sorted = |covers: &[MessageId]| covers.is_sorted_by(|a, b| a < b);
        for reply in &session.replies {
            let waiting = reply.status.is_waiting();
            let held = waiting && session.is_held(reply);
            let facts = [
                ("covers are sorted", sorted(&reply.covers)),
                (
                    "a claim and DISPATCHING come together",
                    reply.claim.is_some() == (reply.status == ReplyStatus::Dispatching),
                ),
                (
                    "a reason and PARKED come together",
                    reply.parked.is_some() == (reply.status == ReplyStatus::Parked),
                ),
                (
                    "a held reply is PENDING",
                    !held || reply.status == ReplyStatus::Pending,
                ),
                ("a hold has a beginning", held == reply.held_since.is_some()),
                (
                    "only what left is UNKNOWN",
                    reply.maybe_sent || reply.status != ReplyStatus::Unknown,
                ),
                (
                    "nothing of the agent's waits or is repeated during a takeover",
                    !(waiting || reply.status == ReplyStatus::Unknown && reply.is_repeat())
                        || session.may_send(reply),
                ),
            ];
            if let Some((fact, _)) = facts.iter().find(|(_, holds)| !holds) {
                return Err(format!("not so: {fact}: {reply:?}"));
            }
        }
        if !session.replies.is_sorted_by(|a, b| a.seq < b.seq) {
            return Err("replies are not in order".to_owned());
        }
        let waits: BTreeSet<MessageId> =
            session.uncovered.iter().map(|waiting| waiting.id).collect();
        let lost = self
            .arrived
            .iter()
            .find(|message| !waits.contains(message) && !self.accounted.contains(message));
        if let Some(message) = lost {
            return Err(format!("I8: {message} vanished"));
        }
        if !session.is_open()
            && session
                .next_deadline(&replygate_gate::Rules::default())
                .is_some()
        {
            return Err("a session at rest has a deadline".to_owned());
        }
        Ok(())
    }
}

fn ends(event: &Event) -> bool {
    matches!(
        event,
        Event::Cancelled { .. }
            | Event::Superseded { .. }
            | Event::Cut { .. }
            | Event::Delivered { .. }
            | Event::Expired { .. }
            | Event::Discarded { .. }
    )
}

/// The reply that an event is about.
fn about(event: &Event) -> Option<ReplyId> {
    match event {
        Event::Replied { reply, .. }
        | Event::VerdictNoted { reply, .. }
        | Event::VerdictLate { reply, .. }
        | Event::Released { reply, .. }
        | Event::Cancelled { reply, .. }
        | Event::Superseded { reply, .. }
        | Event::Cut { reply }
        | Event::Claimed { reply, .. }
        | Event::PartAccepted { reply, .. }
        | Event::Delivered { reply, .. }
        | Event::NotSent { reply, .. }
        | Event::AttemptFailed { reply, .. }
        | Event::AttemptBlocked { reply, .. }
        | Event::OutcomeUnknown { reply, .. }
        | Event::RepetitionEnded { reply }
        | Event::Parked { reply, .. }
        | Event::Expired { reply }
        | Event::Requeued { reply, .. }
        | Event::RerunRequested { reply, .. }
        | Event::Discarded { reply } => Some(*reply),
        _ => None,
    }
}
