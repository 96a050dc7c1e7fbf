//! An order service that needs no model: it reads wishes by their words and answers in English, Portuguese or Spanish.
//! Must never do anything outside but one: put hours into a calendar. With a calendar among its tools it obeys literally,
//! as models do: it books whenever it is asked, and leaves it to the guard that nothing is booked twice. Asked to cancel
//! it only asks back, so that a reply about it can be taken back.
//!
//! Its memory is what the customer saw: it reads its own delivered replies in the history, never those that were
//! cancelled or merged.

mod booking;
mod clause;
mod items;
mod memory;
mod phrases;
mod tongue;
mod wishes;

use std::sync::Arc;

use async_trait::async_trait;
use replygate_gate::text::Tongue;
use replygate_ports::agent::{
    Agent, AgentError, Answer, EffectDone, Effects, Note, Past, Turn, TurnMessage,
};
use replygate_ports::clock::Clock;
use replygate_ports::store::HistoryEntry;

use self::booking::Booked;
use self::memory::Memory;
use self::phrases::{Phrases, Topic};
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
        let booked = if booking::has_calendar(effects) {
            booking::book(turn, &wishes, effects).await?
        } else {
            book_alone(turn, &memory, &wishes, effects).await?
        };
        let said = Saying::new(turn, &memory, &wishes);
        let done = match booked {
            Booked::Now => vec![EffectDone {
                tool: CALENDAR.to_owned(),
            }],
            _ => Vec::new(),
        };
        Ok(Answer {
            parts: vec![said.everything(booked)],
            effects: done,
        })
    }

    fn past(&self) -> Past {
        Past::History
    }
}

/// Without a calendar among its tools it books by itself, once.
async fn book_alone(
    turn: &Turn,
    memory: &Memory,
    wishes: &Wishes,
    effects: &dyn Effects,
) -> Result<Booked, AgentError> {
    if !wishes.schedule {
        return Ok(Booked::Nothing);
    }
    if memory.scheduled || has_done(&turn.notes) {
        return Ok(Booked::Before);
    }
    if turn.notes.contains(&Note::Stopped) {
        return Ok(Booked::Nothing);
    }
    effects.reserve(CALENDAR).await?;
    Ok(Booked::Now)
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
            phrases: tongue::phrases(tongue(turn)),
            number: (1_000 + turn.session.0 % 9_000).to_string(),
            memory,
            wishes,
            too_late: came_too_late(&turn.notes),
            stands: has_done(&turn.notes),
            lines: Vec::new(),
        }
    }

    fn everything(mut self, booked: Booked) -> String {
        self.about_order();
        self.about_items();
        self.about_hours_in_calendar(booked);
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

    fn about_hours_in_calendar(&mut self, booked: Booked) {
        match booked {
            Booked::Now => self.say(Topic::Scheduled, ""),
            Booked::Before => self.say(Topic::AlreadyScheduled, ""),
            Booked::Perhaps => self.say(Topic::PerhapsScheduled, ""),
            Booked::Refused => self.say(Topic::NotScheduled, ""),
            Booked::Nothing if self.wishes.confirm => self.say(Topic::Confirmed, ""),
            Booked::Nothing => {}
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
