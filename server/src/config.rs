//! What the operator of an installation sets: a TOML file, overridden by environment variables. Everything wrong is
//! told at once, by key, value and what is allowed. Must never print a secret, and is the only room that reads the
//! environment.

mod channel;
mod cluster;
mod document;
mod environment;
pub mod keys;
mod mcp;
mod problem;
mod read;
mod role;
pub(crate) mod secret;
mod tool;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use replygate_agents::built_in_tools;
use replygate_channels::generic::Secret;
use replygate_ports::settings::ChannelSettings;
use replygate_ports::tools::Tool;

pub use cluster::ClusterSection;
pub use environment::Environment;
pub use mcp::{McpConfig, Trust, Undeclared};
pub use problem::{Problem, Problems};
pub use role::Role;

/// The file that is read when none is named and it is there.
pub const USUAL_FILE: &str = "replygate.toml";

/// What is read where there is no file: one webchat channel that the demo agent answers, a newcomer's first minute.
const NEWCOMER: &str = "[[channels]]\nid = \"demo\"\nkind = \"webchat\"\n";

/// An installation's configuration.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it listens and where its data lies.
    pub server: ServerConfig,
    /// The services, for an installation of many processes; `None` for one on a data directory.
    pub cluster: Option<ClusterSection>,
    /// What is kept for how long.
    pub retention: Retention,
    /// The channels that the file describes.
    pub channels: Vec<ChannelConfig>,
    /// The tools that the file describes.
    pub tools: Vec<Tool>,
    /// The MCP servers that the file names.
    pub mcp: Vec<McpConfig>,
    /// Where secrets are that the configuration only names.
    pub environment: Environment,
}

/// `[server]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerConfig {
    /// Address and port; `127.0.0.1:8420` unless set.
    pub listen: SocketAddr,
    /// The folder with the database; `data` unless set.
    pub data_dir: PathBuf,
    /// The address that browsers use, when a proxy stands in front.
    pub public_url: Option<String>,
    /// What this process does; everything unless set.
    pub role: Role,
}

/// `[retention]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Texts are emptied after so many days; 90 unless set.
    pub texts_days: u32,
}

/// One of `[[channels]]`.
#[derive(Clone, Debug)]
pub struct ChannelConfig {
    /// What is stored and versioned.
    pub settings: ChannelSettings,
    /// What is not: the secrets that sign, newest first, at most two.
    pub secrets: Vec<Secret>,
}

impl Default for Config {
    /// One webchat channel `demo` that the demo agent answers, with a calendar and a mailbox: a newcomer's first minute.
    fn default() -> Self {
        Self {
            server: ServerConfig::default(),
            cluster: None,
            retention: Retention::default(),
            channels: vec![ChannelConfig {
                settings: ChannelSettings::new("demo", "webchat"),
                secrets: Vec::new(),
            }],
            tools: built_in_tools(),
            mcp: Vec::new(),
            environment: Environment::default(),
        }
    }
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8_420)),
            data_dir: PathBuf::from("data"),
            public_url: None,
            role: Role::All,
        }
    }
}

impl Default for Retention {
    fn default() -> Self {
        Self { texts_days: 90 }
    }
}

impl Config {
    /// Reads the named file, or [`USUAL_FILE`] where it is there, or neither; then the environment.
    ///
    /// # Errors
    /// Everything that is wrong, at once.
    pub fn load(file: Option<&Path>, environment: &Environment) -> Result<Self, Problems> {
        let usual = Path::new(USUAL_FILE);
        let Some(file) = file.or_else(|| usual.exists().then_some(usual)) else {
            return Self::read(None, NEWCOMER, environment);
        };
        let text = std::fs::read_to_string(file)
            .map_err(|error| Problems::one(Problem::unreadable(file, &error)))?;
        Self::read(Some(file), &text, environment)
    }

    /// Reads `text`, then the environment. `file` is what problems call it, where it has a name.
    ///
    /// # Errors
    /// Everything that is wrong, at once.
    pub fn read(
        file: Option<&Path>,
        text: &str,
        environment: &Environment,
    ) -> Result<Self, Problems> {
        read::read(file, text, environment)
    }

    /// What is stored and versioned of the channels.
    #[must_use]
    pub fn channel_settings(&self) -> Vec<ChannelSettings> {
        let channels = self.channels.iter();
        channels.map(|channel| channel.settings.clone()).collect()
    }

    /// The waits of every channel's ladders.
    pub(crate) fn rungs(&self) -> impl Iterator<Item = Duration> {
        let settings = self.channels.iter().map(|channel| &channel.settings);
        settings
            .flat_map(ChannelSettings::rungs)
            .map(Duration::from_millis)
    }

    /// The channel with that id, where the file describes it.
    #[must_use]
    pub fn channel(&self, id: &str) -> Option<&ChannelConfig> {
        self.channels
            .iter()
            .find(|channel| channel.settings.id == id)
    }
}
