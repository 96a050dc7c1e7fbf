//! From a choice in the settings to an agent or evaluator. The one place that knows the names of the kinds.

use std::sync::Arc;

use futures::future::BoxFuture;
use replygate_ports::agent::Agent;
use replygate_ports::calendar::Calendar;
use replygate_ports::clock::Clock;
use replygate_ports::evaluator::Evaluator;
use replygate_ports::mailbox::Mailbox;
use replygate_ports::settings::{Choice, SettingError, Strategy};
use replygate_ports::tools::{Tool, ToolHost};

use crate::agent::{self, Adk, Demo, Echo, HttpAgent, LangGraph, ModelAgent};
use crate::endpoint::{self, Endpoint};
use crate::evaluator::{HttpEvaluator, Hybrid, Marker, ModelEvaluator, RulesEvaluator};
use crate::latency::{self, Latency};
use crate::mcp::Servers;
use crate::model::{self, Anthropic, Defaults, Model, OpenAi};
use crate::options::Options;
use crate::tool::{self, CalendarDeed, CalendarTool, HttpTool, MailDeed, MailTool, McpTool};

/// Reads the secret that a reference names, `env:NAME` or `file:PATH`; `None` when there is none.
pub type SecretSource = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// Runs what is left to do when nobody waits any more: a run that was given up is cancelled where it runs. Each errand
/// ends by itself within a few seconds.
pub type Errands = Arc<dyn Fn(BoxFuture<'static, ()>) + Send + Sync>;

/// What agents and evaluators are built from besides their options; shared by all of them.
#[derive(Clone)]
pub struct AgentDeps {
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// For the kinds that ask an address; must not follow redirects, see [`http_client`](crate::http_client).
    pub client: reqwest::Client,
    /// Where keys and tokens come from.
    pub secret: SecretSource,
    /// Who cancels what was given up.
    pub errands: Errands,
    /// The MCP servers on which tools may be.
    pub mcp: Servers,
}

/// Builds the agent that `choice` names. `key` is where the choice stands, such as `channels.shop.agent`; errors
/// name it.
///
/// | kind | asks |
/// |---|---|
/// | `demo`, `echo` | nobody |
/// | `http` | an address, in this project's words |
/// | `openai`, `anthropic` | a language model |
/// | `langgraph`, `adk` | an agent on a server of its kind |
///
/// Their options are described in `docs/agents.md`. `strategy` is the channel's: a server that keeps the conversation is
/// told the same.
pub fn build_agent(
    choice: &Choice,
    strategy: Strategy,
    deps: &AgentDeps,
    key: &str,
) -> Result<Arc<dyn Agent>, SettingError> {
    Ok(match choice.kind.as_str() {
        "demo" => Arc::new(Demo::new(latency(choice, key)?, Arc::clone(&deps.clock))),
        "echo" => Arc::new(Echo::new(latency(choice, key)?, Arc::clone(&deps.clock))),
        "http" => Arc::new(HttpAgent::new(endpoint(choice, deps, key, 30_000)?)),
        kind @ ("openai" | "anthropic") => {
            let known = [model_options(kind).as_slice(), agent::MODEL].concat();
            let options = Options::read(choice, key, &known)?;
            let model = model(kind, &options, deps, Defaults::AGENT)?;
            Arc::new(ModelAgent::read(&options, model)?)
        }
        "langgraph" => {
            let options = Options::read(choice, key, agent::LANGGRAPH)?;
            Arc::new(LangGraph::read(&options, deps, strategy)?)
        }
        "adk" => {
            let options = Options::read(choice, key, agent::ADK)?;
            Arc::new(Adk::read(&options, deps)?)
        }
        other => {
            return Err(SettingError::new(
                format!("{key}.kind"),
                format!("`{other}`"),
                "demo, echo, http, openai, anthropic, langgraph, adk",
            ));
        }
    })
}

/// What tool hosts are built from besides their options; shared by all of them.
#[derive(Clone)]
pub struct ToolDeps {
    /// For the kinds `http` and `mcp`.
    pub agents: AgentDeps,
    /// The built-in calendar.
    pub calendar: Arc<dyn Calendar>,
    /// The built-in mailbox.
    pub mailbox: Arc<dyn Mailbox>,
}

/// What a tool's settings name.
enum Host {
    Calendar(CalendarDeed),
    Mail(MailDeed),
    Http(HttpTool),
    Mcp(McpTool),
}

/// Whether what the tool's settings name can be built.
pub fn check_tool(tool: &Tool, deps: &AgentDeps) -> Result<(), SettingError> {
    host(tool, deps).map(drop)
}

/// Builds what runs a tool.
///
/// | kind | options |
/// |---|---|
/// | `calendar.create_event`, `calendar.list_events`, `calendar.cancel_event` | none |
/// | `email.send`, `email.list` | none |
/// | `http` | `url`, `method` (POST), `body`, `token_env`, `refused_statuses` |
/// | `mcp` | `server`, `tool` (its own name) |
pub fn build_tool(tool: &Tool, deps: &ToolDeps) -> Result<Arc<dyn ToolHost>, SettingError> {
    Ok(match host(tool, &deps.agents)? {
        Host::Calendar(deed) => Arc::new(CalendarTool::new(deps.calendar.clone(), deed)),
        Host::Mail(deed) => Arc::new(MailTool::new(deps.mailbox.clone(), deed)),
        Host::Http(http) => Arc::new(http),
        Host::Mcp(mcp) => Arc::new(mcp),
    })
}

fn host(tool: &Tool, deps: &AgentDeps) -> Result<Host, SettingError> {
    let (choice, key) = (&tool.host, format!("tools.{}.host", tool.name));
    if choice.kind == "http" {
        let options = Options::read(choice, &key, tool::HTTP_OPTIONS)?;
        return HttpTool::read(&options, deps).map(Host::Http);
    }
    if choice.kind == "mcp" {
        let options = Options::read(choice, &key, tool::MCP_OPTIONS)?;
        return McpTool::read(tool, &options, deps).map(Host::Mcp);
    }
    let host = match choice.kind.as_str() {
        "calendar.create_event" => Host::Calendar(CalendarDeed::Create),
        "calendar.list_events" => Host::Calendar(CalendarDeed::List),
        "calendar.cancel_event" => Host::Calendar(CalendarDeed::Cancel),
        "email.send" => Host::Mail(MailDeed::Send),
        "email.list" => Host::Mail(MailDeed::List),
        other => {
            return Err(SettingError::new(
                format!("{key}.kind"),
                format!("`{other}`"),
                "calendar.create_event, calendar.list_events, calendar.cancel_event, email.send, email.list, http, mcp",
            ));
        }
    };
    Options::read(choice, &key, &[])?;
    Ok(host)
}

/// Builds the evaluator that `choice` names. `key` is where the choice stands, such as `channels.shop.evaluator`; errors
/// name it.
///
/// | kind | asks |
/// |---|---|
/// | `rules`, `marker` | nobody |
/// | `http` | an address, in this project's words |
/// | `openai`, `anthropic` | a language model |
/// | `hybrid` | the rules, and the language model of its option `model` about what they are not sure of |
///
/// Their options are described in `docs/agents.md`.
pub fn build_evaluator(
    choice: &Choice,
    deps: &AgentDeps,
    key: &str,
) -> Result<Arc<dyn Evaluator>, SettingError> {
    Ok(match choice.kind.as_str() {
        "rules" => {
            Options::read(choice, key, &[])?;
            Arc::new(RulesEvaluator)
        }
        "marker" => Arc::new(Marker::new(latency(choice, key)?, Arc::clone(&deps.clock))),
        "http" => Arc::new(HttpEvaluator::new(endpoint(choice, deps, key, 2_000)?)),
        "openai" | "anthropic" => Arc::new(model_evaluator(choice, deps, key)?),
        "hybrid" => {
            let options = Options::read(choice, key, &["model"])?;
            let inner = options.choice("model", "a table with kind openai or anthropic")?;
            let key = format!("{key}.model");
            if !matches!(inner.kind.as_str(), "openai" | "anthropic") {
                return Err(SettingError::new(
                    format!("{key}.kind"),
                    format!("`{}`", inner.kind),
                    "openai, anthropic",
                ));
            }
            Arc::new(Hybrid::new(model_evaluator(&inner, deps, &key)?))
        }
        other => {
            return Err(SettingError::new(
                format!("{key}.kind"),
                format!("`{other}`"),
                "rules, marker, http, openai, anthropic, hybrid",
            ));
        }
    })
}

fn model_evaluator(
    choice: &Choice,
    deps: &AgentDeps,
    key: &str,
) -> Result<ModelEvaluator, SettingError> {
    let known = model_options(&choice.kind);
    let options = Options::read(choice, key, &known)?;
    let model = model(&choice.kind, &options, deps, Defaults::EVALUATOR)?;
    Ok(ModelEvaluator::new(&choice.kind, model))
}

fn model_options(kind: &str) -> Vec<&'static str> {
    let own = match kind {
        "anthropic" => Anthropic::OPTIONS,
        _ => &[],
    };
    [model::OPTIONS, own].concat()
}

fn model(
    kind: &str,
    options: &Options<'_>,
    deps: &AgentDeps,
    defaults: Defaults,
) -> Result<Box<dyn Model>, SettingError> {
    Ok(match kind {
        "anthropic" => Box::new(Anthropic::read(options, deps, defaults)?),
        _ => Box::new(OpenAi::read(options, deps, defaults)?),
    })
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
