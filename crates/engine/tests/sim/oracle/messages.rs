//! What may and may not become of messages.

use std::collections::{BTreeMap, BTreeSet};

use replygate_gate::{Author, Event, MessageId, ReplyId, ReplyStatus};
use replygate_ports::changes::MessageState;

use super::ledger::Ledger;

pub fn judge(ledger: &Ledger, breaches: &mut Vec<String>) {
    nothing_vanishes(ledger, breaches);
    answered_once(ledger, breaches);
    answers_say_what_they_cover(ledger, breaches);
}

fn nothing_vanishes(ledger: &Ledger, breaches: &mut Vec<String>) {
    for (name, ids) in &ledger.acknowledged {
        let message = ids[0];
        if ids.iter().any(|id| *id != message) {
            breaches.push(format!(
                "I8: {name:?} was acknowledged under several ids: {ids:?}"
            ));
        }
        match ledger.state_of(message) {
            Some(MessageState::Covered(reply)) => covered(ledger, message, reply, breaches),
            Some(MessageState::Dropped(_)) => {}
            Some(MessageState::Waiting) => breaches.push(format!("L1: {name:?} still waits")),
            // An edit before any turn read its message has no row: it is the message's text.
            None if is_an_edit(ledger, message) => {}
            None => breaches.push(format!("I8: {name:?} was acknowledged and vanished")),
        }
    }
}

fn covered(
    ledger: &Ledger,
    message: MessageId,
    reply: Option<ReplyId>,
    breaches: &mut Vec<String>,
) {
    let Some(reply) = reply else { return };
    if !ledger
        .replies
        .get(&reply)
        .is_some_and(|reply| reply.covers.contains(&message))
    {
        breaches.push(format!(
            "I8: {message} is said to be covered by {reply}, which does not know of it"
        ));
    }
}

fn is_an_edit(ledger: &Ledger, message: MessageId) -> bool {
    ledger
        .moments()
        .any(|moment| matches!(moment.event, Event::Edited { edit, .. } if edit == message))
}

fn answered_once(ledger: &Ledger, breaches: &mut Vec<String>) {
    let mut answers: BTreeMap<MessageId, BTreeSet<ReplyId>> = BTreeMap::new();
    for hand_over in ledger
        .hand_overs
        .iter()
        .filter(|hand_over| hand_over.reached)
    {
        for message in &hand_over.part.covers {
            answers
                .entry(*message)
                .or_default()
                .insert(hand_over.part.reply);
        }
    }
    for (message, replies) in answers {
        let own = replies
            .iter()
            .filter(|reply| !ledger.is_overruled(**reply))
            .count();
        if replies.len() > 1 && own == replies.len() {
            breaches.push(format!("I4: {message} was answered by {replies:?}"));
        }
    }
}

/// The scripted agent repeats what it was asked, so a reply that covers a message has to contain its text.
fn answers_say_what_they_cover(ledger: &Ledger, breaches: &mut Vec<String>) {
    let wanted = |reply: &&replygate_ports::views::ReplyView| {
        reply.author == Author::Agent
            && !reply.parts.is_empty()
            && !matches!(
                reply.status,
                ReplyStatus::Cancelled | ReplyStatus::Superseded
            )
    };
    for reply in ledger.replies.values().filter(wanted) {
        let said = reply.parts.join(" | ");
        let unsaid = reply
            .covers
            .iter()
            .filter_map(|id| ledger.messages.get(id))
            .find(|message| !said.contains(&message.text));
        if let Some(message) = unsaid {
            breaches.push(format!(
                "content: {} covers {} and does not answer it",
                reply.id, message.id
            ));
        }
    }
}
