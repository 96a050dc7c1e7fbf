//! What agents that run elsewhere have in common: they act on their own, and are told of what happened meanwhile.

use replygate_gate::Usage;
use replygate_ports::agent::{AgentError, Effects};
use replygate_ports::settings::SettingError;

use super::briefing::Briefing;
use crate::options::Options;
use crate::unanswered::Unanswered;

/// An agent that remembers has its instructions where it runs.
pub(super) fn untold(options: &Options<'_>, briefing: &Briefing) -> Result<(), SettingError> {
    if briefing.has_system() {
        return Err(options.wrong("system", "set", "nothing, unless memory is none"));
    }
    Ok(())
}

/// Tells what was used when it is dropped, so that a run that is given up counts too.
pub(super) struct Spent<'a> {
    effects: &'a dyn Effects,
    usage: Usage,
}

impl<'a> Spent<'a> {
    pub(super) fn new(effects: &'a dyn Effects) -> Self {
        Self {
            effects,
            usage: Usage::default(),
        }
    }

    pub(super) fn add(&mut self, usage: Usage) {
        self.usage = self.usage.plus(usage);
    }
}

impl Drop for Spent<'_> {
    fn drop(&mut self) {
        if !self.usage.is_none() {
            self.effects.spent(self.usage);
        }
    }
}

/// Why a run brought no answer: the other side, or the engine.
pub(super) enum Failure {
    Unanswered(Unanswered),
    Agent(AgentError),
}

impl From<Unanswered> for Failure {
    fn from(why: Unanswered) -> Self {
        Self::Unanswered(why)
    }
}

impl From<Failure> for AgentError {
    fn from(why: Failure) -> Self {
        match why {
            Failure::Unanswered(why) => why.into(),
            Failure::Agent(error) => error,
        }
    }
}
