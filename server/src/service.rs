//! What the server's rooms share: the engine, the stores behind their ports, and who listens.

use std::collections::HashMap;
use std::sync::Arc;

use replygate_channels::generic::Secret;
use replygate_channels::webchat::Hub;
use replygate_engine::{Engine, Peers};
use replygate_ports::accounts::Accounts;
use replygate_ports::activity::ActivityLog;
use replygate_ports::calendar::Calendar;
use replygate_ports::clock::{Clock, Entropy};
use replygate_ports::feed::Feed;
use replygate_ports::figures::Figures;
use replygate_ports::ledger::Ledger;
use replygate_ports::mailbox::Mailbox;
use replygate_ports::operations::Operations;
use replygate_ports::saved::SavedViews;
use replygate_ports::settings::SettingsStore;
use replygate_ports::store::Store;
use replygate_ports::tickets::Tickets;
use replygate_ports::tools::Tool;
use replygate_ports::upkeep::Upkeep;
use replygate_ports::views::Views;
use tokio_util::sync::CancellationToken;

use crate::mcp::Proxies;
use crate::server::{Duty, Work};
use crate::wiring::Backing;

/// Every port of an installation.
#[derive(Clone)]
pub struct Stores {
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Chance.
    pub entropy: Arc<dyn Entropy>,
    /// Sessions, events and texts.
    pub store: Arc<dyn Store>,
    /// What the console reads.
    pub views: Arc<dyn Views>,
    /// What is counted of it.
    pub figures: Arc<dyn Figures>,
    /// People, tokens and sign-ins.
    pub accounts: Arc<dyn Accounts>,
    /// Channel settings.
    pub settings: Arc<dyn SettingsStore>,
    /// Deeds on many replies.
    pub operations: Arc<dyn Operations>,
    /// The log of what people did.
    pub activity: Arc<dyn ActivityLog>,
    /// Saved views of lists.
    pub saved: Arc<dyn SavedViews>,
    /// Tools' settings.
    pub tools: Arc<dyn SettingsStore<Tool>>,
    /// Tool calls with an effect.
    pub ledger: Arc<dyn Ledger>,
    /// The built-in calendar.
    pub calendar: Arc<dyn Calendar>,
    /// The built-in mailbox.
    pub mailbox: Arc<dyn Mailbox>,
    /// Retention and erasure.
    pub upkeep: Arc<dyn Upkeep>,
    /// News.
    pub feed: Arc<dyn Feed>,
    /// Reminders that a reply is due.
    pub tickets: Arc<dyn Tickets>,
}

/// The channels' signing secrets, by channel. Must never be printed or stored.
#[derive(Clone, Default)]
pub struct Secrets(Arc<HashMap<String, Vec<Secret>>>);

impl Secrets {
    /// These.
    pub fn new(all: impl IntoIterator<Item = (String, Vec<Secret>)>) -> Self {
        Self(Arc::new(all.into_iter().collect()))
    }

    /// The channel's secrets, newest first.
    #[must_use]
    pub fn of(&self, channel: &str) -> &[Secret] {
        self.0.get(channel).map_or(&[], Vec::as_slice)
    }
}

/// A running installation, as every request sees it.
pub struct Service {
    /// The pipeline.
    pub engine: Engine,
    /// The ports behind it.
    pub stores: Stores,
    /// What processes tell each other; `None` for a process that is alone.
    pub peers: Option<Peers>,
    /// The services behind the ports.
    pub backing: Backing,
    /// Open webchat pages.
    pub hub: Hub,
    /// Signing secrets.
    pub secrets: Secrets,
    /// MCP servers behind the guard.
    pub mcp: Proxies,
    /// Whether browsers come by TLS.
    pub transport: replygate_channels::webchat::Transport,
    /// The host in `public_url`, which browsers name in `Origin`.
    pub public_host: Option<String>,
    /// The server is shutting down.
    pub stop: CancellationToken,
    /// Whether the people and messages are invented, which every page says.
    pub is_demo: bool,
}

impl Service {
    /// Work that one process does for all.
    pub(crate) fn duty(&self, work: Work) -> Duty {
        Duty::new(work, self.peers.as_ref(), &*self.stores.entropy)
    }
}
