//! A tool on an MCP server. Must never call what the guard did not let pass: it is only ever called from behind it.

use std::sync::Arc;

use async_trait::async_trait;
use replygate_ports::settings::SettingError;
use replygate_ports::tools::{Tool, ToolCall, ToolError, ToolHost};
use serde_json::Value;

use crate::kind::AgentDeps;
use crate::mcp::{Server, place_of};
use crate::options::Options;

/// The options of the `mcp` host.
pub(crate) const OPTIONS: &[&str] = &["server", "tool"];

/// Calls a tool of a server that the configuration names.
///
/// The result is the server's, without what is only for the protocol. A tool's own error is a failure or leaves the outcome
/// unknown, as the server's settings say; an error of the protocol that is found before anything runs is a failure; 5xx, a
/// stream that ends without an answer, a connection that breaks and no answer in time leave the outcome unknown.
pub(crate) struct McpTool {
    server: Arc<Server>,
    tool: String,
}

impl McpTool {
    pub(crate) fn read(
        tool: &Tool,
        options: &Options<'_>,
        deps: &AgentDeps,
    ) -> Result<Self, SettingError> {
        let known: Vec<&str> = deps.mcp.names().collect();
        let allowed = match known.as_slice() {
            [] => "a server under [[mcp]]; there is none".to_owned(),
            names => names.join(", "),
        };
        let wanted = options.text("server", &allowed)?;
        let server = wanted.and_then(|name| deps.mcp.get(name)).ok_or_else(|| {
            let value = wanted.map_or_else(|| "not set".to_owned(), |name| format!("`{name}`"));
            options.wrong("server", value, &allowed)
        })?;
        options.text("tool", "the tool's name on its server")?;
        let name = place_of(tool).map_or(tool.name.as_str(), |(_, name)| name);
        Ok(Self {
            server: Arc::clone(server),
            tool: name.to_owned(),
        })
    }
}

#[async_trait]
impl ToolHost for McpTool {
    async fn run(&self, call: &ToolCall) -> Result<Value, ToolError> {
        self.server.caller.call(&self.tool, call).await
    }
}
