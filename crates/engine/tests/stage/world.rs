//! What outlives a process: stores, clock, channel and agent. Processes are opened over it.

use std::sync::Arc;
use std::time::Duration;

use replygate_engine::{Engine, Parts, Peers, Role, Tuning, Wired, Wiring};
use replygate_gate::Sender;
use replygate_ports::agent::Agent;
use replygate_ports::clock::Clock;
use replygate_ports::evaluator::Evaluator;
use replygate_ports::settings::{ChannelSettings, SettingError, SettingsStore, SettingsVersion};
use replygate_ports::store::Store;
use replygate_ports::tickets::Tickets;
use replygate_ports::tools::{Tool, ToolHost};
use replygate_testkit::clock::{EPOCH, SimClock};
use replygate_testkit::entropy::SeededEntropy;
use replygate_testkit::memory::{
    MemoryBudgets, MemoryFeed, MemoryLeases, MemoryMirror, MemoryParked, MemoryStore,
    MemoryTickets, MemoryWakes,
};
use replygate_testkit::scripted::{
    Latency, RecordingChannel, ScriptedAgent, ScriptedEvaluator, ScriptedTool,
};
use tokio_util::sync::CancellationToken;

use super::Stage;
use super::opinions::Rules;
use super::setting::Setting;

/// What the stage wires for every channel.
#[derive(Clone)]
pub struct Props {
    pub channel: Arc<RecordingChannel>,
    pub agent: Arc<ScriptedAgent>,
    pub evaluator: Arc<dyn Evaluator>,
    pub other_agent: Option<Arc<dyn Agent>>,
    pub tool: Arc<ScriptedTool>,
}

impl Wiring for Props {
    fn wire(&self, _: &ChannelSettings) -> Result<Wired, Vec<SettingError>> {
        Ok(Wired {
            channel: self.channel.clone(),
            agent: self.other_agent.clone().unwrap_or(self.agent.clone()),
            evaluator: self.evaluator.clone(),
        })
    }

    fn host(&self, _: &Tool) -> Result<Arc<dyn ToolHost>, Vec<SettingError>> {
        Ok(self.tool.clone())
    }
}

/// The stores that outlive a process, and the news that all processes hear.
#[derive(Clone)]
pub struct World {
    pub clock: Arc<SimClock>,
    pub store: Arc<MemoryStore>,
    pub feed: Arc<MemoryFeed>,
    pub props: Props,
    pub budgets: Arc<MemoryBudgets>,
    pub shared: Option<Shared>,
    pub(super) tuning: Tuning,
}

/// What processes of one world share beside the store.
#[derive(Clone)]
pub struct Shared {
    pub tickets: Arc<dyn Tickets>,
    pub leases: Arc<MemoryLeases>,
    pub mirror: Arc<MemoryMirror>,
    pub wakes: Arc<MemoryWakes>,
    pub parked: Arc<MemoryParked>,
}

impl Shared {
    fn new(clock: &Arc<SimClock>) -> Self {
        Self {
            tickets: Arc::new(MemoryTickets::new(clock.clone())),
            leases: Arc::new(MemoryLeases::new(clock.clone())),
            mirror: Arc::new(MemoryMirror::new(clock.clone())),
            wakes: Arc::new(MemoryWakes::new(1_024)),
            parked: Arc::default(),
        }
    }

    fn peers(&self) -> Peers {
        Peers {
            leases: self.leases.clone(),
            mirror: self.mirror.clone(),
            wakes: self.wakes.clone(),
            parked: self.parked.clone(),
        }
    }
}

impl World {
    pub async fn new(setting: Setting) -> Self {
        let clock = Arc::new(SimClock::start());
        let store = Arc::new(MemoryStore::new());
        for settings in setting.settings {
            store.save(first(settings)).await.unwrap();
        }
        for tool in setting.tools {
            store.save(first(tool)).await.unwrap();
        }
        let port: Arc<dyn Clock> = clock.clone();
        let evaluator: Arc<dyn Evaluator> = if setting.rules {
            Arc::new(Rules)
        } else {
            Arc::new(ScriptedEvaluator::new(port.clone(), setting.evaluator))
        };
        let props = Props {
            channel: Arc::new(RecordingChannel::new(port.clone(), setting.channel)),
            agent: Arc::new(ScriptedAgent::new(port.clone(), setting.agent).with_history()),
            tool: Arc::new(ScriptedTool::new(port, setting.tool)),
            evaluator,
            other_agent: None,
        };
        Self {
            store,
            feed: Arc::new(MemoryFeed::new(1_024)),
            props,
            budgets: Arc::new(MemoryBudgets::new(clock.clone())),
            shared: setting.peers.then(|| Shared::new(&clock)),
            tuning: setting.tuning,
            clock,
        }
    }

    /// The same world with another agent.
    pub fn with_agent(mut self, agent: Arc<dyn Agent>) -> Self {
        self.props.other_agent = Some(agent);
        self
    }

    /// The same world, fed by a webhook that delivers again whatever is not accepted.
    pub fn fed_by_webhook(mut self) -> Self {
        let channel = RecordingChannel::new(self.clock.clone(), Latency::none());
        self.props.channel = Arc::new(channel.with_sender(Sender::Redelivers));
        self
    }

    /// The same world with another evaluator.
    pub fn with_evaluator(mut self, evaluator: Arc<dyn Evaluator>) -> Self {
        self.props.evaluator = evaluator;
        self
    }

    /// Lets so many milliseconds pass.
    pub async fn clock_sleep(&self, ms: u64) {
        self.clock.sleep(Duration::from_millis(ms)).await;
    }

    /// Starts a process over these stores.
    pub async fn open(&self, seed: u64) -> Stage {
        self.open_over(seed, self.store.clone()).await
    }

    /// Starts a process that only takes messages in.
    pub async fn open_web(&self, seed: u64) -> Stage {
        self.open_over_web(seed, self.store.clone()).await
    }

    /// Starts a process that only takes messages in and reaches the sessions through `store`.
    pub async fn open_over_web(&self, seed: u64, store: Arc<dyn Store>) -> Stage {
        let mut world = self.clone();
        world.tuning.role = Role::Web;
        world.open_over(seed, store).await
    }

    /// Starts a process that reaches the sessions through `store`.
    pub async fn open_over(&self, seed: u64, store: Arc<dyn Store>) -> Stage {
        self.start(seed, store, self.clock.clone()).await
    }

    /// Starts a process that reads the time on `clock`.
    pub async fn open_by(&self, seed: u64, clock: Arc<dyn Clock>) -> Stage {
        self.start(seed, self.store.clone(), clock).await
    }

    async fn start(&self, seed: u64, store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Stage {
        let own = || -> Arc<dyn Tickets> { Arc::new(MemoryTickets::new(clock.clone())) };
        let shared = self.shared.as_ref();
        let parts = Parts {
            clock: clock.clone(),
            entropy: Arc::new(SeededEntropy::new(seed)),
            store,
            tickets: shared.map_or_else(own, |shared| shared.tickets.clone()),
            feed: self.feed.clone(),
            settings: self.store.clone(),
            tools: self.store.clone(),
            ledger: self.store.clone(),
            wiring: Arc::new(self.props.clone()),
            budgets: self.budgets.clone(),
            peers: shared.map(Shared::peers),
        };
        let engine = Engine::new(parts, self.tuning.clone());
        let stop = CancellationToken::new();
        let run = tokio::spawn({
            let (engine, stop) = (engine.clone(), stop.clone());
            async move { engine.run(stop).await.unwrap() }
        });
        // The engine reads its settings before anything can come in.
        while engine.board().channels().is_empty() {
            tokio::task::yield_now().await;
        }
        Stage {
            world: self.clone(),
            engine,
            stop,
            run,
        }
    }
}

fn first<S>(settings: S) -> SettingsVersion<S> {
    SettingsVersion {
        version: 1,
        settings,
        by: "test".to_owned(),
        at: EPOCH,
        reason: None,
        request_id: None,
    }
}
