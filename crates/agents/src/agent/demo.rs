//! An order service that needs no model: it reads wishes by their words and answers in English, Portuguese or Spanish.
//! Must never do anything outside but one: put hours into a calendar, with leave. Asked to cancel it only asks back, so
//! that a reply about it can be taken back.
//!
//! Its memory is what the customer saw: it reads its own delivered replies in the history, never those that were
//! cancelled or merged.

mod clause;
mod items;
mod memory;
mod phrases;
mod tongue;
mod wishes;

use std::sync::Arc;

use async_trait::async_trait;
use replygate_ports::agent::{
    Agent, AgentError, Answer, EffectDone, Effects, Note, Past, Turn, TurnMessage,
};
use replygate_ports::clock::Clock;
use replygate_ports::store::HistoryEntry;

use self::memory::Memory;
use self::phrases::{Phrases, Topic};
use self::tongue::Tongue;
use self::wishes::{Order, Question, Wishes};
use crate::latency::Latency;

/// The tool whose effect the demo commits.
const CALENDAR: &str = "calendar.create";

/// The order service.
pub(crate) struct Demo {
    latency: Latency,
    clock: Arc<dyn Clock>,
}

impl Demo {
    pub(crate) fn new(latency: Latency, clock: Arc<dyn Clock>) -> Self {
        Self { latency, clock }
    }
}

#[async_trait]
impl Agent for Demo {
    async fn run(&self, turn: &Turn, effects: &dyn Effects) -> Result<Answer, AgentError> {
        self.latency.pass(self.clock.as_ref(), turn.turn.0).await;
        let memory = Memory::read(&turn.history, &turn.notes);
        let wishes = Wishes::read(&current(&turn.messages), memory.asked_to_cancel);
        let may_book = !has_done(&turn.notes) && !turn.notes.contains(&Note::Stopped);
        let books = wishes.schedule && !memory.scheduled && may_book;
        if books {
            effects.reserve(CALENDAR).await?;
        }
        let said = Saying::new(turn, &memory, &wishes);
        let done = if books {
            vec![EffectDone {
                tool: CALENDAR.to_owned(),
            }]
        } else {
            Vec::new()
        };
        Ok(Answer {
            parts: vec![said.everything(books)],
            effects: done,
        })
    }

    fn past(&self) -> Past {
        Past::History
    }
}

/// The messages as they read now: what a later one corrects is left out.
fn current(messages: &[TurnMessage]) -> Vec<&TurnMessage> {
    let corrected = |message: &&TurnMessage| {
        messages
            .iter()
            .any(|other| other.edit_of == Some(message.id))
    };
    messages
        .iter()
        .filter(|message| !corrected(message))
        .collect()
}

fn has_done(notes: &[Note]) -> bool {
    notes.iter().any(|note| matches!(note, Note::Done { .. }))
}

fn came_too_late(notes: &[Note]) -> bool {
    notes
        .iter()
        .any(|note| matches!(note, Note::TooLate { .. }))
}

/// The language of the new messages; where they do not show one, of what the customer wrote before.
fn tongue(turn: &Turn) -> Tongue {
    let new: Vec<&str> = turn
        .messages
        .iter()
        .map(|message| message.text.as_str())
        .collect();
    let before = turn.history.iter().rev().filter_map(|entry| match entry {
        HistoryEntry::Customer { text, .. } => Some(text.as_str()),
        _ => None,
    });
    Tongue::of(&new.join("\n"))
        .or_else(|| before.take(10).find_map(Tongue::of))
        .unwrap_or(Tongue::English)
}

/// One answer in the making, a line for each subject.
struct Saying<'a> {
    phrases: &'static Phrases,
    number: String,
    memory: &'a Memory,
    wishes: &'a Wishes,
    too_late: bool,
    stands: bool,
    lines: Vec<String>,
}

impl<'a> Saying<'a> {
    fn new(turn: &Turn, memory: &'a Memory, wishes: &'a Wishes) -> Self {
        Self {
            phrases: tongue(turn).phrases(),
            number: (1_000 + turn.session.0 % 9_000).to_string(),
            memory,
            wishes,
            too_late: came_too_late(&turn.notes),
            stands: has_done(&turn.notes),
            lines: Vec::new(),
        }
    }

    fn everything(mut self, books: bool) -> String {
        self.about_order();
        self.about_items();
        self.about_hours_in_calendar(books);
        self.questions();
        self.manners();
        self.lines.join("\n")
    }

    fn say(&mut self, topic: Topic, value: &str) {
        let text = self.phrases.text(topic);
        self.lines.push(
            text.replace("{order}", &self.number)
                .replace("{value}", value),
        );
    }

    fn about_order(&mut self) {
        match self.wishes.order {
            Order::Untouched => {}
            Order::Cancel => self.say(Topic::AskCancel, ""),
            Order::CancelConfirmed => self.say(Topic::CancelPassed, ""),
            Order::Keep if self.memory.asked_to_cancel || self.too_late => {
                self.say(Topic::CancelWithdrawn, "");
            }
            Order::Keep => self.say(Topic::Kept, ""),
        }
        if self.wishes.received {
            self.say(Topic::Enjoy, "");
        }
        if self.wishes.withdrawn && self.wishes.order == Order::Untouched {
            let topic = if self.stands {
                Topic::DoneStands
            } else {
                Topic::NothingChanged
            };
            self.say(topic, "");
        }
    }

    fn about_items(&mut self) {
        let wishes = self.wishes;
        if !wishes.items.is_empty() {
            self.say(Topic::Added, &self.phrases.list(&wishes.items));
            if !self.memory.items.is_empty() {
                let all: Vec<String> = self
                    .memory
                    .items
                    .iter()
                    .chain(&wishes.items)
                    .cloned()
                    .collect();
                self.say(Topic::Now, &self.phrases.list(&all));
            }
        }
        match &wishes.address {
            None => {}
            Some(address) if address.is_empty() => self.say(Topic::WhichAddress, ""),
            Some(address) => self.say(Topic::Address, address),
        }
    }

    fn about_hours_in_calendar(&mut self, books: bool) {
        if self.wishes.schedule {
            self.say(
                if books {
                    Topic::Scheduled
                } else {
                    Topic::AlreadyScheduled
                },
                "",
            );
        } else if self.wishes.confirm {
            self.say(Topic::Confirmed, "");
        }
    }

    fn questions(&mut self) {
        for question in &self.wishes.questions {
            match question {
                Question::Hours => self.say(Topic::Hours, ""),
                Question::Payment => self.say(Topic::Payment, ""),
                Question::Status => self.say(Topic::Status, ""),
                Question::Human => self.say(Topic::Human, ""),
                Question::Media => self.say(Topic::CannotOpen, ""),
                Question::Contents if self.memory.items.is_empty() => {
                    self.say(Topic::NothingYet, "");
                }
                Question::Contents => self.say(Topic::Now, &self.phrases.list(&self.memory.items)),
            }
        }
    }

    fn manners(&mut self) {
        if !self.lines.is_empty() {
            return;
        }
        if self.wishes.thanks {
            return self.say(Topic::Welcome, "");
        }
        self.say(
            if self.wishes.greeting {
                Topic::Hello
            } else {
                Topic::Help
            },
            "",
        );
    }
}
