//! Settings: what an admin may tune while everything runs. Must never hold a secret: those stay in the
//! configuration file or the environment.

mod check;
mod choice;
mod defaults;
mod error;
mod notices;
mod store;
mod triage;

use replygate_gate::control::ControlCommands;
use replygate_gate::debounce::Windows;
use replygate_gate::{Guarantee, Rules};
use serde::{Deserialize, Serialize};

use crate::budgets::Rate;

pub use choice::Choice;
pub use error::SettingError;
pub use notices::{NoticeLanguage, Notices};
pub use replygate_gate::Strategy;
pub use store::{Kept, SettingsStore, SettingsVersion, StaleSettings};
pub use triage::{Timing, TriageSettings};

/// A channel's settings as they are stored and versioned; times in milliseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChannelSettings {
    /// The channel's id: 1 to 64 of `a-z`, `0-9`, `-`, `_`. Part of its addresses.
    pub id: String,
    /// `webchat` or `generic`.
    pub kind: String,
    /// Where replies are posted; only for `generic`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deliver_url: Option<String>,
    /// How long a finished reply waits before it is handed over.
    #[serde(default = "defaults::operational_delay_ms")]
    pub operational_delay_ms: u64,
    /// What happens to messages that come while a turn runs or its replies are on their way.
    #[serde(default)]
    pub strategy: Strategy,
    /// Whether early triage that says cancel or merge stops a running turn which changed nothing outside: its tokens are
    /// saved, its messages answered with the new ones. Only under `triage`.
    #[serde(default)]
    pub abort_on_triage: bool,
    /// Who answers.
    #[serde(default = "defaults::agent")]
    pub agent: Choice,
    /// How long a run of the agent may take.
    #[serde(default = "defaults::agent_timeout_ms")]
    pub agent_timeout_ms: u64,
    /// Who judges.
    #[serde(default = "defaults::evaluator")]
    pub evaluator: Choice,
    /// How held replies are judged.
    #[serde(default)]
    pub triage: TriageSettings,
    /// Debounce windows.
    #[serde(default)]
    pub debounce: Windows,
    /// Waits between attempts that meet a stuck outside lock.
    #[serde(default = "defaults::ladder_ms")]
    pub ladder_ms: Vec<u64>,
    /// Waits between attempts after a definite failure of the channel.
    #[serde(default = "defaults::channel_ladder_ms")]
    pub channel_ladder_ms: Vec<u64>,
    /// What happens to a hand-over whose outcome is not known.
    #[serde(default = "defaults::guarantee")]
    pub guarantee: Guarantee,
    /// How long one hand-over may take.
    #[serde(default = "defaults::send_timeout_ms")]
    pub send_timeout_ms: u64,
    /// How often one chat may be written to; `None` is without bounds.
    #[serde(default)]
    pub rate: Option<Rate>,
    /// How many entries of the conversation the agent reads.
    #[serde(default = "defaults::history")]
    pub history: u32,
    /// A message that the channel delivers later than this after it was written starts no turn.
    #[serde(default = "defaults::late_after_ms")]
    pub late_after_ms: u64,
    /// After this time a held reply that nobody judged is released.
    #[serde(default = "defaults::max_hold_ms")]
    pub max_hold_ms: u64,
    /// A reply that waits longer goes to a person.
    #[serde(default = "defaults::park_age_ms")]
    pub park_age_ms: u64,
    /// A reply that waits longer is dropped as expired.
    #[serde(default = "defaults::expire_age_ms")]
    pub expire_age_ms: u64,
    /// Which messages are control commands.
    #[serde(default)]
    pub commands: ControlCommands,
    /// How control commands are acknowledged.
    #[serde(default)]
    pub notices: Notices,
}

impl ChannelSettings {
    /// Settings with every default.
    #[must_use]
    pub fn new(id: &str, kind: &str) -> Self {
        Self {
            id: id.to_owned(),
            kind: kind.to_owned(),
            deliver_url: None,
            operational_delay_ms: defaults::operational_delay_ms(),
            strategy: Strategy::default(),
            abort_on_triage: false,
            agent: defaults::agent(),
            agent_timeout_ms: defaults::agent_timeout_ms(),
            evaluator: defaults::evaluator(),
            triage: TriageSettings::default(),
            debounce: Windows::default(),
            ladder_ms: defaults::ladder_ms(),
            channel_ladder_ms: defaults::channel_ladder_ms(),
            guarantee: defaults::guarantee(),
            send_timeout_ms: defaults::send_timeout_ms(),
            rate: None,
            history: defaults::history(),
            late_after_ms: defaults::late_after_ms(),
            max_hold_ms: defaults::max_hold_ms(),
            park_age_ms: defaults::park_age_ms(),
            expire_age_ms: defaults::expire_age_ms(),
            commands: ControlCommands::default(),
            notices: Notices::default(),
        }
    }

    /// Every wait of its ladders, in milliseconds.
    pub fn rungs(&self) -> impl Iterator<Item = u64> {
        let all = self.ladder_ms.iter().chain(&self.channel_ladder_ms);
        all.copied()
    }

    /// The numbers that decisions read.
    #[must_use]
    pub fn rules(&self) -> Rules {
        Rules {
            windows: self.debounce,
            operational_delay_ms: self.operational_delay_ms,
            ladder_ms: self.ladder_ms.clone(),
            channel_ladder_ms: self.channel_ladder_ms.clone(),
            strategy: self.strategy,
            guarantee: self.guarantee,
            threshold: self.triage.threshold,
            // The send ends before its claim does, whatever the limit of one part is.
            claim_ms: self.send_timeout_ms.saturating_mul(2).max(5_000),
            max_hold_ms: self.max_hold_ms,
            park_age_ms: self.park_age_ms,
            expire_age_ms: self.expire_age_ms,
            ..Rules::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_or_a_name_chooses_an_agent() {
        let json = r#"{"id":"a","kind":"webchat","agent":"echo","evaluator":{"kind":"marker","latency_ms":3}}"#;
        let settings: ChannelSettings = serde_json::from_str(json).unwrap();
        assert_eq!(settings.agent, Choice::named("echo"));
        assert_eq!(settings.evaluator.options["latency_ms"], 3);
    }
}
