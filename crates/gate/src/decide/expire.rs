//! What ends by time alone.

use super::dispatch::unknown;
use super::turn::lost;
use crate::command::Scene;
use crate::event::{Event, TurnLoss, UnlockReason};
use crate::refusal::Refusal;
use crate::session::{Reply, Session};
use crate::status::ParkReason;

pub(super) fn expire(session: &Session, scene: &Scene<'_>) -> Result<Vec<Event>, Refusal> {
    let mut events = Vec::new();
    if session
        .lock
        .as_ref()
        .is_some_and(|lock| !lock.holds(scene.now))
    {
        events.push(Event::Unlocked {
            reason: UnlockReason::Ttl,
        });
    }
    if let Some(owner) = session
        .owner
        .as_ref()
        .filter(|owner| owner.until <= scene.now)
    {
        events.push(lost(owner, TurnLoss::LeaseEnded, Some(scene.now)));
    }
    events.extend(
        session
            .replies
            .iter()
            .filter_map(|reply| over(session, reply, scene)),
    );
    if events.is_empty() {
        Err(Refusal::Nothing)
    } else {
        Ok(events)
    }
}

pub(super) fn recover(session: &Session, scene: &Scene<'_>) -> Result<Vec<Event>, Refusal> {
    let mut events = Vec::new();
    events.extend(
        session
            .owner
            .as_ref()
            .map(|owner| lost(owner, TurnLoss::LeaseEnded, Some(scene.now))),
    );
    let claimed = session.replies.iter().filter(|reply| reply.claim.is_some());
    events.extend(claimed.map(|reply| unknown(session, reply, "process_died", scene)));
    if events.is_empty() {
        Err(Refusal::Nothing)
    } else {
        Ok(events)
    }
}

fn over(session: &Session, reply: &Reply, scene: &Scene<'_>) -> Option<Event> {
    let id = reply.id;
    if let Some(claim) = &reply.claim {
        return (claim.until <= scene.now).then(|| unknown(session, reply, "claim_expired", scene));
    }
    if !reply.status.is_waiting() {
        return None;
    }
    let age = scene.now.since(reply.queued_at);
    if age >= scene.rules.expire_age_ms && !reply.has_left() {
        return Some(Event::Expired { reply: id });
    }
    if age >= scene.rules.park_age_ms && session.may_park_for_age(reply) {
        return Some(Event::Parked {
            reply: id,
            reason: ParkReason::TooOld,
            code: None,
        });
    }
    let unjudged = reply.noted.is_none() && session.is_held(reply);
    let held_long = reply
        .held_since
        .is_some_and(|since| scene.now.since(since) >= scene.rules.max_hold_ms);
    (unjudged && held_long).then_some(Event::Released {
        reply: id,
        epoch: session.epoch,
    })
}
