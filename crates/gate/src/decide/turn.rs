//! A turn's life: take, renew, commit or fail.

use super::verdict::{Sorted, sort};
use crate::command::{Commit, Draft, Judgement, Late, Scene};
use crate::event::{CancelledBy, Event, TurnLoss};
use crate::ids::{ActionId, At, MessageId, ReplyId, TurnId};
use crate::refusal::Refusal;
use crate::rules::Rules;
use crate::session::{Owner, Reply, Session};
use crate::status::{Author, Decision, ParkReason};
use crate::strategy::Strategy;
use crate::usage::Usage;

/// A take later than this after the window's close was kept waiting by something else than our own overhead, so that the
/// delay counts from the take. Milliseconds.
const PROMPT_MS: u64 = 250;

pub(super) fn take(
    session: &Session,
    turn: TurnId,
    scene: &Scene<'_>,
) -> Result<Vec<Event>, Refusal> {
    if !session.is_ripe(scene.now, scene.rules) {
        return Err(Refusal::NotRipe);
    }
    let rerun = session.rerun.and_then(|id| session.reply(id));
    let mut burst: Vec<MessageId> = session.uncovered.iter().map(|waiting| waiting.id).collect();
    burst.extend(rerun.into_iter().flat_map(|reply| &reply.covers));
    if burst.is_empty() {
        return Err(Refusal::NotRipe);
    }
    let closed = session.window.map_or(scene.now, |window| window.due);
    let base = if scene.now.since(closed) <= PROMPT_MS {
        closed
    } else {
        scene.now
    };
    Ok(vec![Event::Taken {
        turn,
        fence: session.last_fence + 1,
        until: scene.now.plus(scene.rules.lease_ms),
        base,
        burst,
        rerun: rerun.map(|reply| reply.id),
        effects: session.orphan_effects || rerun.is_some_and(|reply| reply.effects),
        stopping: session.orphan_stop,
    }])
}

fn owner(session: &Session, fence: u64) -> Result<&Owner, Refusal> {
    session
        .owner
        .as_ref()
        .filter(|owner| owner.fence == fence)
        .ok_or(Refusal::Fenced { given: fence })
}

pub(super) fn renew(
    session: &Session,
    fence: u64,
    scene: &Scene<'_>,
) -> Result<Vec<Event>, Refusal> {
    owner(session, fence)?;
    Ok(vec![Event::Renewed {
        fence,
        until: scene.now.plus(scene.rules.lease_ms),
    }])
}

pub(super) fn reserve_effect(
    session: &Session,
    fence: u64,
    tool: Option<&str>,
    action: Option<ActionId>,
) -> Result<Vec<Event>, Refusal> {
    if owner(session, fence)?.stopping {
        return Err(Refusal::Stopping);
    }
    Ok(vec![Event::EffectReserved {
        fence,
        tool: tool.map(str::to_owned),
        action,
    }])
}

pub(super) fn hand_back(
    session: &Session,
    fence: u64,
    scene: &Scene<'_>,
) -> Result<Vec<Event>, Refusal> {
    let owner = owner(session, fence)?;
    Ok(vec![lost(owner, TurnLoss::HandedBack, Some(scene.now))])
}

/// The event that takes a turn's session away.
pub(super) fn lost(owner: &Owner, reason: TurnLoss, due: Option<At>) -> Event {
    Event::TurnLost {
        turn: owner.turn,
        fence: owner.fence,
        reason,
        effects: owner.effects,
        due,
    }
}

pub(super) fn commit(
    session: &Session,
    commit: &Commit,
    scene: &Scene<'_>,
) -> Result<Vec<Event>, Refusal> {
    let owner = owner(session, commit.fence)?;
    let sorted = sort(
        session,
        &commit.verdicts,
        scene.rules,
        commit.draft.is_some(),
    );
    let rerun = owner
        .rerun
        .and_then(|id| session.reply(id))
        .filter(|reply| !reply.is_undelivered());
    let mut too_late = sorted.too_late();
    too_late.extend(owner.rerun.filter(|_| rerun.is_none()));
    if commit.late == Late::Refuse && !too_late.is_empty() {
        return Err(Refusal::TooLate { replies: too_late });
    }

    let answers_nothing = owner.rerun.is_some()
        && rerun.is_none()
        && sorted.merged.is_empty()
        && !owner.burst.iter().any(|id| waits(session, *id));
    let draft = commit.draft.as_ref().filter(|_| !answers_nothing);
    let mut events = judged(owner.epoch, &commit.verdicts);
    if let Some(draft) = draft {
        events.push(replied(
            session,
            owner,
            &sorted,
            rerun,
            (commit, draft),
            scene,
        ));
    }
    events.extend(verdict_events(session, &sorted, owner.epoch, draft));
    if let Some(old) = rerun {
        events.push(match draft {
            Some(draft) => Event::Superseded {
                reply: old.id,
                by: draft.reply,
            },
            None => Event::RerunEnded { reply: old.id },
        });
    }
    events.push(Event::Committed {
        turn: owner.turn,
        fence: owner.fence,
        reply: draft.map(|draft| draft.reply),
        burst: owner.burst.clone(),
        run_ms: commit.run_ms,
        usage: commit.usage,
    });
    Ok(events)
}

fn judged(epoch: u64, verdicts: &[Judgement]) -> Vec<Event> {
    verdicts
        .iter()
        .map(|judgement| Event::Judged {
            epoch,
            judgement: judgement.clone(),
            early: false,
        })
        .collect()
}

fn replied(
    session: &Session,
    owner: &Owner,
    sorted: &Sorted<'_>,
    rerun: Option<&Reply>,
    (commit, draft): (&Commit, &Draft),
    scene: &Scene<'_>,
) -> Event {
    let mut covers: Vec<MessageId> = match (owner.rerun, rerun) {
        // The reply to be replaced was delivered meanwhile: its messages are answered, only the new ones are ours.
        (Some(_), None) => owner
            .burst
            .iter()
            .copied()
            .filter(|id| waits(session, *id))
            .collect(),
        _ => owner.burst.clone(),
    };
    covers.extend(sorted.merged.iter().flat_map(|reply| &reply.covers));
    covers.sort_unstable();
    covers.dedup();
    let inherited = sorted.merged.iter().any(|reply| reply.effects);
    let due = owner
        .base
        .plus(commit.run_ms)
        .plus(scene.rules.operational_delay_ms);
    Event::Replied {
        reply: draft.reply,
        seq: next_seq(session, scene),
        author: Author::Agent,
        covers,
        parts: draft.parts,
        at: scene.now,
        not_before: due.min(scene.now.plus(scene.rules.operational_delay_ms)),
        cleared: cleared(session, owner, scene.rules),
        merged: !sorted.merged.is_empty(),
        effects: owner.effects || commit.effects || inherited,
    }
}

/// Up to which epoch newer messages do not hold the new reply: only triage has messages that came meanwhile judged.
fn cleared(session: &Session, owner: &Owner, rules: &Rules) -> u64 {
    match rules.strategy {
        Strategy::Triage => owner.epoch,
        _ => session.epoch,
    }
}

fn waits(session: &Session, message: MessageId) -> bool {
    session
        .uncovered
        .iter()
        .any(|waiting| waiting.id == message)
}

/// The sequence number that the next reply of the conversation takes.
pub(super) fn next_seq(session: &Session, scene: &Scene<'_>) -> u64 {
    session.last_seq.max(scene.neighbours.last_seq) + 1
}

fn verdict_events<'a>(
    session: &'a Session,
    sorted: &'a Sorted<'a>,
    epoch: u64,
    draft: Option<&'a Draft>,
) -> impl Iterator<Item = Event> + 'a {
    let cancelled = sorted.cancelled.iter().map(|reply| Event::Cancelled {
        reply: reply.id,
        by: CancelledBy::Verdict,
    });
    let merged = sorted.merged.iter().filter_map(move |reply| {
        draft.map(|draft| Event::Superseded {
            reply: reply.id,
            by: draft.reply,
        })
    });
    let cut = sorted
        .cut
        .iter()
        .map(|reply| Event::Cut { reply: reply.id });
    let late = sorted
        .late
        .iter()
        .map(move |(reply, decision)| Event::VerdictLate {
            reply: reply.id,
            decision: *decision,
            epoch,
            successor: draft.map(|draft| draft.reply),
            by: CancelledBy::Verdict,
        });
    let released = sorted
        .released
        .iter()
        .filter(move |reply| reply.cleared < epoch && session.is_held(reply))
        .map(move |reply| Event::Released {
            reply: reply.id,
            epoch,
        });
    cancelled
        .chain(merged)
        .chain(cut)
        .chain(late)
        .chain(released)
}

pub(super) fn fail(
    session: &Session,
    fence: u64,
    reply: ReplyId,
    verdicts: &[Judgement],
    (code, usage): (&str, Usage),
    scene: &Scene<'_>,
) -> Result<Vec<Event>, Refusal> {
    let owner = owner(session, fence)?;
    let sorted = sort(session, verdicts, scene.rules, true);
    let mut covers: Vec<MessageId> = owner
        .burst
        .iter()
        .copied()
        .filter(|id| waits(session, *id))
        .collect();
    covers.sort_unstable();
    let mut events = judged(owner.epoch, verdicts);
    for old in sorted
        .cancelled
        .iter()
        .chain(&sorted.merged)
        .chain(&sorted.cut)
    {
        events.push(Event::Parked {
            reply: old.id,
            reason: ParkReason::ReplacementFailed,
            code: None,
        });
    }
    // On its way: it is parked too if it comes back unsent, for a merge without a successor means just that.
    let on_their_way = sorted.late.iter().map(|(reply, _)| *reply);
    events.extend(
        on_their_way
            .filter(|reply| !reply.is_withdrawn())
            .map(|reply| Event::VerdictLate {
                reply: reply.id,
                decision: Decision::Merge,
                epoch: owner.epoch,
                successor: None,
                by: CancelledBy::Verdict,
            }),
    );
    events.extend(
        sorted
            .released
            .iter()
            .filter(|held| held.cleared < owner.epoch && session.is_held(held))
            .map(|held| Event::Released {
                reply: held.id,
                epoch: owner.epoch,
            }),
    );
    if !covers.is_empty() {
        events.push(Event::Replied {
            reply,
            seq: next_seq(session, scene),
            author: Author::Agent,
            covers,
            parts: 0,
            at: scene.now,
            not_before: scene.now,
            cleared: owner.epoch,
            merged: false,
            effects: owner.effects,
        });
        events.push(Event::Parked {
            reply,
            reason: ParkReason::AgentFailed,
            code: Some(code.to_owned()),
        });
    }
    events.extend(owner.rerun.map(|reply| Event::RerunEnded { reply }));
    events.push(Event::TurnFailed {
        turn: owner.turn,
        fence,
        code: code.to_owned(),
        burst: owner.burst.clone(),
        usage,
    });
    Ok(events)
}

/// What a late verdict comes to when its claim came back unsent.
pub(super) fn after_unsent(session: &Session, reply: &Reply) -> Option<Event> {
    let noted = reply.noted.as_ref().filter(|noted| noted.ready)?;
    if reply.maybe_sent {
        return None;
    }
    if reply.sent > 0 || noted.has_no_replacement() {
        return after_part(reply);
    }
    match noted.decision {
        Decision::CancelFirst => Some(Event::Cancelled {
            reply: reply.id,
            by: noted.by,
        }),
        Decision::Merge => noted
            .successor
            .filter(|id| {
                session
                    .reply(*id)
                    .is_some_and(|successor| successor.status.is_waiting() && !successor.has_left())
            })
            .map(|by| Event::Superseded {
                reply: reply.id,
                by,
            }),
        Decision::ReleaseFirst => None,
    }
}

/// What a late verdict comes to when a part left and others have not.
pub(super) fn after_part(reply: &Reply) -> Option<Event> {
    let noted = reply.noted.as_ref().filter(|noted| noted.ready)?;
    if noted.has_no_replacement() {
        return Some(Event::Parked {
            reply: reply.id,
            reason: ParkReason::ReplacementFailed,
            code: None,
        });
    }
    Some(Event::Cut { reply: reply.id })
}
