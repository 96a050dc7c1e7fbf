//! Hand-overs: claim, settle, report.

use super::turn::{after_part, after_unsent};
use crate::command::{Outcome, Scene};
use crate::event::{DeliveredBy, Event};
use crate::ids::{At, ClaimToken, ReplyId};
use crate::refusal::Refusal;
use crate::session::{OutsideLock, Reply, Session};
use crate::status::{Author, Guarantee, ParkReason, ReplyStatus};

pub(super) fn claim(
    session: &Session,
    id: ReplyId,
    token: ClaimToken,
    scene: &Scene<'_>,
) -> Result<Vec<Event>, Refusal> {
    let reply = session.reply(id).ok_or(Refusal::Final)?;
    let due = match reply.status {
        ReplyStatus::Dispatching => return Err(Refusal::Claimed),
        ReplyStatus::Unknown => reply.retry_at.ok_or(Refusal::Parked)?,
        status if status.is_waiting() => reply.not_before,
        _ => return Err(Refusal::Parked),
    };
    if !session.may_send(reply) {
        return Err(Refusal::Parked);
    }
    if reply.status.is_waiting() {
        in_turn(session, reply, scene)?;
    }
    if scene.now.plus(scene.rules.claim_ahead_ms) < due {
        return Err(Refusal::NotDue { at: due });
    }
    if let Some(lock) = session
        .lock
        .as_ref()
        .filter(|lock| lock.holds(scene.now.max(due)))
    {
        return blocked(reply, due, lock, scene);
    }
    Ok(vec![Event::Claimed {
        reply: id,
        token,
        until: scene.now.max(due).plus(scene.rules.claim_ms),
    }])
}

/// Whether it is this reply's turn: every earlier one of the conversation is final, parked or unknown, and no newer message holds it.
fn in_turn(session: &Session, reply: &Reply, scene: &Scene<'_>) -> Result<(), Refusal> {
    let mut earlier = session.replies.iter().filter(|other| other.seq < reply.seq);
    let behind = earlier.any(|other| session.is_in_line(other));
    if behind
        || scene
            .neighbours
            .first_open
            .is_some_and(|open| open < reply.seq)
    {
        return Err(Refusal::NotHead);
    }
    if session.is_held(reply) {
        return Err(Refusal::Held);
    }
    Ok(())
}

/// An attempt met an outside lock: a live one does not count, a stuck one does.
fn blocked(
    reply: &Reply,
    due: At,
    lock: &OutsideLock,
    scene: &Scene<'_>,
) -> Result<Vec<Event>, Refusal> {
    let attempted_at = scene.now.max(due);
    if !lock.is_stuck(attempted_at) {
        return Err(Refusal::Locked {
            lease_until: lock.lease_until,
        });
    }
    let event = match scene.rules.ladder_ms.get(usize::from(reply.attempts)) {
        Some(step) => Event::AttemptBlocked {
            reply: reply.id,
            attempt: reply.attempts + 1,
            not_before: attempted_at.plus(*step),
        },
        None => Event::Parked {
            reply: reply.id,
            reason: ParkReason::LockStuck,
            code: None,
        },
    };
    Ok(vec![event])
}

pub(super) fn settle(
    session: &Session,
    token: ClaimToken,
    outcome: &Outcome,
    scene: &Scene<'_>,
) -> Result<Vec<Event>, Refusal> {
    let holds = |reply: &&Reply| {
        reply
            .claim
            .as_ref()
            .is_some_and(|claim| claim.token == token)
    };
    let reply = session
        .replies
        .iter()
        .find(holds)
        .ok_or(Refusal::StaleClaim)?;
    Ok(match outcome {
        Outcome::Accepted { receipt } => accepted(reply, receipt.clone(), scene),
        Outcome::NotSent => came_back(
            session,
            reply,
            Event::NotSent {
                reply: reply.id,
                at: scene.now,
            },
        ),
        Outcome::Failed {
            code,
            retry_after_ms,
        } => failed(session, reply, code, *retry_after_ms, scene),
        Outcome::Refused { code } => {
            let reason = ParkReason::ChannelRefused;
            given_up(session, reply, parked(reply, reason, Some(code)), scene)
        }
        Outcome::Unknown { code } => vec![unknown(session, reply, code, scene)],
        Outcome::Unreadable => {
            let reason = ParkReason::TextUnreadable;
            given_up(session, reply, parked(reply, reason, None), scene)
        }
    })
}

/// No further attempt makes sense: a verdict that was waiting for the claim applies, else a person decides.
fn given_up(session: &Session, reply: &Reply, parked: Event, scene: &Scene<'_>) -> Vec<Event> {
    match after_unsent(session, reply) {
        Some(end) => vec![
            Event::NotSent {
                reply: reply.id,
                at: scene.now,
            },
            end,
        ],
        None => vec![parked],
    }
}

fn accepted(reply: &Reply, receipt: Option<String>, scene: &Scene<'_>) -> Vec<Event> {
    let id = reply.id;
    if reply.sent + 1 >= reply.parts {
        let how = DeliveredBy::Channel;
        return vec![Event::Delivered {
            reply: id,
            receipt,
            how,
        }];
    }
    let accepted = Event::PartAccepted {
        reply: id,
        part: reply.sent,
        receipt,
        until: scene.now.plus(scene.rules.claim_ms),
    };
    // A verdict that came too late for what left is in time for the rest.
    std::iter::once(accepted).chain(after_part(reply)).collect()
}

/// The claim ended with nothing handed over: a verdict that was waiting for this applies now.
fn came_back(session: &Session, reply: &Reply, back: Event) -> Vec<Event> {
    let end = after_unsent(session, reply).or_else(|| {
        is_taken_over(session, reply).then(|| {
            if reply.is_repeat() {
                return Event::RepetitionEnded { reply: reply.id };
            }
            Event::Parked {
                reply: reply.id,
                reason: ParkReason::HumanTakeover,
                code: None,
            }
        })
    });
    std::iter::once(back).chain(end).collect()
}

/// Whether a person answers in the place of this reply's author.
fn is_taken_over(session: &Session, reply: &Reply) -> bool {
    session.takeover.is_some() && reply.author == Author::Agent
}

fn failed(
    session: &Session,
    reply: &Reply,
    code: &str,
    retry_after_ms: Option<u64>,
    scene: &Scene<'_>,
) -> Vec<Event> {
    let Some(step) = scene
        .rules
        .channel_ladder_ms
        .get(usize::from(reply.failures))
    else {
        let parked = parked(reply, ParkReason::ChannelFailed, Some(code));
        return given_up(session, reply, parked, scene);
    };
    let wait = (*step).max(retry_after_ms.unwrap_or(0));
    let event = Event::AttemptFailed {
        reply: reply.id,
        code: code.to_owned(),
        failures: reply.failures + 1,
        at: scene.now,
        not_before: scene.now.plus(wait),
    };
    came_back(session, reply, event)
}

fn parked(reply: &Reply, reason: ParkReason, code: Option<&str>) -> Event {
    Event::Parked {
        reply: reply.id,
        reason,
        code: code.map(str::to_owned),
    }
}

/// The outcome is not known: never back in line by itself, unless the channel's guarantee asks for a repetition and no
/// person decides.
pub(super) fn unknown(session: &Session, reply: &Reply, code: &str, scene: &Scene<'_>) -> Event {
    let repeats = scene.rules.guarantee == Guarantee::AtLeastOnce && !is_taken_over(session, reply);
    let ladder = &scene.rules.channel_ladder_ms;
    let step = ladder.get(usize::from(reply.failures)).filter(|_| repeats);
    Event::OutcomeUnknown {
        reply: reply.id,
        code: code.to_owned(),
        retry_at: step.map(|step| scene.now.plus(*step)),
    }
}

pub(super) fn report(session: &Session, id: ReplyId) -> Result<Vec<Event>, Refusal> {
    let reply = session.reply(id).ok_or(Refusal::Final)?;
    if reply.maybe_sent || reply.status == ReplyStatus::Dispatching {
        return Ok(vec![Event::Delivered {
            reply: id,
            receipt: None,
            how: DeliveredBy::Report,
        }]);
    }
    Err(Refusal::Nothing)
}
