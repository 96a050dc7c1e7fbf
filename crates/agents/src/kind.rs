//! From a choice in the settings to an agent or evaluator. The one place that knows the names of the kinds.

use std::sync::Arc;

use replygate_ports::agent::Agent;
use replygate_ports::clock::Clock;
use replygate_ports::evaluator::Evaluator;
use replygate_ports::settings::{Choice, SettingError};

use crate::agent::{Demo, Echo, HttpAgent};
use crate::endpoint::{self, Endpoint};
use crate::evaluator::{HttpEvaluator, Marker, RulesEvaluator};
use crate::latency::{self, Latency};
use crate::options::Options;

/// Reads the secret that stands under a name, such as an environment variable; `None` when there is none.
pub type SecretSource = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// What agents and evaluators are built from besides their options; shared by all of them.
#[derive(Clone)]
pub struct AgentDeps {
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// For the `http` kinds; must not follow redirects, see [`http_client`](crate::http_client).
    pub client: reqwest::Client,
    /// Where the `http` kinds' tokens come from.
    pub secret: SecretSource,
}

/// Builds the agent that `choice` names. `key` is where the choice stands, such as `channels.shop.agent`; errors
/// name it.
///
/// | kind | options |
/// |---|---|
/// | `demo`, `echo` | `latency_ms`, or `latency_p50_ms`, `latency_p99_ms` and `seed` |
/// | `http` | `url`, `timeout_ms` (30,000), `token_env` |
pub fn build_agent(
    choice: &Choice,
    deps: &AgentDeps,
    key: &str,
) -> Result<Arc<dyn Agent>, SettingError> {
    match choice.kind.as_str() {
        "demo" => Ok(Arc::new(Demo::new(
            latency(choice, key)?,
            Arc::clone(&deps.clock),
        ))),
        "echo" => Ok(Arc::new(Echo::new(
            latency(choice, key)?,
            Arc::clone(&deps.clock),
        ))),
        "http" => Ok(Arc::new(HttpAgent::new(endpoint(
            choice, deps, key, 30_000,
        )?))),
        other => Err(SettingError::new(
            format!("{key}.kind"),
            format!("`{other}`"),
            "demo, echo, http",
        )),
    }
}

/// Builds the evaluator that `choice` names. `key` is where the choice stands, such as `channels.shop.evaluator`; errors
/// name it.
///
/// | kind | options |
/// |---|---|
/// | `rules` | none |
/// | `marker` | `latency_ms`, or `latency_p50_ms`, `latency_p99_ms` and `seed` |
/// | `http` | `url`, `timeout_ms` (2,000), `token_env` |
pub fn build_evaluator(
    choice: &Choice,
    deps: &AgentDeps,
    key: &str,
) -> Result<Arc<dyn Evaluator>, SettingError> {
    match choice.kind.as_str() {
        "rules" => {
            Options::read(choice, key, &[])?;
            Ok(Arc::new(RulesEvaluator))
        }
        "marker" => Ok(Arc::new(Marker::new(
            latency(choice, key)?,
            Arc::clone(&deps.clock),
        ))),
        "http" => Ok(Arc::new(HttpEvaluator::new(endpoint(
            choice, deps, key, 2_000,
        )?))),
        other => Err(SettingError::new(
            format!("{key}.kind"),
            format!("`{other}`"),
            "rules, marker, http",
        )),
    }
}

fn latency(choice: &Choice, key: &str) -> Result<Latency, SettingError> {
    Latency::read(&Options::read(choice, key, latency::OPTIONS)?)
}

fn endpoint(
    choice: &Choice,
    deps: &AgentDeps,
    key: &str,
    timeout_ms: u64,
) -> Result<Endpoint, SettingError> {
    Endpoint::read(
        &Options::read(choice, key, endpoint::OPTIONS)?,
        deps,
        timeout_ms,
    )
}
