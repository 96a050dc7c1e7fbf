//! Verdicts: which take effect now, which wait for the commit, and what the protocol makes of each.

use crate::command::{Judgement, Scene};
use crate::event::Event;
use crate::refusal::Refusal;
use crate::rules::Rules;
use crate::session::{Reply, Session};
use crate::status::{Author, Decision, ReplyStatus};
use crate::strategy::Strategy;

/// What a judgement comes to under the protocol's rules, whatever the evaluator said.
///
/// Unsure means `RELEASE_FIRST`, the only verdict that loses nothing. A reply whose turn committed an outside effect, or
/// that merged another's request, is never cancelled, at most merged. A person's reply is never taken back.
#[must_use]
pub fn effective(reply: &Reply, judgement: &Judgement, rules: &Rules) -> Decision {
    if judgement.confidence < rules.threshold || reply.author == Author::Person {
        return Decision::ReleaseFirst;
    }
    match judgement.decision {
        Decision::CancelFirst if reply.effects || reply.merged => Decision::Merge,
        decision => decision,
    }
}

pub(super) fn judge(
    session: &Session,
    epoch: u64,
    verdicts: &[Judgement],
    scene: &Scene<'_>,
) -> Result<Vec<Event>, Refusal> {
    if epoch != session.epoch {
        return Err(Refusal::Stale {
            given: epoch,
            present: session.epoch,
        });
    }
    if scene.rules.strategy != Strategy::Triage {
        return Err(Refusal::Nothing);
    }
    let mut events = Vec::with_capacity(verdicts.len() * 2);
    for judgement in verdicts {
        let Some(reply) = session
            .undelivered()
            .find(|reply| reply.id == judgement.reply)
        else {
            continue;
        };
        if is_settled(reply, epoch) {
            continue;
        }
        events.push(Event::Judged {
            epoch,
            judgement: judgement.clone(),
            early: true,
        });
        events.extend(early(session, reply, judgement, scene));
    }
    if events.is_empty() {
        Err(Refusal::Nothing)
    } else {
        Ok(events)
    }
}

/// Whether a verdict for this epoch was recorded before: an arrival and the turn that follows share one evaluation.
fn is_settled(reply: &Reply, epoch: u64) -> bool {
    let noted = reply
        .noted
        .as_ref()
        .is_some_and(|noted| noted.epoch >= epoch);
    // What a commit or a command decided is not undone by an early verdict.
    noted || reply.cleared >= epoch || reply.is_withdrawn()
}

fn early(
    session: &Session,
    reply: &Reply,
    judgement: &Judgement,
    scene: &Scene<'_>,
) -> Option<Event> {
    let epoch = session.epoch;
    match effective(reply, judgement, scene.rules) {
        Decision::ReleaseFirst => {
            let sure = judgement.confidence >= scene.rules.threshold && !dangles(session);
            let may_go = (sure || window_is_over(session, scene)) && reply.cleared < epoch;
            may_go.then_some(Event::Released {
                reply: reply.id,
                epoch,
            })
        }
        decision => Some(Event::VerdictNoted {
            reply: reply.id,
            decision,
            epoch,
        }),
    }
}

/// Whether the newest message that waits leaves more to be expected.
fn dangles(session: &Session) -> bool {
    session
        .fresh()
        .next_back()
        .is_some_and(|waiting| waiting.dangles)
}

fn window_is_over(session: &Session, scene: &Scene<'_>) -> bool {
    session.window.is_none_or(|window| window.due <= scene.now)
}

/// The verdicts of a commit, sorted by what becomes of each reply.
#[derive(Default)]
pub(super) struct Sorted<'a> {
    pub cancelled: Vec<&'a Reply>,
    pub merged: Vec<&'a Reply>,
    pub cut: Vec<&'a Reply>,
    pub released: Vec<&'a Reply>,
    /// Being sent: the verdict stays with the reply.
    pub late: Vec<(&'a Reply, Decision)>,
    /// Sent or gone since the agent started.
    pub gone: Vec<crate::ReplyId>,
}

impl Sorted<'_> {
    pub(super) fn too_late(&self) -> Vec<crate::ReplyId> {
        self.late
            .iter()
            .map(|(reply, _)| reply.id)
            .chain(self.gone.iter().copied())
            .collect()
    }
}

/// Sorts every undelivered reply and every judged one. `answered` tells whether the commit brings an answer: without one,
/// nothing can be merged.
pub(super) fn sort<'a>(
    session: &'a Session,
    verdicts: &[Judgement],
    rules: &Rules,
    answered: bool,
) -> Sorted<'a> {
    let mut sorted = Sorted::default();
    for reply in session.undelivered() {
        let judged = verdicts
            .iter()
            .find(|judgement| judgement.reply == reply.id);
        let decision = judged.map_or(Decision::ReleaseFirst, |judgement| {
            effective(reply, judgement, rules)
        });
        place(&mut sorted, reply, decision, answered);
    }
    for judgement in verdicts.iter().filter(|judgement| {
        judgement.decision != Decision::ReleaseFirst && judgement.confidence >= rules.threshold
    }) {
        let parked = |reply: &Reply| reply.status == ReplyStatus::Parked;
        let here = session
            .reply(judgement.reply)
            .is_some_and(|reply| reply.is_undelivered() || parked(reply));
        if !here {
            sorted.gone.push(judgement.reply);
        }
    }
    sorted
}

fn place<'a>(sorted: &mut Sorted<'a>, reply: &'a Reply, decision: Decision, answered: bool) {
    let dispatching = reply.status == ReplyStatus::Dispatching;
    match decision {
        Decision::ReleaseFirst if reply.is_withdrawn() => {}
        Decision::ReleaseFirst => sorted.released.push(reply),
        Decision::Merge if !answered && dispatching => {}
        Decision::Merge if !answered => sorted.released.push(reply),
        decision if dispatching => sorted.late.push((reply, decision)),
        _ if reply.sent > 0 => sorted.cut.push(reply),
        // An operator sends again what may have left before: nobody knows what there is to take back.
        _ if reply.maybe_sent => sorted.released.push(reply),
        Decision::CancelFirst => sorted.cancelled.push(reply),
        Decision::Merge => sorted.merged.push(reply),
    }
}
