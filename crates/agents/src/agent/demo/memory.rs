//! What the customer was told before, read from the demo's own replies. Must never count a reply that was not shown, or
//! that is being taken back now.

use replygate_gate::ReplyId;
use replygate_ports::agent::Note;
use replygate_ports::store::{HistoryEntry, ReplyFate, first};

use super::phrases::{ALL, Phrases, Topic};

/// The demo's memory of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Memory {
    /// What was added to the order.
    pub items: Vec<String>,
    /// The last thing that the customer read asked whether to cancel.
    pub asked_to_cancel: bool,
    /// The hours are in the calendar.
    pub scheduled: bool,
}

impl Memory {
    pub(super) fn read(history: &[HistoryEntry], notes: &[Note]) -> Self {
        let mut memory = Self::default();
        for entry in history {
            match entry {
                HistoryEntry::Agent {
                    reply,
                    parts,
                    sent,
                    fate,
                    ..
                } if is_seen(*fate) && !is_taken_back(*reply, notes) => {
                    memory.asked_to_cancel = false;
                    let seen = match fate {
                        ReplyFate::Delivered => first(parts, *sent),
                        _ => parts,
                    };
                    seen.iter()
                        .flat_map(|part| part.lines())
                        .for_each(|line| memory.recall(line));
                }
                HistoryEntry::Person { .. } => memory.asked_to_cancel = false,
                _ => {}
            }
        }
        memory
    }

    fn recall(&mut self, line: &str) {
        for phrases in ALL {
            if let Some(list) = value(line, phrases, Topic::Added) {
                self.items.extend(phrases.unlist(list));
            }
            self.asked_to_cancel |= value(line, phrases, Topic::AskCancel).is_some();
            self.scheduled |= value(line, phrases, Topic::Scheduled).is_some();
        }
    }
}

/// What stands in a line in place of `{value}`, if it is this phrase with any order's number.
fn value<'a>(line: &'a str, phrases: &Phrases, topic: Topic) -> Option<&'a str> {
    let (before, after) = phrases
        .text(topic)
        .split_once("{order}")
        .unwrap_or((phrases.text(topic), ""));
    let rest = line
        .strip_prefix(before)?
        .trim_start_matches(|c: char| c.is_ascii_digit());
    match after.split_once("{value}") {
        Some((middle, end)) => rest.strip_prefix(middle)?.strip_suffix(end),
        None => (rest == after).then_some(""),
    }
}

/// What waits was let go: it reaches the customer before the answer that is being written.
fn is_seen(fate: ReplyFate) -> bool {
    matches!(
        fate,
        ReplyFate::Delivered | ReplyFate::Unknown | ReplyFate::Waiting
    )
}

fn is_taken_back(reply: ReplyId, notes: &[Note]) -> bool {
    notes.iter().any(|note| match note {
        Note::Cancelled { reply: other }
        | Note::Merged { reply: other }
        | Note::Interrupted { reply: other }
        | Note::Rerun { reply: other } => *other == reply,
        Note::Released { .. } | Note::TooLate { .. } | Note::Done { .. } | Note::Stopped => false,
    })
}
