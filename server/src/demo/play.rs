//! Plays the day: every message at its time, every deed of the office at its time, and time leaps in between.

use std::collections::BTreeMap;
use std::sync::Arc;

use replygate_channels::webchat::Hub;
use replygate_embedded::{Database, DelayQueue, LocalBudgets, SystemClock};
use replygate_engine::Tuning;
use replygate_gate::{At, SessionKey};
use replygate_ports::channel::Inbound;
use replygate_ports::clock::Clock;

use super::channel::DemoWiring;
use super::clock::LeapingClock;
use super::day::{self, Said};
use super::office::{self, Errand, Office};
use super::quiet::{Watch, WatchedCalendar, WatchedLedger, WatchedStore};
use super::{DemoError, SEED};
use crate::auth::{CookieStyle, Door};
use crate::config::Config;
use crate::console::{Ring, ServerConsole};
use crate::service::{Service, Stores};
use crate::wiring::{Backing, Foundation};
use crate::{seed, server};

/// The day ends so long before the present, in milliseconds: what runs then still gets its drain.
const BEFORE_NOW_MS: u64 = 15_000;

/// Something that happens at its time.
pub(super) enum Act {
    /// A customer writes.
    Said(Said),
    /// The office does something.
    Errand(Errand),
}

/// What is still to happen, in the order of time.
#[derive(Default)]
pub(super) struct Agenda {
    acts: BTreeMap<(At, usize), Act>,
    last: usize,
}

impl Agenda {
    pub(super) fn put(&mut self, at: At, act: Act) {
        self.last += 1;
        self.acts.insert((at, self.last), act);
    }
}

/// Time and its leaps.
struct Stage {
    clock: Arc<LeapingClock>,
    watch: Arc<Watch>,
}

impl Stage {
    /// Lets everything happen that happens until `at`.
    async fn until(&self, at: At) {
        loop {
            self.watch.quiet().await;
            match self.clock.next() {
                Some(next) if next <= at => self.clock.leap(next),
                _ => break,
            }
        }
        self.clock.leap(at);
        self.watch.quiet().await;
    }
}

/// Plays the day that ends now.
pub(super) async fn play(config: &Config, database: &Database) -> Result<(), DemoError> {
    let now = SystemClock::start().now();
    let begins = At(now
        .0
        .saturating_sub_unsigned(day::LENGTH_MS + BEFORE_NOW_MS));
    let clock = Arc::new(LeapingClock::at(begins));
    let stores = Stores::embedded(database);
    let watch = Arc::new(Watch::default());
    let stage = Stage {
        clock: clock.clone(),
        watch: watch.clone(),
    };
    let time: Arc<dyn Clock> = clock;
    let stores = Stores {
        tickets: Arc::new(DelayQueue::new(time.clone())),
        clock: time,
        store: Arc::new(WatchedStore::new(stores.store.clone(), watch.clone())),
        ledger: Arc::new(WatchedLedger::new(stores.ledger.clone(), watch.clone())),
        calendar: Arc::new(WatchedCalendar::new(stores.calendar.clone(), watch)),
        ..stores
    };
    let service = service(config, stores, database, begins)?;
    seed::seed(config, service.stores.shelves()).await?;
    service.engine.board().reload().await?;
    service.engine.toolbox().reload().await?;

    let (engine, stop) = (service.engine.clone(), service.stop.clone());
    let running = tokio::spawn(async move { engine.run(stop).await });
    let office = Arc::new(Office {
        console: console(&service),
        service: service.clone(),
        watch: stage.watch.clone(),
    });
    perform(&stage, &office, begins).await;
    service.stop.cancel();
    while !running.is_finished() {
        stage.watch.quiet().await;
        if let Some(next) = stage.clock.next() {
            stage.clock.leap(next);
        }
    }
    match running.await {
        Ok(ended) => Ok(ended?),
        Err(died) => std::panic::resume_unwind(died.into_panic()),
    }
}

fn service(
    config: &Config,
    stores: Stores,
    database: &Database,
    begins: At,
) -> Result<Arc<Service>, reqwest::Error> {
    let outage = (begins.plus(day::OUTAGE_MS.0), begins.plus(day::OUTAGE_MS.1));
    let wiring = Arc::new(DemoWiring::new(config, &stores, outage)?);
    let foundation = Foundation {
        budgets: Arc::new(LocalBudgets::new(stores.clock.clone())),
        stores,
        peers: None,
        // Each look of the sweeper is a leap: once a minute is enough where no timer gets lost.
        tuning: Tuning {
            sweep_every_ms: 60_000,
            ..Tuning::default()
        },
        backing: Backing::Embedded(database.clone()),
    };
    let service = server::service(config, foundation, Hub::new(), wiring);
    Ok(Arc::new(service))
}

/// The console as it is served, for people who need no door.
fn console(service: &Arc<Service>) -> Arc<ServerConsole> {
    let stores = &service.stores;
    let (accounts, activity) = (stores.accounts.clone(), stores.activity.clone());
    let (clock, entropy) = (stores.clock.clone(), stores.entropy.clone());
    let door = Door::new(accounts, activity, clock, entropy, CookieStyle::Plain);
    let ring = Ring::new(&*stores.clock);
    ServerConsole::new(service, &Arc::new(door), &Arc::new(ring))
}

async fn perform(stage: &Stage, office: &Arc<Office>, begins: At) {
    let mut agenda = Agenda::default();
    for said in day::day(SEED) {
        agenda.put(begins.plus(said.at_ms), Act::Said(said));
    }
    office::plan(begins, &mut agenda);
    while let Some(((at, _), act)) = agenda.acts.pop_first() {
        stage.until(at).await;
        match act {
            Act::Said(said) => {
                office::hear(&said, at, &mut agenda);
                tokio::spawn(write(office.service.clone(), said));
            }
            Act::Errand(errand) => {
                tokio::spawn(office::run(office.clone(), errand));
            }
        }
        stage.watch.quiet().await;
    }
    stage.until(begins.plus(day::LENGTH_MS)).await;
}

/// Who writes in the demo, by channel and number.
pub(super) fn key(channel: &str, contact: &str) -> SessionKey {
    SessionKey {
        channel: channel.to_owned(),
        account: String::new(),
        conversation: contact.to_owned(),
        contact: contact.to_owned(),
    }
}

async fn write(service: Arc<Service>, said: Said) {
    let inbound = Inbound {
        key: key(said.channel, &said.contact),
        provider_id: said.id,
        kind: said.kind,
        text: said.text.to_owned(),
        sent_at: None,
        edit: None,
        reaction_to: None,
        awaits_ms: None,
    };
    if let Err(error) = service.engine.receive(inbound).await {
        tracing::warn!(%error, "a message of the demo was not taken");
    }
}
