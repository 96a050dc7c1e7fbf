//! The MCP servers that the configuration names, by name.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use replygate_ports::clock::Clock;
use replygate_ports::tools::Tool;

use super::caller::Caller;
use super::{ToolErrors, Upstream};

/// The kind of host whose tools are on such a server.
pub(crate) const KIND: &str = "mcp";

/// One server.
pub struct Server {
    /// The way to it.
    pub upstream: Upstream,
    /// What its tools' own errors say.
    pub errors: ToolErrors,
    pub(crate) caller: Caller,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("upstream", &self.upstream)
            .field("errors", &self.errors)
            .finish_non_exhaustive()
    }
}

impl Server {
    /// The server at the end of that way.
    #[must_use]
    pub fn new(upstream: Upstream, errors: ToolErrors, clock: Arc<dyn Clock>) -> Self {
        Self {
            caller: Caller::new(upstream.clone(), errors, clock),
            upstream,
            errors,
        }
    }
}

/// Servers by name. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Servers(Arc<BTreeMap<String, Arc<Server>>>);

impl Servers {
    /// These.
    pub fn new(all: impl IntoIterator<Item = (String, Server)>) -> Self {
        let shared = all
            .into_iter()
            .map(|(name, server)| (name, Arc::new(server)));
        Self(Arc::new(shared.collect()))
    }

    /// The server of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<Server>> {
        self.0.get(name)
    }

    /// Every name, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

/// On which server a declared tool is, and what it is called there: `server` and `tool` of its host, whose own name is the
/// tool's unless set. `None` for a tool that is on no such server.
#[must_use]
pub fn place_of(tool: &Tool) -> Option<(&str, &str)> {
    let text = |name: &str| tool.host.options.get(name)?.as_str();
    if tool.host.kind != KIND {
        return None;
    }
    Some((text("server")?, text("tool").unwrap_or(&tool.name)))
}
