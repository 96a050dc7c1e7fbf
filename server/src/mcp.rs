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

use replygate_mcp::{Hints, Upstream};
use tokio_util::task::TaskTracker;

use crate::config::McpConfig;

pub(crate) use ear::{Ear, Listening};
pub(crate) use exchange::{Exchange, Relayed, RelayedBody};
pub(crate) use flights::{Flight, Flights};
pub(crate) use policy::{Guarded, Policy};
pub(crate) use whom::{NoContact, whom};

/// The servers behind the guard, by name.
#[derive(Default)]
pub(crate) struct Proxies(BTreeMap<String, Arc<Proxy>>);

impl Proxies {
    /// Those that the configuration names.
    ///
    /// # Errors
    /// When the system's TLS roots or resolver settings cannot be read.
    pub(crate) fn new(configs: &[McpConfig]) -> Result<Self, reqwest::Error> {
        let made = configs.iter().map(|config| {
            let proxy = Proxy::new(config.clone())?;
            Ok((config.name.clone(), Arc::new(proxy)))
        });
        made.collect::<Result<_, _>>().map(Self)
    }

    pub(crate) fn get(&self, name: &str) -> Option<Arc<Proxy>> {
        self.0.get(name).cloned()
    }

    /// Waits until every call that runs has ended; none begins any more.
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
    pub(crate) upstream: Upstream,
    pub(crate) flights: Flights,
    /// Calls that run, whoever still waits for them.
    pub(crate) calls: TaskTracker,
    hints: Mutex<HashMap<String, Hints>>,
}

impl Proxy {
    fn new(config: McpConfig) -> Result<Self, reqwest::Error> {
        Ok(Self {
            upstream: Upstream::new(config.url.clone(), config.headers.clone())?,
            config,
            flights: Flights::default(),
            calls: TaskTracker::new(),
            hints: Mutex::default(),
        })
    }

    /// Remembers what the server says of its tools; a page of a list says nothing of the others.
    pub(crate) fn learn(&self, hints: HashMap<String, Hints>) {
        let mut known = self.hints.lock().unwrap_or_else(PoisonError::into_inner);
        known.extend(hints);
    }

    /// What is done with calls of that tool.
    pub(crate) fn policy(&self, tool: &str) -> Policy {
        let known = self.hints.lock().unwrap_or_else(PoisonError::into_inner);
        let hints = known.get(tool).copied().unwrap_or_default();
        Policy::of(&self.config, tool, hints)
    }
}
