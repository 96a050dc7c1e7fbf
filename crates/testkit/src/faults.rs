//! Faults in front of every port, from a plan: an error before or after the effect, a delay, a repeated or lost call, the
//! death of the process at any port call. The decorators never change what a sound call does.

mod life;
mod outside;
mod peers;
mod plan;
mod queue;
mod store;
mod tools;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use replygate_ports::clock::Clock;

pub use life::Life;
pub use outside::{FaultyAgent, FaultyChannel, FaultyEvaluator};
pub use peers::{FaultyBudgets, FaultyLeases, FaultyMirror, FaultyWakes};
pub use plan::{Fault, Injected, Plan, Site};
pub use queue::{FaultyFeed, FaultyTickets};
pub use store::{FaultySettings, FaultyStore};
pub use tools::{FaultyLedger, FaultyTool};

use plan::{Chooser, Jitter};

/// The faults of one simulated world, and the record of its port calls.
pub struct Faults {
    clock: Arc<dyn Clock>,
    /// Whether a crash ends this very process.
    deadly: bool,
    state: Mutex<State>,
}

struct State {
    chooser: Chooser,
    jitter: Option<Jitter>,
    calls: Vec<&'static str>,
    injected: Vec<Injected>,
    trace: DefaultHasher,
    over: bool,
}

impl Faults {
    /// Faults as the plan says.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>, plan: Plan) -> Self {
        let state = State {
            chooser: Chooser::new(plan),
            jitter: None,
            calls: Vec::new(),
            injected: Vec::new(),
            trace: DefaultHasher::new(),
            over: false,
        };
        Self {
            clock,
            deadly: false,
            state: Mutex::new(state),
        }
    }

    /// The same faults, and every call takes up to `most_ms` milliseconds, so that calls of many tasks mix.
    #[must_use]
    pub fn with_jitter(self, seed: u64, most_ms: u64) -> Self {
        self.state().jitter = Some(Jitter::new(seed, most_ms));
        self
    }

    /// The same faults for a process that is none of a simulation: a crash aborts it where it stands.
    #[must_use]
    pub fn deadly(mut self) -> Self {
        self.deadly = true;
        self
    }

    /// No more faults from now on.
    pub fn stop(&self) {
        self.state().over = true;
    }

    /// Every port call up to [`Faults::stop`].
    #[must_use]
    pub fn calls(&self) -> Vec<&'static str> {
        self.state().calls.clone()
    }

    /// Every fault so far.
    #[must_use]
    pub fn injected(&self) -> Vec<Injected> {
        self.state().injected.clone()
    }

    /// A number that differs as soon as two runs made different calls, or the same ones at different times.
    #[must_use]
    pub fn trace(&self) -> u64 {
        self.state().trace.finish()
    }

    /// Counts a port call and says what goes wrong with it.
    fn meet(&self, call: &'static str) -> Option<Fault> {
        self.meet_about(call, &[])
    }

    /// The same of a call that tells what it is about.
    fn meet_about(&self, call: &'static str, about: &[&str]) -> Option<Fault> {
        let now = self.clock.now();
        let mut state = self.state();
        (call, now).hash(&mut state.trace);
        if state.over {
            return None;
        }
        let number = state.calls.len();
        state.calls.push(call);
        let fault = state.chooser.choose(number, call, about)?;
        state.injected.push(Injected {
            number,
            call,
            fault,
        });
        Some(fault)
    }

    /// Takes as long as any call may.
    async fn pass(&self) {
        let wait = self.state().jitter.as_mut().map(Jitter::draw);
        if let Some(wait) = wait {
            self.clock.sleep(wait).await;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
