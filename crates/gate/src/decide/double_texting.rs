//! Double texting: what a message that comes while the session is busy does to what is under way, by the channel's
//! strategy. Must never undo what may have changed the outside world: then every strategy lets it stand and waits.

use super::turn::{lost, next_seq};
use crate::command::{Arrival, Draft, Scene, Sender, TurnJudgement};
use crate::event::{CancelledBy, Event, TurnLoss};
use crate::ids::{MessageId, TurnId};
use crate::refusal::Refusal;
use crate::session::{Owner, Reply, Session};
use crate::status::{Author, Decision, DropReason, QueueReason};
use crate::strategy::Strategy;

/// The events of an arrival that joins the burst by `joined`, unless the strategy refuses it.
pub(super) fn meet(
    session: &Session,
    arrival: &Arrival,
    joined: Event,
    scene: &Scene<'_>,
) -> Vec<Event> {
    match scene.rules.strategy {
        Strategy::Triage => vec![joined],
        Strategy::Reject if session.is_busy() => rejected(session, arrival, scene),
        Strategy::Reject | Strategy::Enqueue => enqueued(session, arrival.message, joined),
        strategy @ (Strategy::Interrupt | Strategy::Rollback) => Stop {
            session,
            strategy,
            scene,
        }
        .events(arrival.message, joined),
    }
}

fn rejected(session: &Session, arrival: &Arrival, scene: &Scene<'_>) -> Vec<Event> {
    let message = arrival.message;
    let mut events = vec![Event::Rejected {
        message,
        at: scene.now,
        turn: session.owner.as_ref().map(|owner| owner.turn),
        replies: session.on_their_way().map(|reply| reply.id).collect(),
    }];
    if arrival.sender == Sender::Redelivers {
        events.push(Event::Dropped {
            messages: vec![message],
            reason: DropReason::Rejected,
        });
    }
    events
}

fn enqueued(session: &Session, message: MessageId, joined: Event) -> Vec<Event> {
    let mut events = vec![joined];
    if session.is_busy() {
        events.push(Event::Queued {
            message,
            reason: QueueReason::Strategy,
            turn: session.owner.as_ref().map(|owner| owner.turn),
        });
    }
    let on_their_way = session.undelivered().filter(|reply| !reply.is_withdrawn());
    events.extend(on_their_way.map(|reply| released(session, reply)));
    events
}

/// The reply may go whatever came up to and with the message that is joining.
fn released(session: &Session, reply: &Reply) -> Event {
    Event::Released {
        reply: reply.id,
        epoch: session.epoch + 1,
    }
}

/// A message that stops what it can.
struct Stop<'a> {
    session: &'a Session,
    strategy: Strategy,
    scene: &'a Scene<'a>,
}

impl Stop<'_> {
    fn events(&self, message: MessageId, joined: Event) -> Vec<Event> {
        let session = self.session;
        let mut events = Vec::new();
        let owner = session.owner.as_ref();
        let turn_stands =
            owner.and_then(|owner| Some((self.turn_stands(owner)?, Some(owner.turn))));
        let stopped = owner.filter(|_| turn_stands.is_none());
        events.extend(stopped.map(|owner| lost(owner, self.loss(), None)));
        let goes_on = turn_stands.or_else(|| Some((self.reply_that_stands()?, None)));
        events.push(joined);
        events.extend(goes_on.map(|(reason, turn)| Event::Queued {
            message,
            reason,
            turn,
        }));
        let on_their_way = session.undelivered().filter(|reply| !reply.is_withdrawn());
        events.extend(on_their_way.flat_map(|reply| self.reply(reply)));
        events
    }

    fn loss(&self) -> TurnLoss {
        match self.strategy {
            Strategy::Rollback => TurnLoss::RolledBack,
            _ => TurnLoss::Interrupted,
        }
    }

    /// Why the running turn goes on.
    fn turn_stands(&self, owner: &Owner) -> Option<QueueReason> {
        if owner.effects {
            return Some(QueueReason::Effects);
        }
        patience_is_over(self.session, self.scene).then_some(QueueReason::Waited)
    }

    /// Why a reply of the agent's that is on its way goes before the message.
    fn reply_that_stands(&self) -> Option<QueueReason> {
        self.session.on_their_way().find_map(|reply| {
            let reason = if reply.effects {
                QueueReason::Effects
            } else if self.strategy.lets_stand(reply) {
                QueueReason::Sent
            } else {
                QueueReason::Waited
            };
            self.lets_stand(reply).then_some(reason)
        })
    }

    /// Whether the reply goes as it is. While a turn runs that is about to take its place, that turn decides.
    fn lets_stand(&self, reply: &Reply) -> bool {
        let waited = self.session.owner.is_none() && patience_is_over(self.session, self.scene);
        self.strategy.lets_stand(reply) || waited
    }

    fn reply(&self, reply: &Reply) -> Vec<Event> {
        if self.lets_stand(reply) {
            return vec![released(self.session, reply)];
        }
        if reply.noted.is_some() {
            return Vec::new();
        }
        let epoch = self.session.epoch + 1;
        vec![
            Event::Judged {
                epoch,
                judgement: self.strategy.takes_back(reply),
                early: true,
            },
            Event::VerdictNoted {
                reply: reply.id,
                decision: Decision::Merge,
                epoch,
            },
        ]
    }
}

/// Whether somebody's message has waited as long as a hold may last: nothing newer makes it wait longer.
fn patience_is_over(session: &Session, scene: &Scene<'_>) -> bool {
    session
        .waits_since()
        .is_some_and(|since| scene.now.since(since) >= scene.rules.max_hold_ms)
}

pub(super) fn abort(
    session: &Session,
    epoch: u64,
    judgement: &TurnJudgement,
    scene: &Scene<'_>,
) -> Result<Vec<Event>, Refusal> {
    if epoch != session.epoch {
        return Err(Refusal::Stale {
            given: epoch,
            present: session.epoch,
        });
    }
    let owner = session
        .owner
        .as_ref()
        .filter(|owner| owner.turn == judgement.turn && can_stop(session, owner))
        .ok_or(Refusal::Nothing)?;
    let sure = judgement.confidence >= scene.rules.threshold;
    let is_wrong = sure && judgement.decision != Decision::ReleaseFirst;
    if !is_wrong || scene.rules.strategy != Strategy::Triage || patience_is_over(session, scene) {
        return Err(Refusal::Nothing);
    }
    Ok(vec![
        Event::TurnJudged {
            epoch,
            judgement: judgement.clone(),
        },
        lost(owner, TurnLoss::Judged, None),
    ])
}

/// Whether newer messages wait with which the turn's own can be answered, and nothing that it did would be done again.
fn can_stop(session: &Session, owner: &Owner) -> bool {
    !owner.effects
        && !owner.stopping
        && session.window.is_some()
        && session.fresh().next().is_some()
}

pub(super) fn keep_partial(
    session: &Session,
    turn: TurnId,
    draft: &Draft,
    scene: &Scene<'_>,
) -> Result<Vec<Event>, Refusal> {
    if session.interrupted != Some(turn) || draft.parts == 0 {
        return Err(Refusal::Nothing);
    }
    Ok(vec![
        Event::Replied {
            reply: draft.reply,
            seq: next_seq(session, scene),
            author: Author::Agent,
            covers: Vec::new(),
            parts: draft.parts,
            at: scene.now,
            not_before: scene.now,
            cleared: session.epoch,
            merged: false,
            effects: false,
        },
        Event::Cancelled {
            reply: draft.reply,
            by: CancelledBy::Interrupt,
        },
    ])
}
