//! Sends a script on time, waits until everything has settled, and asks what became of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt as _;
use replygate_gate::{At, MessageId, Session, SessionId, evolve};
use replygate_ports::clock::Clock;
use replygate_ports::store::Step;
use tokio::task::JoinSet;

use super::oracle::{Record, Tally};
use super::script::Shot;
use super::{Outcome, Spread};
use crate::simulate::customer::{Accepted, Customer, Saying, TalkError};
use crate::simulate::endpoint::Endpoint;

/// How long hand-overs must have been absent before logs are read.
const QUIET: Duration = Duration::from_millis(2_500);
/// How long sessions that are not at rest are waited for.
const PATIENCE: Duration = Duration::from_mins(1);
/// A message that is sent again waits twice as long so many times.
const MOST_DOUBLED: usize = 3;
/// How many logs are read at once.
const READERS: usize = 16;

/// Where a storm plays: customers in turn on each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channels {
    /// Their ids, at least one.
    pub ids: Vec<String>,
    /// Their operational delay, in milliseconds.
    pub delay_ms: u64,
}

/// A storm and where it plays.
pub struct Storm<'a> {
    /// Who writes.
    pub customer: &'a Customer,
    /// Who gets the replies.
    pub endpoint: &'a Endpoint,
    /// On which channels.
    pub channels: &'a Channels,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Makes contacts and messages different from those of every other run.
    pub run: String,
    /// After so long a message that was not acknowledged is sent again, and after twice as long each further time, up to
    /// eight times, as channels do; `None` for never.
    pub again: Option<Duration>,
}

/// What was acknowledged.
#[derive(Default)]
struct Sent {
    messages: BTreeMap<String, BTreeSet<MessageId>>,
    sessions: BTreeMap<u32, (SessionId, BTreeSet<MessageId>)>,
    refused: usize,
    refusals: BTreeMap<u16, usize>,
    duplicates: usize,
}

/// What became of one message.
struct Said {
    session: u32,
    message: String,
    accepted: Option<Accepted>,
    refusals: Vec<u16>,
}

/// Plays the script.
pub async fn run(storm: &Storm<'_>, script: &[Shot]) -> Result<Outcome, TalkError> {
    let began = storm.clock.elapsed();
    let sent = storm.send(script).await;
    let seconds = storm.clock.elapsed().saturating_sub(began).as_secs_f64();
    storm.quiet().await;
    let tally = storm.look(&sent).await?;
    let receipts = storm.endpoint.all();
    let ours = |contact: &str| contact.starts_with(&storm.run);
    let delivered: BTreeSet<_> = receipts
        .iter()
        .filter(|(contact, _)| ours(contact))
        .flat_map(|(_, receipts)| receipts.iter().map(|receipt| receipt.reply))
        .collect();
    let unrecognised = sent
        .messages
        .values()
        .map(|ids| ids.len().saturating_sub(1))
        .sum();
    let mut outcome = Outcome {
        ok: false,
        sent: sent.messages.len(),
        delivered: delivered.len(),
        lost: tally.breaches.i8,
        breaches: tally.breaches,
        over_ideal_ms: Spread::of(tally.over_ideal_ms),
        over_hold_ms: Spread::of(tally.over_hold_ms),
        refused: sent.refused,
        refusals: sent.refusals,
        duplicates: sent.duplicates,
        unrecognised,
        unlogged: tally.unlogged,
        open: tally.open,
        ends: tally.ends,
        sessions: sent.sessions.len(),
        seconds,
    };
    let wrong = outcome.breaches.total() + outcome.unrecognised + outcome.unlogged + outcome.open;
    outcome.ok = wrong == 0 && outcome.sent > 0;
    Ok(outcome)
}

impl Storm<'_> {
    async fn send(&self, script: &[Shot]) -> Sent {
        let (began, began_at) = (self.clock.elapsed(), self.clock.now());
        let mut sent = Sent::default();
        let mut under_way = JoinSet::new();
        for shot in script {
            let wait = (began + shot.at).saturating_sub(self.clock.elapsed());
            if !wait.is_zero() {
                self.clock.sleep(wait).await;
            }
            let voice = Voice {
                customer: self.customer.clone(),
                clock: self.clock.clone(),
                again: self.again,
            };
            let channel = self.channel(shot.session).to_owned();
            let saying = self.saying(shot, began_at);
            let session = shot.session;
            under_way.spawn(async move { voice.insist(&channel, session, saying).await });
            while let Some(Ok(done)) = under_way.try_join_next() {
                sent.note(done);
            }
        }
        while let Some(joined) = under_way.join_next().await {
            if let Ok(done) = joined {
                sent.note(done);
            }
        }
        sent
    }

    fn channel(&self, session: u32) -> &str {
        let ids = &self.channels.ids;
        ids.get(session as usize % ids.len().max(1))
            .map_or("", String::as_str)
    }

    fn contact(&self, session: u32) -> String {
        format!("{}-{session}", self.run)
    }

    fn saying(&self, shot: &Shot, began: At) -> Saying {
        Saying {
            message_id: format!("{}-{}", self.run, shot.message),
            contact: self.contact(shot.session),
            text: shot.text.clone(),
            sent_at: Some(began.plus(shot.written.as_millis() as u64)),
        }
    }

    /// Returns when no reply has come for a while.
    async fn quiet(&self) {
        let began = self.clock.now();
        loop {
            self.clock.sleep(Duration::from_millis(250)).await;
            let last = self.endpoint.last().max(began);
            if u128::from(self.clock.now().since(last)) >= QUIET.as_millis() {
                return;
            }
        }
    }

    async fn look(&self, sent: &Sent) -> Result<Tally, TalkError> {
        let until = self.clock.elapsed() + PATIENCE;
        let mut tally = Tally::default();
        let logs =
            futures::stream::iter(&sent.sessions).map(|(number, (session, accepted))| async move {
                let steps = self.at_rest(*session, until).await?;
                Ok::<_, TalkError>((*number, accepted, steps))
            });
        let mut logs = logs.buffer_unordered(READERS);
        while let Some(log) = logs.next().await {
            let (number, accepted, steps) = log?;
            let receipts = self.endpoint.of(&self.contact(number));
            let record = Record {
                accepted,
                steps: &steps,
                receipts: &receipts,
            };
            tally.take(&record, self.channels.delay_ms);
        }
        Ok(tally)
    }

    async fn at_rest(&self, session: SessionId, until: Duration) -> Result<Vec<Step>, TalkError> {
        loop {
            let is_late = self.clock.elapsed() > until;
            match self.customer.log(session).await {
                Ok(steps) if is_late || rests(&steps) => return Ok(steps),
                Err(error) if is_late || self.again.is_none() => return Err(error),
                _ => self.clock.sleep(Duration::from_millis(250)).await,
            }
        }
    }
}

/// Whether nothing of a session is under way.
fn rests(steps: &[Step]) -> bool {
    let events = steps.iter().flat_map(|step| &step.events);
    let state = events.fold(Session::default(), evolve);
    state.uncovered.is_empty() && state.undelivered().next().is_none()
}

/// Says one message.
struct Voice {
    customer: Customer,
    clock: Arc<dyn Clock>,
    again: Option<Duration>,
}

impl Voice {
    /// Says it until it is acknowledged, as long as there is patience.
    async fn insist(&self, channel: &str, session: u32, saying: Saying) -> Said {
        let until = self.clock.elapsed() + PATIENCE;
        let mut refusals: Vec<u16> = Vec::new();
        let accepted = loop {
            match self.customer.say(channel, &saying).await {
                Ok(accepted) => break Some(accepted),
                Err(TalkError::Refused { status, .. }) => refusals.push(status.as_u16()),
                Err(TalkError::Unanswered { .. }) => refusals.push(0),
            }
            let Some(wait) = self.again.filter(|_| self.clock.elapsed() < until) else {
                break None;
            };
            let doubled = refusals.len().saturating_sub(1).min(MOST_DOUBLED);
            self.clock.sleep(wait * (1 << doubled)).await;
        };
        Said {
            session,
            message: saying.message_id,
            accepted,
            refusals,
        }
    }
}

impl Sent {
    fn note(&mut self, said: Said) {
        for status in said.refusals {
            *self.refusals.entry(status).or_default() += 1;
        }
        let Some(accepted) = said.accepted else {
            self.refused += 1;
            return;
        };
        self.duplicates += usize::from(accepted.duplicate);
        self.messages
            .entry(said.message)
            .or_default()
            .insert(accepted.message);
        let session = self.sessions.entry(said.session);
        let (_, messages) = session.or_insert_with(|| (accepted.session, BTreeSet::new()));
        messages.insert(accepted.message);
    }
}
