//! An engine on memory adapters under paused time, with a scripted agent, evaluator and channel: tests read like
//! conversations, and hours pass in milliseconds.

#![allow(dead_code, reason = "each test file uses its own part of the stage")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a stage that breaks has to fail the test"
)]

pub mod cable;
pub mod faltering;
pub mod opinions;
mod sound;

use std::sync::Arc;
use std::time::Duration;

use replygate_engine::{
    Deed, Engine, Made, Parts, Peers, Received, Role, StepError, Tuning, Verb, Wired, Wiring,
};
use replygate_gate::debounce::MessageKind;
use replygate_gate::{At, MessageId, ReplyStatus, SessionId, SessionKey, Target};
use replygate_ports::agent::Agent;
use replygate_ports::changes::MessageState;
use replygate_ports::channel::Inbound;
use replygate_ports::clock::Clock;
use replygate_ports::evaluator::Evaluator;
use replygate_ports::settings::{ChannelSettings, SettingError, SettingsVersion};
use replygate_ports::store::Store;
use replygate_ports::tickets::Tickets;
use replygate_ports::tools::{Tool, ToolHost};
use replygate_ports::views::{MessageView, ReplyQuery, ReplyView, Views};
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

/// How a stage is set.
pub struct Setting {
    pub agent: Latency,
    pub evaluator: Latency,
    pub channel: Latency,
    pub rules: bool,
    pub settings: Vec<ChannelSettings>,
    pub tool: Latency,
    pub tools: Vec<Tool>,
    pub tuning: Tuning,
    pub peers: bool,
}

impl Default for Setting {
    fn default() -> Self {
        Self {
            agent: Latency::none(),
            evaluator: Latency::none(),
            channel: Latency::none(),
            rules: false,
            settings: vec![ChannelSettings::new("webchat", "webchat")],
            tool: Latency::none(),
            tools: Vec::new(),
            tuning: Tuning::default(),
            peers: false,
        }
    }
}

impl Setting {
    /// One channel of this id with changed settings.
    pub fn channel(change: impl FnOnce(&mut ChannelSettings)) -> Self {
        let mut settings = ChannelSettings::new("webchat", "webchat");
        change(&mut settings);
        Self {
            settings: vec![settings],
            ..Self::default()
        }
    }

    /// Without debounce, every message is a turn at once.
    pub fn without_debounce() -> Self {
        Self::channel(|settings| settings.debounce.enabled = false)
    }

    /// Judged by the product's own rules.
    pub fn by_rules(mut self) -> Self {
        self.rules = true;
        self
    }

    /// With an agent that takes this long.
    pub fn with_agent_ms(mut self, ms: u64) -> Self {
        self.agent = Latency::fixed(Duration::from_millis(ms));
        self
    }

    /// With these tools.
    pub fn with_tools(mut self, tools: impl IntoIterator<Item = Tool>) -> Self {
        self.tools.extend(tools);
        self
    }

    /// With tools that take this long.
    pub fn with_tool_ms(mut self, ms: u64) -> Self {
        self.tool = Latency::fixed(Duration::from_millis(ms));
        self
    }

    /// For several processes over one world: none may think that it is alone.
    pub fn shared(mut self) -> Self {
        self.tuning.alone = false;
        self
    }

    /// For several processes that share one broker and tell each other what they do.
    pub fn with_peers(mut self) -> Self {
        self.peers = true;
        self.shared()
    }

    /// More channels with the default settings.
    pub fn and_channels(mut self, ids: &[&str]) -> Self {
        self.settings
            .extend(ids.iter().map(|id| ChannelSettings::new(id, "webchat")));
        self
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
    tuning: Tuning,
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

pub struct Stage {
    pub world: World,
    pub engine: Engine,
    stop: CancellationToken,
    run: tokio::task::JoinHandle<()>,
}

impl World {
    pub async fn new(setting: Setting) -> Self {
        let clock = Arc::new(SimClock::start());
        let store = Arc::new(MemoryStore::new());
        for settings in setting.settings {
            let version = SettingsVersion {
                version: 1,
                settings,
                by: "test".to_owned(),
                at: EPOCH,
                reason: None,
                request_id: None,
            };
            replygate_ports::settings::SettingsStore::save(&*store, version)
                .await
                .unwrap();
        }
        for settings in setting.tools {
            let version = SettingsVersion {
                version: 1,
                settings,
                by: "test".to_owned(),
                at: EPOCH,
                reason: None,
                request_id: None,
            };
            replygate_ports::settings::SettingsStore::save(&*store, version)
                .await
                .unwrap();
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

/// The product's own rules, as an evaluator.
struct Rules;

#[async_trait::async_trait]
impl Evaluator for Rules {
    async fn judge(
        &self,
        question: &replygate_ports::evaluator::Question,
    ) -> Result<replygate_ports::evaluator::Opinions, replygate_ports::evaluator::EvaluatorError>
    {
        use replygate_gate::triage::{Pair, judge};
        let newer: Vec<&str> = question
            .newer
            .iter()
            .map(|newer| newer.text.as_str())
            .collect();
        let opinion = |held: &replygate_ports::evaluator::Held| {
            let text = held.messages.join("\n");
            let verdict = judge(
                &Pair {
                    held: &text,
                    newer: &newer,
                },
                replygate_gate::text::Languages::all(),
            );
            replygate_ports::evaluator::Opinion {
                reply: held.reply,
                decision: verdict.decision,
                confidence: verdict.confidence,
                reason: format!("{:?}", verdict.reason),
                by: None,
            }
        };
        Ok(question.held.iter().map(opinion).collect())
    }

    fn name(&self) -> &'static str {
        "rules"
    }
}

pub fn key(channel: &str, contact: &str) -> SessionKey {
    SessionKey {
        channel: channel.to_owned(),
        account: String::new(),
        conversation: contact.to_owned(),
        contact: contact.to_owned(),
    }
}

pub fn inbound(channel: &str, contact: &str, id: &str, text: &str) -> Inbound {
    Inbound {
        key: key(channel, contact),
        provider_id: id.to_owned(),
        kind: MessageKind::Text,
        text: text.to_owned(),
        sent_at: None,
        edit: None,
    }
}

impl Stage {
    pub async fn set(setting: Setting) -> Self {
        World::new(setting).await.open(1).await
    }

    /// Milliseconds since the story began.
    pub fn t(&self) -> i64 {
        self.world.clock.now().0 - EPOCH.0
    }

    /// Lets time pass until `t` milliseconds after the story began.
    pub async fn until(&self, t: i64) {
        self.world.clock.sleep_until(At(EPOCH.0 + t)).await;
        settle().await;
    }

    /// The contact writes on the first channel.
    pub async fn write(&self, contact: &str, id: &str, text: &str) -> Received {
        self.receive(inbound("webchat", contact, id, text)).await
    }

    /// Contacts write on the first channel: when, who, the channel's id, the text.
    pub async fn play(&self, lines: &[(i64, &str, &str, &str)]) {
        for (t, contact, id, text) in lines {
            self.until(*t).await;
            let received = self.write(contact, id, text).await;
            assert!(!received.duplicate, "{id}");
        }
    }

    /// What became of the contact's messages on the first channel, in order of receipt: the channel's id and the state.
    pub async fn fates(&self, contact: &str) -> Vec<(String, MessageState)> {
        let session = key("webchat", contact).session();
        let mut messages = self.all_messages().await;
        messages.retain(|message| message.session == session);
        messages
            .into_iter()
            .map(|message| (message.provider_id, message.state))
            .collect()
    }

    pub async fn receive(&self, inbound: Inbound) -> Received {
        let received = self.engine.receive(inbound).await.unwrap();
        settle().await;
        received
    }

    /// What the contact has on the screen, with the time of each.
    pub fn screen(&self, contact: &str) -> Vec<(i64, String)> {
        let all = self.world.props.channel.hand_overs();
        all.iter()
            .filter(|one| one.reached && one.part.key.contact == contact)
            .map(|one| (one.at.0 - EPOCH.0, one.part.text.clone()))
            .collect()
    }

    pub fn texts(&self, contact: &str) -> Vec<String> {
        self.screen(contact)
            .into_iter()
            .map(|(_, text)| text)
            .collect()
    }

    /// Every reply of the contact's session, oldest first.
    pub async fn replies(&self, contact: &str) -> Vec<ReplyView> {
        let session = key("webchat", contact).session();
        let query = ReplyQuery {
            limit: 1_000,
            ..ReplyQuery::default()
        };
        let mut replies = self.world.store.reply_list(&query).await.unwrap();
        replies.retain(|reply| reply.session == session);
        replies.sort_by_key(|reply| reply.id);
        replies
    }

    pub async fn statuses(&self, contact: &str) -> Vec<ReplyStatus> {
        self.replies(contact)
            .await
            .iter()
            .map(|reply| reply.status)
            .collect()
    }

    pub async fn message(&self, id: MessageId) -> MessageView {
        self.world
            .store
            .messages_by_id(&[id])
            .await
            .unwrap()
            .remove(0)
    }

    pub async fn act(&self, contact: &str, verb: Verb) -> Result<Made, StepError> {
        self.act_as("ana", contact, verb, None).await
    }

    pub async fn act_as(
        &self,
        by: &str,
        contact: &str,
        verb: Verb,
        request: Option<&str>,
    ) -> Result<Made, StepError> {
        let deed = Deed {
            verb,
            by: by.to_owned(),
            reason: None,
            request_id: request.map(str::to_owned),
        };
        let made = self
            .engine
            .act(key("webchat", contact).session(), deed)
            .await;
        settle().await;
        made
    }

    pub async fn target(&self, contact: &str, index: usize) -> Target {
        let reply = &self.replies(contact).await[index];
        Target {
            reply: reply.id,
            generation: reply.generation,
        }
    }

    pub async fn events(&self, contact: &str) -> Vec<String> {
        self.events_of(key("webchat", contact).session()).await
    }

    pub async fn events_of(&self, session: SessionId) -> Vec<String> {
        let steps = self.world.store.events(session, 0, 1_000).await.unwrap();
        steps
            .iter()
            .flat_map(|step| step.events.iter().map(|event| event.name().to_owned()))
            .collect()
    }

    /// When the agent ran, and with which texts.
    pub fn runs(&self) -> Vec<(i64, Vec<String>)> {
        let runs = self.world.props.agent.runs();
        runs.iter()
            .map(|run| {
                let texts = run.turn.messages.iter().map(|message| message.text.clone());
                (run.at.0 - EPOCH.0, texts.collect())
            })
            .collect()
    }

    /// The texts that the agent read in each run for this contact, with the instant of its beginning.
    pub fn runs_for(&self, contact: &str) -> Vec<(i64, Vec<String>)> {
        let runs = self.world.props.agent.runs();
        runs.iter()
            .filter(|run| run.turn.key.contact == contact)
            .map(|run| {
                let texts = run.turn.messages.iter().map(|message| message.text.clone());
                (run.at.0 - EPOCH.0, texts.collect())
            })
            .collect()
    }

    /// Ends the process as `kill -9` does and starts another over the same stores.
    pub async fn crash(self, seed: u64) -> Self {
        let world = self.world.clone();
        self.kill().await;
        world.open(seed).await
    }

    /// Ends the process as `kill -9` does.
    pub async fn kill(self) {
        self.engine.kill();
        self.run.abort();
        settle().await;
    }

    /// Ends the process in order.
    pub async fn close(self) {
        self.stop.cancel();
        self.run.await.unwrap();
    }
}

/// Lets everything that is ready run, without letting time pass.
pub async fn settle() {
    for _ in 0..64 {
        tokio::task::yield_now().await;
    }
}
