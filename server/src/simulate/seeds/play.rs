//! Plays the stories, all at the same time, each in a session of its own.

use std::sync::Arc;
use std::time::Duration;

use replygate_gate::{At, MessageId, Session, SessionId, evolve};
use replygate_ports::clock::Clock;
use replygate_ports::store::Step;

use super::check::{Heard, check};
use super::story::{ATTEMPTS_MS, DELAY_MS, Debounce, Ending, LOCK_MS, STORIES, Story};
use super::timeline::timeline;
use super::{Outcome, Told};
use crate::simulate::customer::{Customer, Saying, TalkError};
use crate::simulate::endpoint::{Endpoint, Receipt};

/// How long after its expected end a story is looked at, so that a hand-over too many is seen. Milliseconds.
const AFTERMATH_MS: u64 = 1_000;
/// How long a story that is not at rest by then is waited for. Milliseconds.
const PATIENCE_MS: u64 = 5_000;
/// Clocks of one machine are never further apart. Milliseconds.
const ONE_CLOCK_MS: i64 = 250;

/// Where the stories play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channels {
    /// Without debounce.
    pub plain: String,
    /// With the default windows.
    pub debounce: String,
}

struct Stage<'a> {
    customer: &'a Customer,
    endpoint: &'a Endpoint,
    clock: Arc<dyn Clock>,
}

/// Plays all stories. `run` makes their contacts different from those of every other run.
pub async fn play(
    customer: &Customer,
    endpoint: &Endpoint,
    channels: &Channels,
    clock: Arc<dyn Clock>,
    run: &str,
) -> Result<Outcome, TalkError> {
    let stage = Stage {
        customer,
        endpoint,
        clock,
    };
    let stories = STORIES.iter().map(|story| stage.play(story, channels, run));
    let stories = futures::future::try_join_all(stories).await?;
    let ok = stories.iter().all(|told| told.ok);
    Ok(Outcome { ok, stories })
}

impl Stage<'_> {
    async fn play(&self, story: &Story, channels: &Channels, run: &str) -> Result<Told, TalkError> {
        let channel = match story.debounce {
            Debounce::Off => &channels.plain,
            Debounce::On => &channels.debounce,
        };
        let contact = format!("{run}-{}", story.name);
        let (began, began_at) = (self.clock.elapsed(), self.clock.now());
        let mut messages: Vec<MessageId> = Vec::new();
        let mut session = SessionId::default();
        for (place, (text, ms)) in story.texts.iter().zip(story.sent_ms()).enumerate() {
            self.until(began, ms).await;
            let saying = Saying {
                message_id: format!("{contact}-{place}"),
                contact: contact.clone(),
                text: (*text).to_owned(),
                sent_at: None,
            };
            let accepted = self.customer.say(channel, &saying).await?;
            messages.push(accepted.message);
            session = accepted.session;
            if story.ending == Ending::Lock {
                let (lease_ms, ttl_ms) = LOCK_MS;
                self.customer
                    .lock(session, "simulation", lease_ms, ttl_ms)
                    .await?;
            }
        }
        self.until(began, end_ms(story) + AFTERMATH_MS).await;
        let steps = self.at_rest(session).await?;
        let receipts = on_the_servers_clock(self.endpoint.of(&contact), began_at, &steps);
        let heard = Heard {
            messages: &messages,
            steps: &steps,
            receipts: &receipts,
        };
        let differs = check(story, &heard);
        Ok(Told {
            name: story.name,
            ok: differs.is_empty(),
            differs,
            timeline: timeline(&messages, &steps, &receipts),
        })
    }

    async fn until(&self, began: Duration, ms: u64) {
        let wait = (began + Duration::from_millis(ms)).saturating_sub(self.clock.elapsed());
        self.clock.sleep(wait).await;
    }

    /// The log, once nothing in it is under way, or when patience ends.
    async fn at_rest(&self, session: SessionId) -> Result<Vec<Step>, TalkError> {
        let until = self.clock.elapsed() + Duration::from_millis(PATIENCE_MS);
        loop {
            let steps = self.customer.log(session).await?;
            let events = steps.iter().flat_map(|step| &step.events);
            let state = events.fold(Session::default(), evolve);
            let rests = state.uncovered.is_empty() && state.undelivered().next().is_none();
            if rests || self.clock.elapsed() > until {
                return Ok(steps);
            }
            self.clock.sleep(Duration::from_millis(100)).await;
        }
    }
}

/// When a story is over, in milliseconds since its start, the agent's run aside.
fn end_ms(story: &Story) -> u64 {
    if story.ending == Ending::Lock {
        return ATTEMPTS_MS.into_iter().max().unwrap_or_default();
    }
    let last = story.texts.len() - 1;
    story.sent_ms().last().copied().unwrap_or_default() + story.window_ms(last) + DELAY_MS
}

/// A server elsewhere has a clock of its own: receipts are told in its time.
fn on_the_servers_clock(receipts: Vec<Receipt>, began: At, steps: &[Step]) -> Vec<Receipt> {
    let Some(first) = steps.first() else {
        return receipts;
    };
    let off = first.at.0 - began.0;
    if (0..=ONE_CLOCK_MS).contains(&off) {
        return receipts;
    }
    receipts
        .into_iter()
        .map(|receipt| Receipt {
            at: At(receipt.at.0 + off),
            ..receipt
        })
        .collect()
}
