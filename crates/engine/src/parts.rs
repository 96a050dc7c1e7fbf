//! What an engine is made of. Must never name an adapter: whoever wires brings them.

use std::sync::Arc;

use replygate_ports::agent::Agent;
use replygate_ports::budgets::Budgets;
use replygate_ports::channel::Channel;
use replygate_ports::clock::{Clock, Entropy};
use replygate_ports::evaluator::Evaluator;
use replygate_ports::feed::Feed;
use replygate_ports::leases::Leases;
use replygate_ports::ledger::Ledger;
use replygate_ports::mirror::Mirror;
use replygate_ports::parked::ParkedMirror;
use replygate_ports::settings::{ChannelSettings, SettingError, SettingsStore};
use replygate_ports::store::Store;
use replygate_ports::tickets::Tickets;
use replygate_ports::tools::{Tool, ToolHost};
use replygate_ports::wakes::Wakes;

/// The ports an engine runs on.
#[derive(Clone)]
pub struct Parts {
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Chance.
    pub entropy: Arc<dyn Entropy>,
    /// Sessions, events and texts.
    pub store: Arc<dyn Store>,
    /// Reminders that a reply is due.
    pub tickets: Arc<dyn Tickets>,
    /// News for consoles and other processes.
    pub feed: Arc<dyn Feed>,
    /// Channel settings.
    pub settings: Arc<dyn SettingsStore>,
    /// Tools' settings.
    pub tools: Arc<dyn SettingsStore<Tool>>,
    /// Tool calls with an effect.
    pub ledger: Arc<dyn Ledger>,
    /// How settings become channels, agents, evaluators and tool hosts.
    pub wiring: Arc<dyn Wiring>,
    /// How often chats may be written to.
    pub budgets: Arc<dyn Budgets>,
    /// What processes that share the work tell each other; `None` for a process that is alone.
    pub peers: Option<Peers>,
}

/// What processes that share the work tell each other. All of it may be lost at any moment: that costs time, never safety.
#[derive(Clone)]
pub struct Peers {
    /// Who looks after a session.
    pub leases: Arc<dyn Leases>,
    /// What tickets lead to.
    pub mirror: Arc<dyn Mirror>,
    /// When sessions need attention.
    pub wakes: Arc<dyn Wakes>,
    /// What was parked, for tools outside.
    pub parked: Arc<dyn ParkedMirror>,
}

/// What a process does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// Takes messages and deeds in, and leaves everything that follows to workers; needs peers.
    Web,
    /// Works on sessions: timers, turns, hand-overs.
    #[default]
    Worker,
}

/// The live things that a channel's settings name.
#[derive(Clone)]
pub struct Wired {
    /// The way to the people.
    pub channel: Arc<dyn Channel>,
    /// Who answers.
    pub agent: Arc<dyn Agent>,
    /// Who judges.
    pub evaluator: Arc<dyn Evaluator>,
}

/// How settings become channels, agents, evaluators and tool hosts.
pub trait Wiring: Send + Sync {
    /// Builds what the settings name.
    ///
    /// # Errors
    /// Everything that is not allowed in them, before anything is saved or used.
    fn wire(&self, settings: &ChannelSettings) -> Result<Wired, Vec<SettingError>>;

    /// Builds what runs a tool.
    ///
    /// # Errors
    /// Everything that is not allowed in its settings, before anything is saved or used.
    fn host(&self, tool: &Tool) -> Result<Arc<dyn ToolHost>, Vec<SettingError>>;
}

/// How an engine works, apart from any channel.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// How many hand-overs may be under way at once.
    pub dispatches: usize,
    /// How many turns may run at once; further ones wait.
    pub turns: usize,
    /// How often the sweeper looks for work that its timer or ticket lost, in milliseconds.
    pub sweep_every_ms: u64,
    /// How overdue work must be before the sweeper takes it up, in milliseconds.
    pub sweep_grace_ms: u64,
    /// How long a shutdown lets turns and hand-overs finish, in milliseconds.
    pub drain_ms: u64,
    /// Waits before the agent is tried again, in milliseconds.
    pub agent_retries_ms: Vec<u64>,
    /// How often a turn may be worded again because a verdict came too late.
    pub rewordings: u32,
    /// A turn shorter than this shows no typing, in milliseconds.
    pub typing_after_ms: u64,
    /// How often leases of tool calls are looked at, in milliseconds.
    pub calls_every_ms: u64,
    /// Whether this process is the only one that could hold leases and claims, so that those found at start are dead.
    pub alone: bool,
    /// What this process does.
    pub role: Role,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            dispatches: 1_024,
            turns: 4_096,
            sweep_every_ms: 1_000,
            sweep_grace_ms: 1_500,
            drain_ms: 10_000,
            agent_retries_ms: vec![500, 2_000],
            rewordings: 1,
            typing_after_ms: 150,
            calls_every_ms: 5_000,
            alone: true,
            role: Role::Worker,
        }
    }
}
