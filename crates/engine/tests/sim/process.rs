//! Simulated processes: each an engine over faulty ports that may die at any call and is started again over the same
//! stores.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use replygate_engine::{Engine, Parts, Tuning, Wired, Wiring};
use replygate_ports::clock::Clock;
use replygate_ports::settings::{ChannelSettings, SettingError};
use replygate_ports::store::Store;
use replygate_testkit::clock::SimClock;
use replygate_testkit::entropy::SeededEntropy;
use replygate_testkit::faults::{
    Faults, FaultyAgent, FaultyChannel, FaultyEvaluator, FaultyFeed, FaultySettings, FaultyStore,
    FaultyTickets, Life,
};
use replygate_testkit::memory::{MemoryFeed, MemoryStore, MemoryTickets};
use replygate_testkit::scripted::{RecordingChannel, ScriptedAgent, ScriptedEvaluator};
use tokio_util::sync::CancellationToken;

/// What outlives every process.
#[derive(Clone)]
pub struct Ground {
    pub clock: Arc<SimClock>,
    pub store: Arc<MemoryStore>,
    /// The same store as processes reach it.
    pub port: Arc<dyn Store>,
    /// The same clock as processes read it.
    pub time: Arc<dyn Clock>,
    pub feed: Arc<MemoryFeed>,
    /// The broker of processes that share one; a process that is alone has its own queue, which dies with it.
    pub broker: Option<Arc<MemoryTickets>>,
    pub channel: Arc<RecordingChannel>,
    pub agent: Arc<ScriptedAgent>,
    pub evaluator: Arc<ScriptedEvaluator>,
    pub faults: Arc<Faults>,
}

/// A process that runs.
#[derive(Clone)]
pub struct Running {
    pub engine: Engine,
    pub life: Life,
}

/// A place where a process runs, dies and is started again.
pub struct Slot {
    ground: Ground,
    seed: u64,
    running: Mutex<Option<Running>>,
}

struct Props {
    ground: Ground,
    life: Life,
}

impl Wiring for Props {
    fn wire(&self, _: &ChannelSettings) -> Result<Wired, Vec<SettingError>> {
        Ok(Wired {
            channel: Arc::new(FaultyChannel::new(
                self.ground.channel.clone(),
                self.life.clone(),
            )),
            agent: Arc::new(FaultyAgent::new(
                self.ground.agent.clone(),
                self.life.clone(),
            )),
            evaluator: Arc::new(FaultyEvaluator::new(
                self.ground.evaluator.clone(),
                self.life.clone(),
            )),
        })
    }
}

impl Ground {
    fn process(&self, seed: u64) -> Running {
        let life = Life::begin(self.faults.clone());
        let tickets = match &self.broker {
            Some(broker) => broker.clone(),
            None => Arc::new(MemoryTickets::new(self.clock.clone())),
        };
        let parts = Parts {
            clock: self.time.clone(),
            entropy: Arc::new(SeededEntropy::new(seed)),
            store: Arc::new(FaultyStore::new(self.port.clone(), life.clone())),
            tickets: Arc::new(FaultyTickets::new(tickets, life.clone())),
            feed: Arc::new(FaultyFeed::new(self.feed.clone(), life.clone())),
            settings: Arc::new(FaultySettings::new(self.store.clone(), life.clone())),
            wiring: Arc::new(Props {
                ground: self.clone(),
                life: life.clone(),
            }),
        };
        let tuning = Tuning {
            alone: self.broker.is_none(),
            ..Tuning::default()
        };
        Running {
            engine: Engine::new(parts, tuning),
            life,
        }
    }
}

impl Slot {
    pub fn new(ground: Ground, seed: u64) -> Self {
        Self {
            ground,
            seed,
            running: Mutex::new(None),
        }
    }

    /// The process that runs here now.
    pub fn running(&self) -> Option<Running> {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.clone().filter(|running| !running.life.is_over())
    }

    /// Ends the process that runs here.
    pub fn kill(&self) {
        if let Some(running) = self.running() {
            running.life.end();
        }
    }

    /// Keeps a process running here, whatever happens to it.
    pub async fn keep(self: Arc<Self>) {
        for incarnation in 1.. {
            let seed = self.seed.wrapping_mul(1_000_003).wrapping_add(incarnation);
            let running = self.ground.process(seed);
            *self.running.lock().unwrap_or_else(PoisonError::into_inner) = Some(running.clone());
            let stop = CancellationToken::new();
            let run = tokio::spawn({
                let engine = running.engine.clone();
                async move { engine.run(stop).await }
            });
            let abort = run.abort_handle();
            tokio::select! {
                biased;
                () = running.life.ended() => {}
                _ = run => {}
            }
            running.life.end();
            running.engine.kill();
            abort.abort();
            self.ground
                .clock
                .sleep(Duration::from_millis(200 + seed % 1_800))
                .await;
        }
    }
}
