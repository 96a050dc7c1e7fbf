//! Simulated processes: each an engine over faulty ports that may die at any call and is started again over the same
//! stores.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use replygate_engine::{Engine, Parts, Peers, Role, Tuning, Wired, Wiring};
use replygate_ports::clock::Clock;
use replygate_ports::leases::Leases;
use replygate_ports::mirror::Mirror;
use replygate_ports::settings::{ChannelSettings, SettingError};
use replygate_ports::store::Store;
use replygate_ports::tools::{Tool, ToolHost};
use replygate_testkit::clock::SimClock;
use replygate_testkit::entropy::SeededEntropy;
use replygate_testkit::faults::{
    Faults, FaultyAgent, FaultyBudgets, FaultyChannel, FaultyEvaluator, FaultyFeed, FaultyLeases,
    FaultyLedger, FaultyMirror, FaultySettings, FaultyStore, FaultyTickets, FaultyTool,
    FaultyWakes, Life,
};
use replygate_testkit::memory::{
    MemoryBudgets, MemoryFeed, MemoryLeases, MemoryMirror, MemoryParked, MemoryStore,
    MemoryTickets, MemoryWakes,
};
use replygate_testkit::scripted::{
    RecordingChannel, ScriptedAgent, ScriptedEvaluator, ScriptedTool,
};
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
    /// What processes of one world share; a process that is alone has its own queue of tickets, which dies with it.
    pub shared: Option<Shared>,
    pub budgets: Arc<MemoryBudgets>,
    pub channel: Arc<RecordingChannel>,
    pub agent: Arc<ScriptedAgent>,
    pub evaluator: Arc<ScriptedEvaluator>,
    pub tool: Arc<ScriptedTool>,
    pub faults: Arc<Faults>,
}

/// The broker, and what processes tell each other.
#[derive(Clone)]
pub struct Shared {
    tickets: Arc<MemoryTickets>,
    pub leases: Arc<dyn Leases>,
    pub mirror: Arc<dyn Mirror>,
    wakes: Arc<MemoryWakes>,
    parked: Arc<MemoryParked>,
}

impl Shared {
    pub fn new(clock: &Arc<SimClock>) -> Self {
        Self {
            tickets: Arc::new(MemoryTickets::new(clock.clone())),
            leases: Arc::new(MemoryLeases::new(clock.clone())),
            mirror: Arc::new(MemoryMirror::new(clock.clone())),
            wakes: Arc::new(MemoryWakes::new(64)),
            parked: Arc::default(),
        }
    }

    fn peers(&self, life: &Life) -> Peers {
        Peers {
            leases: Arc::new(FaultyLeases::new(self.leases.clone(), life.clone())),
            mirror: Arc::new(FaultyMirror::new(self.mirror.clone(), life.clone())),
            wakes: Arc::new(FaultyWakes::new(self.wakes.clone(), life.clone())),
            parked: self.parked.clone(),
        }
    }
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
    role: Role,
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

    fn host(&self, _: &Tool) -> Result<Arc<dyn ToolHost>, Vec<SettingError>> {
        let tool = FaultyTool::new(self.ground.tool.clone(), self.life.clone());
        Ok(Arc::new(tool))
    }
}

impl Ground {
    fn process(&self, seed: u64, role: Role) -> Running {
        let life = Life::begin(self.faults.clone());
        let tickets = match &self.shared {
            Some(shared) => shared.tickets.clone(),
            None => Arc::new(MemoryTickets::new(self.clock.clone())),
        };
        let parts = Parts {
            clock: self.time.clone(),
            entropy: Arc::new(SeededEntropy::new(seed)),
            store: Arc::new(FaultyStore::new(self.port.clone(), life.clone())),
            tickets: Arc::new(FaultyTickets::new(tickets, life.clone())),
            feed: Arc::new(FaultyFeed::new(self.feed.clone(), life.clone())),
            settings: Arc::new(FaultySettings::<ChannelSettings>::new(
                self.store.clone(),
                life.clone(),
            )),
            tools: Arc::new(FaultySettings::<Tool>::new(
                self.store.clone(),
                life.clone(),
            )),
            ledger: Arc::new(FaultyLedger::new(self.store.clone(), life.clone())),
            wiring: Arc::new(Props {
                ground: self.clone(),
                life: life.clone(),
            }),
            budgets: Arc::new(FaultyBudgets::new(self.budgets.clone(), life.clone())),
            peers: self.shared.as_ref().map(|shared| shared.peers(&life)),
        };
        let tuning = Tuning {
            alone: self.shared.is_none(),
            role,
            ..Tuning::default()
        };
        Running {
            engine: Engine::new(parts, tuning),
            life,
        }
    }
}

impl Slot {
    pub fn new(ground: Ground, seed: u64, role: Role) -> Self {
        Self {
            ground,
            seed,
            role,
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
            let running = self.ground.process(seed, self.role);
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
