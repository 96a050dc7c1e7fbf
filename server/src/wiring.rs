//! The only place that names adapters: which database, channels, agents, evaluators and tools stand behind the ports.

mod backing;
mod foundation;

use std::sync::Arc;

use replygate_agents::mcp::{self, Servers, Upstream};
use replygate_agents::{AgentDeps, ToolDeps, build_agent, build_evaluator, build_tool, check_tool};
use replygate_channels::ChannelDeps;
use replygate_channels::webchat::Pages;
use replygate_cluster::{Cluster, Postgres};
use replygate_embedded::{Database, DelayQueue, LocalFeed, OsEntropy, SystemClock};
use replygate_engine::{Wired, Wiring};
use replygate_ports::clock::Clock;
use replygate_ports::settings::{ChannelSettings, SettingError};
use replygate_ports::tools::{Tool, ToolHost};

use crate::config::{Config, McpConfig, secret};
use crate::service::{Secrets, Stores};

pub use backing::Backing;
pub use foundation::Foundation;

impl Stores {
    /// The ports on one SQLite file and in-process queues.
    #[must_use]
    pub fn embedded(database: &Database) -> Self {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
        Self {
            tickets: Arc::new(DelayQueue::new(clock.clone())),
            clock,
            entropy: Arc::new(OsEntropy),
            store: Arc::new(database.clone()),
            views: Arc::new(database.clone()),
            figures: Arc::new(database.clone()),
            accounts: Arc::new(database.clone()),
            settings: Arc::new(database.clone()),
            operations: Arc::new(database.clone()),
            activity: Arc::new(database.clone()),
            saved: Arc::new(database.clone()),
            upkeep: Arc::new(database.clone()),
            tools: Arc::new(database.clone()),
            ledger: Arc::new(database.clone()),
            calendar: Arc::new(database.clone()),
            mailbox: Arc::new(database.clone()),
            feed: Arc::new(LocalFeed::new()),
        }
    }

    /// The ports on PostgreSQL, Redis and RabbitMQ.
    #[must_use]
    pub fn cluster(cluster: &Cluster, clock: Arc<dyn Clock>) -> Self {
        let postgres: &Postgres = &cluster.postgres;
        Self {
            clock,
            entropy: Arc::new(OsEntropy),
            store: Arc::new(postgres.clone()),
            views: Arc::new(postgres.clone()),
            accounts: Arc::new(postgres.clone()),
            settings: Arc::new(postgres.clone()),
            operations: Arc::new(postgres.clone()),
            activity: Arc::new(postgres.clone()),
            saved: Arc::new(postgres.clone()),
            upkeep: Arc::new(postgres.clone()),
            tools: Arc::new(postgres.clone()),
            ledger: Arc::new(postgres.clone()),
            calendar: Arc::new(postgres.clone()),
            mailbox: Arc::new(postgres.clone()),
            figures: Arc::new(postgres.clone()),
            feed: cluster.redis.feed(),
            tickets: Arc::new(cluster.rabbit.clone()),
        }
    }
}

/// How settings become channels, agents and evaluators here.
pub(crate) struct Adapters {
    channels: ChannelDeps,
    agents: AgentDeps,
    secrets: Secrets,
}

impl Adapters {
    /// Adapters with the secrets of this configuration.
    ///
    /// # Errors
    /// When the system's TLS roots or resolver settings cannot be read.
    pub(crate) fn new(
        config: &Config,
        clock: &Arc<dyn Clock>,
        pages: Pages,
    ) -> Result<Self, reqwest::Error> {
        let environment = config.environment.clone();
        Ok(Self {
            channels: ChannelDeps {
                clock: clock.clone(),
                client: replygate_channels::http_client()?,
                pages,
            },
            agents: AgentDeps {
                clock: clock.clone(),
                client: replygate_agents::http_client()?,
                secret: Arc::new(move |reference| secret::referred(reference, &environment)),
                errands: Arc::new(|errand| drop(tokio::spawn(errand))),
                mcp: mcp_servers(config, clock)?,
            },
            secrets: secrets(config),
        })
    }

    /// The MCP servers on which tools may be.
    pub(crate) const fn mcp(&self) -> &Servers {
        &self.agents.mcp
    }

    /// Everything in the configured channels that cannot be wired.
    pub(crate) fn problems(&self, config: &Config) -> Vec<SettingError> {
        let wire = |settings| self.wire(settings).err().unwrap_or_default();
        let channels = config
            .channels
            .iter()
            .flat_map(|channel| wire(&channel.settings));
        let tools = config
            .tools
            .iter()
            .filter_map(|tool| check_tool(tool, &self.agents).err());
        channels.chain(tools).collect()
    }

    /// The same, with what the built-in tools work on.
    pub(crate) fn with_stores(self, stores: &Stores) -> House {
        let tools = ToolDeps {
            agents: self.agents.clone(),
            calendar: stores.calendar.clone(),
            mailbox: stores.mailbox.clone(),
        };
        House {
            adapters: self,
            tools,
        }
    }

    fn wire(&self, settings: &ChannelSettings) -> Result<Wired, Vec<SettingError>> {
        let key = |name: &str| format!("channels.{}.{name}", settings.id);
        let secrets = self.secrets.of(&settings.id);
        let channel = replygate_channels::build(settings, secrets, &self.channels);
        let agent = build_agent(
            &settings.agent,
            settings.strategy,
            &self.agents,
            &key("agent"),
        );
        let evaluator = build_evaluator(&settings.evaluator, &self.agents, &key("evaluator"));
        match (channel, agent, evaluator) {
            (Ok(channel), Ok(agent), Ok(evaluator)) => Ok(Wired {
                channel,
                agent,
                evaluator,
            }),
            (channel, agent, evaluator) => {
                let errors = [channel.err(), agent.err(), evaluator.err()];
                Err(errors.into_iter().flatten().collect())
            }
        }
    }
}

/// Everything that a running installation wires.
pub(crate) struct House {
    adapters: Adapters,
    tools: ToolDeps,
}

/// The MCP servers of this configuration.
fn mcp_servers(config: &Config, clock: &Arc<dyn Clock>) -> Result<Servers, reqwest::Error> {
    let client = mcp::http_client()?;
    let of = |one: &McpConfig| {
        let upstream = Upstream::new(client.clone(), one.url.clone(), one.headers.clone());
        let server = mcp::Server::new(upstream, one.tool_errors, clock.clone());
        (one.name.clone(), server)
    };
    Ok(Servers::new(config.mcp.iter().map(of)))
}

/// The signing secrets of this configuration.
pub(crate) fn secrets(config: &Config) -> Secrets {
    let of = |channel: &crate::config::ChannelConfig| {
        (channel.settings.id.clone(), channel.secrets.clone())
    };
    Secrets::new(config.channels.iter().map(of))
}

impl Wiring for House {
    fn wire(&self, settings: &ChannelSettings) -> Result<Wired, Vec<SettingError>> {
        self.adapters.wire(settings)
    }

    fn host(&self, tool: &Tool) -> Result<Arc<dyn ToolHost>, Vec<SettingError>> {
        build_tool(tool, &self.tools).map_err(|error| vec![error])
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use replygate_channels::webchat::Hub;

    use super::*;
    use crate::config::Environment;

    /// The TOML in a page.
    fn snippets(page: &str) -> Vec<&str> {
        let behind = page.split("```toml\n").skip(1);
        behind.filter_map(|text| text.split("```").next()).collect()
    }

    #[test]
    fn every_configuration_in_the_docs_can_be_read_and_wired() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["vllm_key", "calendar_key"] {
            std::fs::write(folder.path().join(name), "sk-test\n").unwrap();
        }
        let environment = Environment::of([
            ("OPENAI_API_KEY", "sk-test"),
            ("GEMINI_API_KEY", "sk-test"),
            ("ANTHROPIC_API_KEY", "sk-test"),
            ("LANGGRAPH_API_KEY", "sk-test"),
            ("AGENT_TOKEN", "t-test"),
            ("CALENDAR_TOKEN", "t-test"),
        ]);
        let pages = [
            include_str!("../../docs/agents.md"),
            include_str!("../../docs/tools.md"),
            include_str!("../../docs/actions.md"),
        ];
        let snippets: Vec<&str> = pages.into_iter().flat_map(snippets).collect();
        assert!(snippets.len() >= 12, "{}", snippets.len());
        for snippet in snippets {
            let text = snippet.replace("/run/secrets", &folder.path().display().to_string());
            let config = Config::read(Some(Path::new("docs")), &text, &environment).unwrap();
            let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
            let adapters = Adapters::new(&config, &clock, Pages::Here(Hub::new())).unwrap();
            assert_eq!(adapters.problems(&config), [], "{snippet}");
        }
    }
}
