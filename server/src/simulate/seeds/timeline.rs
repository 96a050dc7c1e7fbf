//! A session's log and its receipts as one story of each message. Must never leave out what decided a message's fate.

use std::collections::BTreeMap;

use replygate_gate::{At, Event, MessageId, ReplyId, Session, evolve};
use replygate_ports::store::Step;
use serde::Serialize;

use crate::simulate::endpoint::Receipt;

/// Something that happened to a message or its reply.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// Milliseconds since the first message was received.
    pub ms: i64,
    /// Which messages it concerns: `A`, `B`, `A+B`.
    pub message: String,
    /// One of `received`, `window over`, `turn`, `verdict`, `written`, `held`, `released`, `cancelled`, `merged`, `due`,
    /// `attempt`, `claimed`, `delivered`, `parked`, `unknown`.
    pub what: &'static str,
    /// More about it, in words.
    pub note: String,
}

struct Telling {
    start: At,
    names: Vec<MessageId>,
    covers: BTreeMap<ReplyId, Vec<MessageId>>,
    entries: Vec<Entry>,
}

/// What happened, in the order of time. `messages` are named A, B and so on.
#[must_use]
pub fn timeline(messages: &[MessageId], steps: &[Step], receipts: &[Receipt]) -> Vec<Entry> {
    let mut telling = Telling {
        start: steps.first().map_or(At(0), |step| step.at),
        names: messages.to_vec(),
        covers: BTreeMap::new(),
        entries: Vec::new(),
    };
    let mut session = Session::default();
    for step in steps {
        for event in &step.events {
            telling.learn(event);
            telling.tell(step.at, event, &session);
            let after = evolve(session.clone(), event);
            telling.tell_holds(step.at, &session, &after);
            session = after;
        }
    }
    for receipt in receipts {
        let note = format!("part {}: {}", receipt.part + 1, receipt.text);
        telling.reply(receipt.at, receipt.reply, "delivered", note);
    }
    telling.entries.sort_by_key(|entry| entry.ms);
    telling.entries
}

impl Telling {
    fn learn(&mut self, event: &Event) {
        if let Event::Replied { reply, covers, .. } = event {
            self.covers.insert(*reply, covers.clone());
        }
    }

    fn tell(&mut self, at: At, event: &Event, before: &Session) {
        match event {
            Event::Arrived {
                message,
                signal,
                due,
                at,
                ..
            } => {
                let note = format!("{}, window {} ms", signal.as_str(), due.since(*at));
                self.messages(*at, &[*message], "received", note);
            }
            Event::Taken { burst, base, .. } => {
                self.messages(*base, burst, "window over", String::new());
                self.messages(at, burst, "turn", String::new());
            }
            Event::Judged {
                judgement, early, ..
            } => {
                let when = if *early {
                    "before the turn"
                } else {
                    "at the turn"
                };
                let note = format!(
                    "{} ({:.2}, {} {}, {when})",
                    judgement.decision, judgement.confidence, judgement.source, judgement.reason
                );
                self.reply(at, judgement.reply, "verdict", note);
            }
            Event::Replied {
                reply, not_before, ..
            } => {
                self.reply(at, *reply, "written", String::new());
                self.reply(*not_before, *reply, "due", String::new());
            }
            Event::Released { reply, .. } => {
                self.reply(at, *reply, "released", String::new());
            }
            Event::Cancelled { reply, .. } => {
                self.reply(at, *reply, "cancelled", String::new());
            }
            Event::Superseded { reply, by } => {
                let note = format!("into the reply to {}", self.name_of(*by));
                self.reply(at, *reply, "merged", note);
            }
            Event::AttemptBlocked {
                reply,
                attempt,
                not_before,
            } => {
                let note = format!(
                    "{attempt} met the lock, next at {} ms",
                    not_before.0 - self.start.0
                );
                self.reply(tried_at(at, *reply, before), *reply, "attempt", note);
            }
            Event::Claimed { reply, .. } => self.reply(at, *reply, "claimed", String::new()),
            Event::Parked { reply, reason, .. } => {
                let at = tried_at(at, *reply, before);
                self.reply(at, *reply, "parked", reason.to_string());
            }
            Event::OutcomeUnknown { reply, code, .. } => {
                self.reply(at, *reply, "unknown", code.clone());
            }
            _ => {}
        }
    }

    fn tell_holds(&mut self, at: At, before: &Session, after: &Session) {
        for reply in after.undelivered().filter(|reply| after.is_held(reply)) {
            let was_held = before
                .reply(reply.id)
                .is_some_and(|reply| before.is_held(reply));
            if !was_held {
                self.reply(at, reply.id, "held", String::new());
            }
        }
    }

    fn messages(&mut self, at: At, messages: &[MessageId], what: &'static str, note: String) {
        let message = self.names_of(messages);
        let ms = at.0 - self.start.0;
        self.entries.push(Entry {
            ms,
            message,
            what,
            note,
        });
    }

    fn reply(&mut self, at: At, reply: ReplyId, what: &'static str, note: String) {
        let covers = self.covers.get(&reply).cloned().unwrap_or_default();
        self.messages(at, &covers, what, note);
    }

    fn name_of(&self, reply: ReplyId) -> String {
        self.covers
            .get(&reply)
            .map_or_else(|| "?".to_owned(), |covers| self.names_of(covers))
    }

    fn names_of(&self, messages: &[MessageId]) -> String {
        let names: Vec<String> = messages
            .iter()
            .map(|message| self.names.iter().position(|known| known == message))
            .map(|place| place.map_or_else(|| "?".to_owned(), letter))
            .collect();
        names.join("+")
    }
}

/// An attempt may be made a little ahead of the time that it is for.
pub(super) fn tried_at(at: At, reply: ReplyId, before: &Session) -> At {
    before
        .reply(reply)
        .map_or(at, |reply| reply.not_before.max(at))
}

fn letter(place: usize) -> String {
    char::from(b'A' + (place % 26) as u8).to_string()
}
