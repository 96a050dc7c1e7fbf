//! What people and other systems do to a session.

use super::turn::{lost, next_seq};
use crate::command::{AnsweredElsewhere, Draft, Scene, Target};
use crate::event::{DeliveredBy, Event, TurnLoss, UnlockReason};
use crate::ids::MessageId;
use crate::refusal::Refusal;
use crate::session::{Reply, Session};
use crate::status::{Author, DropReason, ParkReason, ReplyStatus};

pub(super) fn release_hold(session: &Session) -> Result<Vec<Event>, Refusal> {
    let epoch = session.epoch;
    let held = session
        .replies
        .iter()
        .filter(|reply| reply.status.is_waiting() && session.is_held(reply));
    let events: Vec<Event> = held
        .map(|reply| Event::Released {
            reply: reply.id,
            epoch,
        })
        .collect();
    if events.is_empty() {
        Err(Refusal::Nothing)
    } else {
        Ok(events)
    }
}

pub(super) fn lock(
    session: &Session,
    holder: &str,
    lease_ms: u64,
    ttl_ms: u64,
    scene: &Scene<'_>,
) -> Result<Vec<Event>, Refusal> {
    let other = session
        .lock
        .as_ref()
        .filter(|lock| lock.holds(scene.now) && lock.holder != holder);
    if let Some(other) = other {
        return Err(Refusal::LockHeld {
            holder: other.holder.clone(),
        });
    }
    let expires = scene.now.plus(ttl_ms);
    let lease_until = scene.now.plus(lease_ms).min(expires);
    Ok(vec![Event::Locked {
        holder: holder.to_owned(),
        lease_until,
        expires,
    }])
}

pub(super) fn unlock(
    session: &Session,
    holder: Option<&str>,
    scene: &Scene<'_>,
) -> Result<Vec<Event>, Refusal> {
    let lock = session
        .lock
        .as_ref()
        .filter(|lock| lock.holds(scene.now))
        .ok_or(Refusal::NoLock)?;
    let reason = match holder {
        None => UnlockReason::Operator,
        Some(holder) if holder == lock.holder => UnlockReason::Holder,
        Some(_) => {
            return Err(Refusal::LockHeld {
                holder: lock.holder.clone(),
            });
        }
    };
    Ok(vec![Event::Unlocked { reason }])
}

pub(super) fn take_over(
    session: &Session,
    by: &str,
    scene: &Scene<'_>,
) -> Result<Vec<Event>, Refusal> {
    if let Some(takeover) = &session.takeover {
        return Err(Refusal::TakenOver {
            by: takeover.by.clone(),
        });
    }
    let mut events = vec![Event::TakenOver {
        by: by.to_owned(),
        at: scene.now,
    }];
    events.extend(
        session
            .owner
            .as_ref()
            .map(|owner| lost(owner, TurnLoss::Takeover, None)),
    );
    events.extend(session.rerun.map(|reply| Event::RerunEnded { reply }));
    let waiting: Vec<MessageId> = session.uncovered.iter().map(|message| message.id).collect();
    if !waiting.is_empty() {
        events.push(Event::Dropped {
            messages: waiting,
            reason: DropReason::Person,
        });
    }
    let agents = session
        .replies
        .iter()
        .filter(|reply| reply.author == Author::Agent);
    events.extend(agents.filter_map(put_away));
    Ok(events)
}

/// What a takeover does to a reply of the agent. The person goes on from here, so that nothing of the agent's comes later
/// by itself: not what waits, nor what may have left and would be repeated behind the person's words.
fn put_away(reply: &Reply) -> Option<Event> {
    let reply_id = reply.id;
    match reply.status {
        status if status.is_waiting() => Some(Event::Parked {
            reply: reply_id,
            reason: ParkReason::HumanTakeover,
            code: None,
        }),
        ReplyStatus::Unknown if reply.is_repeat() => {
            Some(Event::RepetitionEnded { reply: reply_id })
        }
        _ => None,
    }
}

pub(super) fn say(
    session: &Session,
    by: &str,
    draft: &Draft,
    scene: &Scene<'_>,
) -> Result<Vec<Event>, Refusal> {
    let takeover = session.takeover.as_ref().ok_or(Refusal::NotTakenOver)?;
    if takeover.by != by {
        return Err(Refusal::TakenOver {
            by: takeover.by.clone(),
        });
    }
    Ok(vec![Event::Replied {
        reply: draft.reply,
        seq: next_seq(session, scene),
        author: Author::Person,
        covers: Vec::new(),
        parts: draft.parts,
        at: scene.now,
        not_before: scene.now,
        cleared: session.epoch,
        merged: false,
        effects: false,
    }])
}

pub(super) fn hand_back(session: &Session) -> Result<Vec<Event>, Refusal> {
    session.takeover.as_ref().ok_or(Refusal::NotTakenOver)?;
    Ok(vec![Event::HandedBack])
}

/// The parked or unknown reply that the operator saw, if it is still what was seen.
fn seen<'a>(session: &'a Session, target: &Target) -> Result<&'a Reply, Refusal> {
    let reply = session.reply(target.reply).ok_or(Refusal::Final)?;
    if reply.generation != target.generation {
        return Err(Refusal::Changed {
            status: reply.status,
            present: reply.generation,
            given: target.generation,
        });
    }
    if !matches!(reply.status, ReplyStatus::Parked | ReplyStatus::Unknown) {
        return Err(Refusal::NotParked {
            status: reply.status,
        });
    }
    let in_turn = session.owner.as_ref().and_then(|owner| owner.rerun);
    if session.rerun == Some(reply.id) || in_turn == Some(reply.id) {
        return Err(Refusal::BeingRerun);
    }
    Ok(reply)
}

pub(super) fn reprocess(
    session: &Session,
    target: &Target,
    scene: &Scene<'_>,
) -> Result<Vec<Event>, Refusal> {
    let reply = seen(session, target)?;
    if reply.parts == 0 {
        return Err(Refusal::Empty);
    }
    if let Some(takeover) = session
        .takeover
        .as_ref()
        .filter(|_| reply.author == Author::Agent)
    {
        return Err(Refusal::TakenOver {
            by: takeover.by.clone(),
        });
    }
    Ok(vec![Event::Requeued {
        reply: reply.id,
        seq: next_seq(session, scene),
        at: scene.now,
    }])
}

pub(super) fn rerun(
    session: &Session,
    target: &Target,
    answered: &[AnsweredElsewhere],
    override_reason: Option<&str>,
    scene: &Scene<'_>,
) -> Result<Vec<Event>, Refusal> {
    let reply = seen(session, target)?;
    if let Some(takeover) = &session.takeover {
        return Err(Refusal::TakenOver {
            by: takeover.by.clone(),
        });
    }
    if session.rerun.is_some() {
        return Err(Refusal::BeingRerun);
    }
    if reply.covers.is_empty() {
        return Err(Refusal::Empty);
    }
    if !answered.is_empty() && override_reason.is_none() {
        return Err(Refusal::AnsweredElsewhere {
            answered: answered.to_vec(),
        });
    }
    let requested = Event::RerunRequested {
        reply: reply.id,
        due: scene.now,
        override_reason: override_reason.map(str::to_owned),
    };
    // Should the new answer fail, others have left meanwhile: this one must not follow behind them by itself.
    let repetition = reply
        .is_repeat()
        .then_some(Event::RepetitionEnded { reply: reply.id });
    Ok(std::iter::once(requested).chain(repetition).collect())
}

pub(super) fn discard(session: &Session, target: &Target) -> Result<Vec<Event>, Refusal> {
    Ok(vec![Event::Discarded {
        reply: seen(session, target)?.id,
    }])
}

pub(super) fn mark_delivered(session: &Session, target: &Target) -> Result<Vec<Event>, Refusal> {
    let reply = seen(session, target)?;
    if reply.status != ReplyStatus::Unknown {
        return Err(Refusal::NotParked {
            status: reply.status,
        });
    }
    Ok(vec![Event::Delivered {
        reply: reply.id,
        receipt: None,
        how: DeliveredBy::Operator,
    }])
}
