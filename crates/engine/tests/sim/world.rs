//! One world: a script, faults, processes, and what is left when all has come to rest.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use replygate_engine::{Deed, Role, SaveError, StepError, Verb};
use replygate_gate::{Event, MessageId, ReplyStatus, Sender, Session, SessionKey, Target};
use replygate_ports::channel::Inbound;
use replygate_ports::clock::Clock;
use replygate_ports::settings::{ChannelSettings, SettingsStore, SettingsVersion, StaleSettings};
use replygate_ports::store::Store;
use replygate_ports::views::{ReplyQuery, Views};
use replygate_testkit::clock::{EPOCH, SimClock};
use replygate_testkit::faults::{Faults, Injected, Plan};
use replygate_testkit::memory::{MemoryBudgets, MemoryFeed, MemoryStore};
use replygate_testkit::scripted::{
    Latency, RecordingChannel, ScriptedAgent, ScriptedEvaluator, ScriptedTool,
};
use tokio::runtime::Builder;
use tokio::task::JoinSet;

use crate::oracle;
use crate::process::{Ground, Running, Shared, Slot};
use crate::script::{Script, What};

/// Everything must have come to rest so long after the faults stopped; the slowest ladder and the age guard fit in.
const PATIENCE: Duration = Duration::from_hours(3);

/// What became of a world.
pub struct Outcome {
    /// Every breach of an invariant.
    pub breaches: Vec<String>,
    /// What happened, told only when there is a breach.
    pub story: String,
    /// Every port call.
    pub calls: Vec<&'static str>,
    /// The name of every event that happened.
    pub events: BTreeSet<&'static str>,
    /// Where every reply ended.
    pub statuses: BTreeSet<ReplyStatus>,
    /// Every fault.
    pub injected: Vec<Injected>,
    /// Equal for equal runs.
    pub trace: u64,
}

pub struct World {
    pub ground: Ground,
    pub script: Script,
    slots: Vec<Arc<Slot>>,
    /// What a provider was told for each of its messages: key, edit, and every id that was named.
    acknowledged: Mutex<BTreeMap<Provider, Vec<MessageId>>>,
}

/// What a provider calls a message: conversation, id, edit.
pub type Provider = (String, String, Option<i64>);

/// Plays a script under a plan of faults until everything is at rest, and judges what happened.
pub fn play(script: Script, seed: u64, plan: Plan) -> Outcome {
    play_on(|_| {}, script, seed, plan)
}

/// The same on a ground that is bent first.
pub fn play_on(bend: impl Fn(&mut Ground), script: Script, seed: u64, plan: Plan) -> Outcome {
    let runtime = Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(async {
        let world = World::new(bend, script, seed, plan).await;
        Arc::new(world).run().await
    })
}

impl World {
    async fn new(bend: impl Fn(&mut Ground), script: Script, seed: u64, plan: Plan) -> Self {
        let clock = Arc::new(SimClock::start());
        let latency = |ms, salt| Latency::lognormal(Duration::from_millis(ms), 0.7, seed ^ salt);
        let store = Arc::new(MemoryStore::new());
        let mut ground = Ground {
            port: store.clone(),
            time: clock.clone(),
            store,
            feed: Arc::new(MemoryFeed::new(64)),
            shared: (script.processes > 1).then(|| Shared::new(&clock)),
            budgets: Arc::new(MemoryBudgets::new(clock.clone())),
            channel: Arc::new(
                RecordingChannel::new(clock.clone(), latency(40, 1)).with_sender(script.sender),
            ),
            agent: Arc::new(ScriptedAgent::new(clock.clone(), latency(400, 2))),
            evaluator: Arc::new(ScriptedEvaluator::new(clock.clone(), latency(200, 3))),
            tool: Arc::new(ScriptedTool::new(clock.clone(), latency(100, 4))),
            faults: Arc::new(faults(&clock, seed, plan)),
            clock,
        };
        bend(&mut ground);
        ground
            .store
            .save(version(1, script.settings.clone()))
            .await
            .unwrap();
        ground
            .store
            .save(version(1, script.tool.clone()))
            .await
            .unwrap();
        ground.tool.next(&script.turnouts);
        let slots = (0..script.processes).map(|slot| {
            let role = if slot < script.webs {
                Role::Web
            } else {
                Role::Worker
            };
            Arc::new(Slot::new(ground.clone(), seed * 8 + slot as u64, role))
        });
        Self {
            slots: slots.collect(),
            ground,
            script,
            acknowledged: Mutex::default(),
        }
    }

    async fn run(self: Arc<Self>) -> Outcome {
        let mut processes = JoinSet::new();
        for slot in &self.slots {
            processes.spawn(slot.clone().keep());
        }
        self.clone().happen().await;
        self.ground.faults.stop();
        self.hand_everything_back().await;
        let rested = self.rest().await;
        // What nobody waits for any more, such as the end of a hand-over that became unknown, may still be on its way.
        self.ground.clock.sleep(Duration::from_secs(45)).await;
        processes.abort_all();
        let (mut breaches, story) = oracle::judge(&self).await;
        if !rested {
            breaches.push("L1: not everything came to rest".to_owned());
        }
        self.outcome(breaches, story).await
    }

    async fn outcome(&self, breaches: Vec<String>, story: String) -> Outcome {
        let mut trace = DefaultHasher::new();
        self.ground.faults.trace().hash(&mut trace);
        let mut events = BTreeSet::new();
        for session in &self.script.sessions {
            let steps = self
                .ground
                .store
                .events(session.session(), 0, u32::MAX)
                .await
                .unwrap();
            format!("{steps:?}").hash(&mut trace);
            events.extend(steps.iter().flat_map(|step| &step.events).map(Event::name));
        }
        let all = ReplyQuery {
            limit: u32::MAX,
            ..ReplyQuery::default()
        };
        let replies = self.ground.store.reply_list(&all).await.unwrap();
        format!("{:?}", self.ground.channel.hand_overs()).hash(&mut trace);
        format!("{:?}", self.ground.tool.worked()).hash(&mut trace);
        Outcome {
            breaches,
            story,
            calls: self.ground.faults.calls(),
            events,
            statuses: replies.iter().map(|reply| reply.status).collect(),
            injected: self.ground.faults.injected(),
            trace: trace.finish(),
        }
    }

    /// Everything that a provider was told, by its own name of each message.
    pub fn acknowledged(&self) -> BTreeMap<Provider, Vec<MessageId>> {
        self.acknowledged
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    async fn happen(self: Arc<Self>) {
        let mut happenings = JoinSet::new();
        for (number, happening) in self.script.happenings.clone().into_iter().enumerate() {
            let world = self.clone();
            happenings.spawn(async move {
                world
                    .ground
                    .clock
                    .sleep_until(EPOCH.plus(happening.at))
                    .await;
                match happening.what {
                    What::Deliver(inbound) => world.deliver(number, inbound).await,
                    What::Press {
                        session,
                        button,
                        twice,
                    } => Box::pin(world.press(number, session, button, twice)).await,
                    What::Tune(settings) => world.tune(number, *settings).await,
                    What::Kill => world.slots[number % world.slots.len()].kill(),
                }
            });
        }
        let all = async { while happenings.join_next().await.is_some() {} };
        // Faults go on for a while after the last thing happened, but not for ever: whoever tries again must succeed.
        let ends_at = self.script.ends_at();
        let all = async {
            all.await;
            self.ground
                .clock
                .sleep_until(EPOCH.plus(ends_at + 6_000))
                .await;
        };
        tokio::select! {
            biased;
            () = all => {}
            () = self.ground.clock.sleep_until(EPOCH.plus(ends_at + 90_000)) => {}
        }
        self.ground.faults.stop();
        while happenings.join_next().await.is_some() {}
    }

    /// Asks one process after the other until one gives an answer that stands.
    async fn insist<T, F>(&self, number: usize, ask: impl Fn(Running) -> F + Send + Sync) -> T
    where
        F: Future<Output = Option<T>> + Send,
    {
        for attempt in 0.. {
            let slot = &self.slots[(number + attempt) % self.slots.len()];
            if let Some(running) = slot.running() {
                let life = running.life.clone();
                tokio::select! {
                    biased;
                    () = life.ended() => {}
                    answer = ask(running) => if let Some(answer) = answer { return answer; }
                }
            }
            let wait = 300 * (attempt as u64 + 1).min(10);
            self.ground.clock.sleep(Duration::from_millis(wait)).await;
        }
        unreachable!("attempts have no end")
    }

    async fn deliver(&self, number: usize, inbound: Inbound) {
        let ask = |running: Running| {
            let inbound = inbound.clone();
            async move {
                let received = running.engine.receive(inbound).await.ok()?;
                let refused = received.rejected.as_ref();
                let told_no = refused.is_some_and(|refused| refused.sender == Sender::Reads);
                // Whoever is told no tries again when the answer should be there.
                (!told_no).then_some(received)
            }
        };
        let received = self.insist(number, ask).await;
        let name = (
            inbound.key.conversation.clone(),
            inbound.provider_id.clone(),
            inbound.edit,
        );
        let mut acknowledged = self
            .acknowledged
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        acknowledged.entry(name).or_default().push(received.message);
    }

    async fn tune(&self, number: usize, settings: ChannelSettings) {
        let next = SettingsVersion {
            request_id: Some("tune".to_owned()),
            ..version(2, settings)
        };
        let ask = |running: Running| {
            let next = next.clone();
            async move {
                match running.engine.save_settings(next).await {
                    Err(SaveError::Stale(StaleSettings::Store(_))) => None,
                    _ => Some(()),
                }
            }
        };
        self.insist(number, ask).await;
    }

    async fn press(&self, number: usize, session: SessionKey, button: u64, twice: bool) {
        let Some(stored) = self.ground.store.load(session.session()).await.unwrap() else {
            return;
        };
        let verb = verb(&stored.session, button);
        let press = |offset| {
            self.act(
                number + offset,
                &session,
                verb.clone(),
                format!("press {number}"),
            )
        };
        if twice {
            futures::join!(press(0), press(1));
        } else {
            press(0).await;
        }
    }

    async fn act(&self, number: usize, session: &SessionKey, verb: Verb, request: String) {
        let id = session.session();
        let deed = Deed {
            verb,
            by: "operator".to_owned(),
            reason: None,
            request_id: Some(request),
        };
        let ask = |running: Running| {
            let deed = deed.clone();
            async move {
                match running.engine.act(id, deed).await {
                    Err(StepError::Store(_) | StepError::NoChannel { .. }) => None,
                    // Done, done before, or refused: the operator sees which and goes on.
                    _ => Some(()),
                }
            }
        };
        self.insist(number, ask).await;
    }

    async fn hand_everything_back(&self) {
        for (number, session) in self.script.sessions.clone().iter().enumerate() {
            self.act(
                number,
                session,
                Verb::HandBack,
                format!("hand back {number}"),
            )
            .await;
        }
    }

    /// Waits until nothing is left to do but for people.
    async fn rest(&self) -> bool {
        let until = self.ground.clock.elapsed() + PATIENCE;
        while self.ground.clock.elapsed() < until {
            self.ground.clock.sleep(Duration::from_secs(1)).await;
            let mut busy = false;
            for session in &self.script.sessions {
                let stored = self.ground.store.load(session.session()).await.unwrap();
                busy |= stored.is_some_and(|stored| !is_at_rest(&stored.session));
            }
            if !busy {
                return true;
            }
        }
        false
    }
}

/// The plan's faults; in half of the worlds calls take time, so that tasks mix between any two of them.
fn faults(clock: &Arc<SimClock>, seed: u64, plan: Plan) -> Faults {
    let faults = Faults::new(clock.clone(), plan);
    if seed.is_multiple_of(2) {
        faults
    } else {
        faults.with_jitter(seed, 4)
    }
}

fn version<S>(version: u64, settings: S) -> SettingsVersion<S> {
    SettingsVersion {
        version,
        settings,
        by: "sim".to_owned(),
        at: EPOCH,
        reason: None,
        request_id: None,
    }
}

/// Whether nothing is left to do but for people.
fn is_at_rest(session: &Session) -> bool {
    let settled = session.replies.iter().all(|reply| match reply.status {
        ReplyStatus::Parked => true,
        ReplyStatus::Unknown => reply.retry_at.is_none(),
        _ => false,
    });
    settled && session.uncovered.is_empty() && session.owner.is_none() && session.rerun.is_none()
}

/// What a button does on the session as the operator sees it.
fn verb(session: &Session, button: u64) -> Verb {
    let inbox = session
        .replies
        .iter()
        .find(|reply| matches!(reply.status, ReplyStatus::Parked | ReplyStatus::Unknown));
    if let Some(reply) = inbox.filter(|_| !button.is_multiple_of(4)) {
        let target = Target {
            reply: reply.id,
            generation: reply.generation,
        };
        return match button / 4 % 8 {
            0..3 => Verb::Reprocess(target),
            3..5 => Verb::Rerun {
                target,
                overrule: None,
            },
            5 => Verb::Rerun {
                target,
                overrule: Some("asked for".to_owned()),
            },
            6 => Verb::Discard(target),
            _ => Verb::MarkDelivered(target),
        };
    }
    match button % 6 {
        0 if session.takeover.is_some() => Verb::HandBack,
        0 => Verb::TakeOver,
        1 => Verb::Say {
            parts: vec!["a person writes".to_owned()],
        },
        2 => Verb::ReleaseHold,
        3 => Verb::Lock {
            holder: "crm".to_owned(),
            lease_ms: 500,
            ttl_ms: 1_000 + button * 30,
        },
        4 => Verb::Unlock { holder: None },
        _ => Verb::HandBack,
    }
}
