//! Settings: what an admin may tune while everything runs. Must never hold a secret: those stay in the
//! configuration file or the environment.

mod choice;
mod store;

use std::fmt;

use replygate_gate::control::ControlCommands;
use replygate_gate::debounce::Windows;
use replygate_gate::{Guarantee, Rules};
use serde::{Deserialize, Serialize};

use crate::budgets::Rate;

pub use choice::Choice;
pub use store::{Kept, SettingsStore, SettingsVersion, StaleSettings};

/// A setting's value is not allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{key}` is {value}, allowed: {allowed}")]
pub struct SettingError {
    /// The key as in the configuration file, such as `channels.shop.operational_delay_ms`.
    pub key: String,
    /// The value that was given.
    pub value: String,
    /// What is allowed.
    pub allowed: String,
}

impl SettingError {
    /// A setting error from anything printable.
    pub fn new(
        key: impl Into<String>,
        value: impl fmt::Display,
        allowed: impl Into<String>,
    ) -> Self {
        Self {
            key: key.into(),
            value: value.to_string(),
            allowed: allowed.into(),
        }
    }
}

/// What happens to messages that come while a reply is on its way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// An evaluator judges held replies against the newer messages.
    #[default]
    Triage,
}

/// When held replies are judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Timing {
    /// On arrival of a newer message, and again when its window is over.
    #[default]
    Early,
    /// Only when the newer messages' window is over.
    AtTurn,
}

/// How held replies are judged; times in milliseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TriageSettings {
    /// When.
    pub timing: Timing,
    /// An evaluator that takes longer is reported as slow.
    pub soft_ms: u64,
    /// An evaluator that takes longer counts as unsure.
    pub hard_ms: u64,
    /// A verdict with less confidence counts as unsure. 0 to 1.
    pub threshold: f32,
}

impl Default for TriageSettings {
    fn default() -> Self {
        Self {
            timing: Timing::Early,
            soft_ms: 900,
            hard_ms: 2_000,
            threshold: 0.55,
        }
    }
}

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
    /// What happens to messages that come while a reply is on its way.
    #[serde(default)]
    pub strategy: Strategy,
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
}

mod defaults {
    use super::Choice;
    use replygate_gate::{Guarantee, Rules};

    pub fn operational_delay_ms() -> u64 {
        Rules::default().operational_delay_ms
    }
    pub fn agent() -> Choice {
        Choice::named("demo")
    }
    pub fn agent_timeout_ms() -> u64 {
        60_000
    }
    pub fn evaluator() -> Choice {
        Choice::named("rules")
    }
    pub fn ladder_ms() -> Vec<u64> {
        Rules::default().ladder_ms
    }
    pub fn channel_ladder_ms() -> Vec<u64> {
        Rules::default().channel_ladder_ms
    }
    pub fn guarantee() -> Guarantee {
        Guarantee::AtMostOnce
    }
    pub fn send_timeout_ms() -> u64 {
        10_000
    }
    pub fn history() -> u32 {
        30
    }
    /// Twelve hours: longer than an ordinary outage of a channel, shorter than yesterday.
    pub fn late_after_ms() -> u64 {
        43_200_000
    }
    pub fn max_hold_ms() -> u64 {
        Rules::default().max_hold_ms
    }
    pub fn park_age_ms() -> u64 {
        Rules::default().park_age_ms
    }
    pub fn expire_age_ms() -> u64 {
        Rules::default().expire_age_ms
    }
}

/// The longest ladder: 16 rungs.
const MOST_RUNGS: usize = 16;
/// One day in milliseconds.
const DAY_MS: u64 = 86_400_000;

impl ChannelSettings {
    /// Settings with every default.
    #[must_use]
    pub fn new(id: &str, kind: &str) -> Self {
        Self {
            id: id.to_owned(),
            kind: kind.to_owned(),
            deliver_url: None,
            operational_delay_ms: defaults::operational_delay_ms(),
            strategy: Strategy::Triage,
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
        }
    }

    /// The numbers that decisions read.
    #[must_use]
    pub fn rules(&self) -> Rules {
        Rules {
            windows: self.debounce,
            operational_delay_ms: self.operational_delay_ms,
            ladder_ms: self.ladder_ms.clone(),
            channel_ladder_ms: self.channel_ladder_ms.clone(),
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

    /// Everything that is not allowed.
    pub fn validate(&self) -> Result<(), Vec<SettingError>> {
        let mut check = Check {
            prefix: format!("channels.{}", self.id),
            errors: Vec::new(),
        };
        check.id(&self.id);
        check.range(
            "operational_delay_ms",
            self.operational_delay_ms,
            0,
            600_000,
        );
        check.range("agent_timeout_ms", self.agent_timeout_ms, 100, 3_600_000);
        check.range("send_timeout_ms", self.send_timeout_ms, 100, 120_000);
        check.range("history", u64::from(self.history), 0, 1_000);
        check.range("late_after_ms", self.late_after_ms, 60_000, 30 * DAY_MS);
        check.range("max_hold_ms", self.max_hold_ms, 1_000, DAY_MS);
        check.range("park_age_ms", self.park_age_ms, 1_000, 30 * DAY_MS);
        check.range(
            "expire_age_ms",
            self.expire_age_ms,
            self.park_age_ms,
            365 * DAY_MS,
        );
        check.range(
            "triage.soft_ms",
            self.triage.soft_ms,
            1,
            self.triage.hard_ms,
        );
        check.range("triage.hard_ms", self.triage.hard_ms, 1, 60_000);
        check.fraction("triage.threshold", self.triage.threshold);
        check.ladder("ladder_ms", &self.ladder_ms);
        check.ladder("channel_ladder_ms", &self.channel_ladder_ms);
        check.deliver_url(&self.kind, self.deliver_url.as_deref());
        if let Some(rate) = &self.rate {
            check.rate(rate);
        }
        if let Err(errors) = self.debounce.validate() {
            for error in errors {
                check.wrong(
                    &format!("debounce.{}", error.key),
                    error.value,
                    error.allowed,
                );
            }
        }
        if check.errors.is_empty() {
            Ok(())
        } else {
            Err(check.errors)
        }
    }
}

struct Check {
    prefix: String,
    errors: Vec<SettingError>,
}

impl Check {
    fn wrong(&mut self, key: &str, value: impl fmt::Display, allowed: &str) {
        self.errors.push(SettingError::new(
            format!("{}.{key}", self.prefix),
            value,
            allowed,
        ));
    }

    fn range(&mut self, key: &str, value: u64, least: u64, most: u64) {
        if !(least..=most).contains(&value) {
            self.wrong(key, value, &format!("{least} to {most}"));
        }
    }

    fn fraction(&mut self, key: &str, value: f32) {
        if !(0.0..=1.0).contains(&value) {
            self.wrong(key, value, "0 to 1");
        }
    }

    fn rate(&mut self, rate: &Rate) {
        if !(0.001..=1_000.0).contains(&rate.per_second) {
            self.wrong("rate.per_second", rate.per_second, "0.001 to 1000");
        }
        if !(1..=1_000).contains(&rate.burst) {
            self.wrong("rate.burst", rate.burst, "1 to 1000");
        }
    }

    fn ladder(&mut self, key: &str, steps: &[u64]) {
        if steps.len() > MOST_RUNGS || steps.iter().any(|step| *step > DAY_MS) {
            self.wrong(
                key,
                format!("{steps:?}"),
                "at most 16 waits of 0 to 86400000 milliseconds",
            );
        }
    }

    fn id(&mut self, id: &str) {
        let allowed = |byte: u8| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_'
        };
        if !(1..=64).contains(&id.len()) || !id.bytes().all(allowed) {
            self.wrong("id", format!("`{id}`"), "1 to 64 of a-z, 0-9, - and _");
        }
    }

    fn deliver_url(&mut self, kind: &str, url: Option<&str>) {
        match (kind, url) {
            ("generic", Some(url)) if url.starts_with("http://") || url.starts_with("https://") => {
            }
            ("generic", Some(url)) => self.wrong(
                "deliver_url",
                format!("`{url}`"),
                "an http:// or https:// address",
            ),
            ("generic", None) => {
                self.wrong("deliver_url", "not set", "an http:// or https:// address");
            }
            ("webchat", None) => {}
            ("webchat", Some(url)) => self.wrong(
                "deliver_url",
                format!("`{url}`"),
                "nothing, for kind webchat",
            ),
            (kind, _) => self.wrong("kind", format!("`{kind}`"), "webchat, generic"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_allowed() {
        assert_eq!(ChannelSettings::new("shop", "webchat").validate(), Ok(()));
    }

    #[test]
    fn a_wrong_value_names_key_value_and_what_is_allowed() {
        let mut settings = ChannelSettings::new("shop", "webchat");
        settings.operational_delay_ms = 700_000;
        let text = settings.validate().unwrap_err()[0].to_string();
        assert_eq!(
            text,
            "`channels.shop.operational_delay_ms` is 700000, allowed: 0 to 600000"
        );
    }

    #[test]
    fn a_rate_that_no_chat_could_have_is_refused() {
        let mut settings = ChannelSettings::new("shop", "webchat");
        for (per_second, burst, key) in [
            (0.0, 1, "channels.shop.rate.per_second"),
            (f64::NAN, 1, "channels.shop.rate.per_second"),
            (1.0, 0, "channels.shop.rate.burst"),
        ] {
            settings.rate = Some(Rate { per_second, burst });
            assert_eq!(settings.validate().unwrap_err()[0].key, key);
        }
        settings.rate = Some(Rate {
            per_second: 0.333,
            burst: 20,
        });
        assert_eq!(settings.validate(), Ok(()));
    }

    #[test]
    fn a_generic_channel_without_an_address_is_refused() {
        let errors = ChannelSettings::new("shop", "generic")
            .validate()
            .unwrap_err();
        assert_eq!(errors[0].key, "channels.shop.deliver_url");
    }

    #[test]
    fn a_table_or_a_name_chooses_an_agent() {
        let json = r#"{"id":"a","kind":"webchat","agent":"echo","evaluator":{"kind":"marker","latency_ms":3}}"#;
        let settings: ChannelSettings = serde_json::from_str(json).unwrap();
        assert_eq!(settings.agent, Choice::named("echo"));
        assert_eq!(settings.evaluator.options["latency_ms"], 3);
    }
}
