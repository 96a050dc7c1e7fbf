//! What may and may not become of replies, turns and hand-overs.

use std::collections::{BTreeMap, BTreeSet};

use replygate_gate::{DeliveredBy, Event, Guarantee, Outcome, ParkReason, ReplyId, ReplyStatus};
use replygate_testkit::scripted::HandOver;

use super::ledger::{Chronicle, Ledger, Moment, concerns};

pub fn judge(ledger: &Ledger, breaches: &mut Vec<String>) {
    taken_back_never_left(ledger, breaches);
    handed_over_once(ledger, breaches);
    delivered_in_full(ledger, breaches);
    in_order(ledger, breaches);
    never_early(ledger, breaches);
    superseded_is_covered(ledger, breaches);
    final_is_final(ledger, breaches);
    for chronicle in &ledger.chronicles {
        let park = chronicle
            .moments
            .iter()
            .filter(|moment| parked_under_a_hold(moment));
        breaches
            .extend(park.map(|moment| format!("I6: {:?} while its hold is live", moment.event)));
        fenced(chronicle, breaches);
        if chronicle.replayed != chronicle.stored {
            breaches.push(format!("I10: {:?} replays to another state", chronicle.key));
        }
        at_rest(chronicle, breaches);
    }
    effects_have_leave(ledger, breaches);
    effects_stand(ledger, breaches);
}

/// Whether the user has it or may have it, as far as anybody can know.
fn may_have_left(hand_over: &HandOver) -> bool {
    let definite = matches!(
        hand_over.outcome,
        Some(
            Outcome::NotSent
                | Outcome::Failed { .. }
                | Outcome::Refused { .. }
                | Outcome::Unreadable
        )
    );
    hand_over.reached || !definite
}

fn taken_back_never_left(ledger: &Ledger, breaches: &mut Vec<String>) {
    let left: BTreeSet<ReplyId> = ledger
        .hand_overs
        .iter()
        .filter(|one| may_have_left(one))
        .map(|one| one.part.reply)
        .collect();
    for reply in ledger.replies.values() {
        let taken_back = matches!(
            reply.status,
            ReplyStatus::Cancelled | ReplyStatus::Superseded
        );
        if taken_back && left.contains(&reply.id) && !ledger.is_overruled(reply.id) {
            breaches.push(format!(
                "I1: {} was handed over and is {}",
                reply.id, reply.status
            ));
        }
    }
}

fn handed_over_once(ledger: &Ledger, breaches: &mut Vec<String>) {
    let mut count: BTreeMap<(ReplyId, u16), usize> = BTreeMap::new();
    for hand_over in ledger.hand_overs.iter().filter(|one| may_have_left(one)) {
        *count
            .entry((hand_over.part.reply, hand_over.part.part))
            .or_default() += 1;
    }
    for ((reply, part), count) in count {
        let again = ledger.life_of(reply).filter(|event| match event {
            Event::Requeued { .. } => true,
            Event::OutcomeUnknown { .. } => ledger.guarantee == Guarantee::AtLeastOnce,
            _ => false,
        });
        let allowed = 1 + again.count();
        if count > allowed {
            breaches.push(format!(
                "I2: part {part} of {reply} was handed over {count} times, allowed {allowed}"
            ));
        }
    }
}

/// What the store calls delivered on the channel's word has been handed over, every part of it.
fn delivered_in_full(ledger: &Ledger, breaches: &mut Vec<String>) {
    let reached: BTreeSet<(ReplyId, u16)> = ledger
        .hand_overs
        .iter()
        .filter(|one| one.reached)
        .map(|one| (one.part.reply, one.part.part))
        .collect();
    for moment in ledger.moments() {
        let Event::Delivered {
            reply,
            how: DeliveredBy::Channel,
            ..
        } = moment.event
        else {
            continue;
        };
        let parts = moment.before.reply(reply).map_or(0, |reply| reply.parts);
        for part in (0..parts).filter(|part| !reached.contains(&(reply, *part))) {
            breaches.push(format!(
                "parts: {reply} counts as delivered, part {part} of {parts} never reached the user"
            ));
        }
    }
}

fn in_order(ledger: &Ledger, breaches: &mut Vec<String>) {
    let mut seen = BTreeSet::new();
    let mut last: BTreeMap<String, u64> = BTreeMap::new();
    for hand_over in ledger.hand_overs.iter().filter(|one| may_have_left(one)) {
        let part = &hand_over.part;
        if !seen.insert(part.reply) {
            continue;
        }
        let last = last.entry(part.key.conversation.clone()).or_default();
        if part.seq <= *last {
            breaches.push(format!(
                "I3: {} has number {} and came after {last}",
                part.reply, part.seq
            ));
        }
        *last = part.seq;
    }
}

/// Whether the reply's claim before each hand-over allowed it at that time.
fn never_early(ledger: &Ledger, breaches: &mut Vec<String>) {
    for hand_over in &ledger.hand_overs {
        let claim = ledger
            .moments()
            .filter(|moment| moment.at <= hand_over.at)
            .filter_map(|moment| match &moment.event {
                Event::Claimed { reply, .. } if *reply == hand_over.part.reply => {
                    moment.before.reply(*reply)
                }
                _ => None,
            });
        match claim.last() {
            Some(claimed) if claimed.status.is_waiting() && hand_over.at < claimed.not_before => {
                breaches.push(format!(
                    "early: {} was handed over {} ms before it was due",
                    hand_over.part.reply,
                    claimed.not_before.since(hand_over.at)
                ));
            }
            Some(_) => {}
            None => breaches.push(format!(
                "claim: {} was handed over without a durable claim",
                hand_over.part.reply
            )),
        }
    }
}

fn superseded_is_covered(ledger: &Ledger, breaches: &mut Vec<String>) {
    for moment in ledger.moments() {
        let Event::Superseded { reply, by } = &moment.event else {
            continue;
        };
        let covered = match (ledger.replies.get(reply), ledger.replies.get(by)) {
            (Some(old), Some(new)) => old
                .covers
                .iter()
                .all(|message| new.covers.contains(message)),
            _ => false,
        };
        if !covered {
            breaches.push(format!(
                "I5: {by} took the place of {reply} and does not cover its messages"
            ));
        }
    }
}

fn final_is_final(ledger: &Ledger, breaches: &mut Vec<String>) {
    for moment in ledger.moments() {
        let Some(reply) = concerns(&moment.event) else {
            continue;
        };
        let is_new = matches!(moment.event, Event::Replied { .. });
        if is_new == moment.before.reply(reply).is_some() {
            breaches.push(format!(
                "final: {:?} met a reply that is not open",
                moment.event
            ));
        }
    }
    for reply in ledger.replies.values() {
        let open = ledger
            .chronicles
            .iter()
            .find_map(|chronicle| chronicle.stored.reply(reply.id));
        let agrees = match open {
            Some(open) => open.status == reply.status,
            None => reply.status.is_final(),
        };
        if !agrees {
            breaches.push(format!(
                "rows: {} is {} in its row and {:?} in its session",
                reply.id, reply.status, open
            ));
        }
    }
}

fn parked_under_a_hold(moment: &Moment) -> bool {
    let Event::Parked { reply, reason, .. } = &moment.event else {
        return false;
    };
    // The other reasons are a person's, the channel's or the agent's own, which no hold delays.
    let by_waiting = matches!(reason, ParkReason::LockStuck | ParkReason::TooOld);
    let session = &moment.decided_on;
    by_waiting
        && session.reply(*reply).is_some_and(|reply| {
            // What is repeated because its outcome is not known waits for no verdict.
            reply.status.is_waiting() && session.is_held(reply)
        })
}

fn fenced(chronicle: &Chronicle, breaches: &mut Vec<String>) {
    let mut committed = BTreeSet::new();
    for moment in &chronicle.moments {
        let fence = match &moment.event {
            Event::Committed { fence, .. }
            | Event::TurnFailed { fence, .. }
            | Event::Renewed { fence, .. }
            | Event::EffectReserved { fence, .. }
            | Event::TurnLost { fence, .. } => *fence,
            _ => continue,
        };
        if moment.before.owner.as_ref().map(|owner| owner.fence) != Some(fence) {
            breaches.push(format!("I7: {:?} under an old fencing token", moment.event));
        }
        if matches!(moment.event, Event::Committed { .. }) && !committed.insert(fence) {
            breaches.push(format!("I7: the turn with token {fence} committed twice"));
        }
    }
}

fn at_rest(chronicle: &Chronicle, breaches: &mut Vec<String>) {
    let resting =
        |status: ReplyStatus| matches!(status, ReplyStatus::Parked | ReplyStatus::Unknown);
    for reply in chronicle
        .stored
        .replies
        .iter()
        .filter(|reply| !resting(reply.status))
    {
        breaches.push(format!("L1: {} is still {}", reply.id, reply.status));
    }
}

/// A turn that may have changed the outside world is stopped by no newer message.
fn effects_stand(ledger: &Ledger, breaches: &mut Vec<String>) {
    for moment in ledger.moments() {
        let Event::TurnLost { turn, reason, .. } = &moment.event else {
            continue;
        };
        let owner = moment.before.owner.as_ref();
        if reason.is_by_newer_messages() && owner.is_some_and(|owner| owner.effects) {
            breaches.push(format!(
                "effects: {turn} had one and was {}",
                reason.as_str()
            ));
        }
    }
}

fn effects_have_leave(ledger: &Ledger, breaches: &mut Vec<String>) {
    for turn in &ledger.effects {
        let leave = ledger.moments().any(|moment| {
            let owner = moment.before.owner.as_ref();
            matches!(moment.event, Event::EffectReserved { .. })
                && owner.is_some_and(|owner| owner.turn == *turn)
        });
        if !leave {
            breaches.push(format!("I7: {turn} had an effect without leave"));
        }
    }
}
