//! Whether a story ended as it had to. Times may be off by [`TOLERANCE_MS`], counts and orders by nothing.

mod facts;

use replygate_gate::{At, MessageId, ParkReason, ReplyStatus};
use replygate_ports::store::Step;

use super::story::{ATTEMPTS_MS, DELAY_MS, Debounce, Ending, Story};
use crate::simulate::endpoint::Receipt;
use facts::Facts;

/// How far a time may be off either way, in milliseconds: a small machine may be busy.
const TOLERANCE_MS: u64 = 150;

/// A story as it was played.
pub(super) struct Heard<'a> {
    /// What was sent, in order.
    pub(super) messages: &'a [MessageId],
    /// The session's log.
    pub(super) steps: &'a [Step],
    /// What the deliver address got.
    pub(super) receipts: &'a [Receipt],
}

/// Everything that differs, in words.
pub(super) fn check(story: &Story, heard: &Heard<'_>) -> Vec<String> {
    let mut check = Check {
        story,
        heard,
        facts: Facts::of(heard.steps),
        differs: Vec::new(),
    };
    match story.ending {
        Ending::Release => check.release(),
        Ending::Cancel => check.cancel(),
        Ending::Merge => check.merge(),
        Ending::Lock => check.lock(),
    }
    check.differs
}

struct Check<'a> {
    story: &'a Story,
    heard: &'a Heard<'a>,
    facts: Facts,
    differs: Vec<String>,
}

impl Check<'_> {
    fn release(&mut self) {
        let (a, b) = self.pair();
        self.replies(2);
        self.delivered(&[&[a], &[b]]);
        self.ends(ReplyStatus::Cancelled, None);
        self.ends(ReplyStatus::Superseded, None);
        if self.story.debounce == Debounce::On {
            self.left_before_window(b);
        }
    }

    fn cancel(&mut self) {
        let (a, b) = self.pair();
        self.replies(2);
        self.delivered(&[&[b]]);
        self.ends(ReplyStatus::Cancelled, Some(a));
        self.ends(ReplyStatus::Superseded, None);
    }

    fn merge(&mut self) {
        let (a, b) = self.pair();
        self.replies(2);
        self.delivered(&[&[a, b]]);
        self.ends(ReplyStatus::Superseded, Some(a));
        self.ends(ReplyStatus::Cancelled, None);
    }

    fn lock(&mut self) {
        self.replies(1);
        self.delivered(&[]);
        let start = self
            .heard
            .messages
            .first()
            .and_then(|a| self.facts.received.get(a))
            .copied();
        let start = start.unwrap_or_default();
        let mut tries = self.facts.attempts.clone();
        let parked: Vec<_> = self
            .facts
            .parked
            .iter()
            .map(|(_, reason, at)| (*reason, *at))
            .collect();
        match parked.as_slice() {
            [(ParkReason::LockStuck, at)] => tries.push(*at),
            [] => self.differs.push("the reply was not parked".to_owned()),
            [(reason, _), ..] => {
                self.differs
                    .push(format!("parked for `{reason}`, expected `lock_stuck` once"));
            }
        }
        if tries.len() != ATTEMPTS_MS.len() {
            let (found, wanted) = (tries.len(), ATTEMPTS_MS.len());
            self.differs
                .push(format!("{found} attempts met the lock, expected {wanted}"));
        }
        for (nth, (at, wanted)) in tries.iter().zip(ATTEMPTS_MS).enumerate() {
            self.near(&format!("attempt {}", nth + 1), at.since(start), wanted);
        }
    }

    fn pair(&self) -> (MessageId, MessageId) {
        let id = |place: usize| self.heard.messages.get(place).copied().unwrap_or_default();
        (id(0), id(1))
    }

    fn replies(&mut self, wanted: usize) {
        let found = self.facts.covers.len();
        if found != wanted {
            self.differs
                .push(format!("{found} replies were written, expected {wanted}"));
        }
    }

    /// Exactly these were delivered, in this order, each on time.
    fn delivered(&mut self, wanted: &[&[MessageId]]) {
        let found = self.heard.receipts;
        if found.len() != wanted.len() {
            let (found, wanted) = (found.len(), wanted.len());
            self.differs
                .push(format!("{found} hand-overs, expected {wanted}"));
        }
        for (nth, (receipt, covers)) in found.iter().zip(wanted).enumerate() {
            if receipt.covers != *covers {
                let (found, wanted) = (receipt.covers.len(), covers.len());
                self.differs.push(format!(
                    "hand-over {} answers {found} messages, expected {wanted} others or the same ones",
                    nth + 1
                ));
            }
            if let Some(wanted) = self.due(receipt) {
                let found = receipt.at.since(self.start());
                self.near(&format!("hand-over {}", nth + 1), found, wanted);
            }
        }
    }

    /// Last message received + window + the agent's run + delay, since the start.
    fn due(&self, receipt: &Receipt) -> Option<u64> {
        let covers = self.facts.covers(receipt.reply);
        let last = *covers
            .iter()
            .max_by_key(|message| self.facts.received.get(message))?;
        let place = self
            .heard
            .messages
            .iter()
            .position(|message| *message == last)?;
        let received = self.facts.received.get(&last)?.since(self.start());
        let run = self.facts.run_ms.get(&receipt.reply)?;
        Some(received + self.story.window_ms(place) + run + DELAY_MS)
    }

    fn start(&self) -> At {
        let first = self.heard.messages.first();
        first
            .and_then(|first| self.facts.received.get(first))
            .copied()
            .unwrap_or_default()
    }

    /// Cancelled or superseded were: none, or the one that answered `message` alone.
    fn ends(&mut self, how: ReplyStatus, message: Option<MessageId>) {
        let replies = match how {
            ReplyStatus::Cancelled => &self.facts.cancelled,
            _ => &self.facts.merged,
        };
        let found: Vec<&[MessageId]> = replies
            .iter()
            .map(|reply| self.facts.covers(*reply))
            .collect();
        let wanted: Vec<&[MessageId]> = message
            .as_ref()
            .map(std::slice::from_ref)
            .into_iter()
            .collect();
        if found != wanted {
            let (found, wanted) = (found.len(), wanted.len());
            self.differs.push(format!(
                "{found} replies were {how}, expected {wanted} (of A alone)"
            ));
        }
    }

    fn left_before_window(&mut self, message: MessageId) {
        let closes = self.facts.closes.get(&message).copied().unwrap_or_default();
        if self
            .heard
            .receipts
            .first()
            .is_some_and(|first| first.at >= closes)
        {
            self.differs
                .push("A waited for the window of an unrelated B".to_owned());
        }
    }

    fn near(&mut self, what: &str, found: u64, wanted: u64) {
        if found.abs_diff(wanted) > TOLERANCE_MS {
            self.differs.push(format!(
                "{what} at {found} ms, expected {wanted} ms within {TOLERANCE_MS} ms"
            ));
        }
    }
}

#[cfg(test)]
mod tests;
