//! The guard in front of MCP servers: everything passes through unchanged but calls of tools with an effect, which happen
//! once per meaning. Must never send a call twice, and never lets a client's disconnect leave an outcome unknown that could
//! be learnt.

mod ear;
mod exchange;
mod flights;
mod policy;
mod whom;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use replygate_agents::mcp::{Hints, Server, Servers};
use replygate_engine::Toolbox;
use tokio_util::task::TaskTracker;

use crate::config::McpConfig;

pub(crate) use ear::{Ear, Listening};
pub(crate) use exchange::{Exchange, Relayed, RelayedBody};
pub(crate) use flights::Flights;
pub(crate) use policy::Policy;
pub(crate) use whom::{Whom, whom};

/// The servers behind the guard, by name.
#[derive(Default)]
pub struct Proxies(BTreeMap<String, Arc<Proxy>>);

impl Proxies {
    /// Those that the configuration names.
    pub(crate) fn new(configs: &[McpConfig], servers: &Servers) -> Self {
        let proxies = configs.iter().filter_map(|config| {
            let server = Arc::clone(servers.get(&config.name)?);
            let proxy = Proxy {
                config: config.clone(),
                server,
                flights: Flights::default(),
                calls: TaskTracker::new(),
                hints: Mutex::default(),
            };
            Some((config.name.clone(), Arc::new(proxy)))
        });
        Self(proxies.collect())
    }

    pub(crate) fn get(&self, name: &str) -> Option<Arc<Proxy>> {
        self.0.get(name).cloned()
    }

    /// Waits until every call that runs has ended.
    pub(crate) async fn finished(&self) {
        for proxy in self.0.values() {
            proxy.calls.close();
            proxy.calls.wait().await;
        }
    }
}

/// One server behind the guard.
pub(crate) struct Proxy {
    pub(crate) config: McpConfig,
    pub(crate) server: Arc<Server>,
    pub(crate) flights: Flights,
    /// Calls that run, whoever still waits for them.
    pub(crate) calls: TaskTracker,
    hints: Mutex<HashMap<String, Hints>>,
}

impl Proxy {
    /// Remembers what the server says of its tools; a page of a list says nothing of the others.
    pub(crate) fn learn(&self, hints: HashMap<String, Hints>) {
        let mut known = self.hints.lock().unwrap_or_else(PoisonError::into_inner);
        known.extend(hints);
    }

    /// What is done with calls of that tool, on that channel if they say one.
    pub(crate) fn policy(&self, toolbox: &Toolbox, tool: &str, channel: &str) -> Policy {
        let declared = policy::declared(toolbox, &self.config.name, tool);
        let known = self.hints.lock().unwrap_or_else(PoisonError::into_inner);
        let hints = known.get(tool).copied().unwrap_or_default();
        Policy::of(&self.config, declared, (tool, hints), channel)
    }
}
