//! An agent elsewhere: a client that speaks to a server through the guard.

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::Result;
use replygate_end2end::{Instance, PATIENCE};
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ProgressNotificationParam, ProtocolVersion, Tool,
};
use rmcp::service::{NotificationContext, RoleClient, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt as _};
use serde_json::{Value, json};
use tokio::sync::watch;

/// The revision that a client speaks.
#[derive(Clone, Copy, Debug)]
pub enum Revision {
    /// The last one with sessions.
    Sessions,
    /// The one without.
    Stateless,
}

impl Revision {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Sessions, Self::Stateless];

    fn lifecycle(self) -> ClientLifecycleMode {
        match self {
            Self::Sessions => ClientLifecycleMode::Initialize,
            Self::Stateless => ClientLifecycleMode::Discover {
                preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            },
        }
    }
}

#[derive(Clone, Default)]
struct Ear(Arc<watch::Sender<Vec<f64>>>);

impl ClientHandler for Ear {
    async fn on_progress(
        &self,
        heard: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        self.0.send_modify(|all| all.push(heard.progress));
    }
}

/// A client for one contact.
pub struct Agent {
    ear: Ear,
    client: RunningService<RoleClient, Ear>,
}

impl Agent {
    /// Speaks to the server at this address, without a guard.
    pub async fn direct(address: &str, revision: Revision) -> Result<Self> {
        let config = StreamableHttpClientTransportConfig::with_uri(address);
        Self::start(config, revision).await
    }

    /// Speaks to the server `cal` behind the guard, for `contact`.
    pub async fn guarded(
        instance: &Instance,
        contact: &'static str,
        revision: Revision,
    ) -> Result<Self> {
        let token = instance.token("actions").await?;
        let headers = HashMap::from([(
            "x-replygate-contact".parse()?,
            http::HeaderValue::from_static(contact),
        )]);
        let config = StreamableHttpClientTransportConfig::with_uri(instance.page("/mcp/cal"))
            .auth_header(token)
            .custom_headers(headers);
        Self::start(config, revision).await
    }

    async fn start(
        config: StreamableHttpClientTransportConfig,
        revision: Revision,
    ) -> Result<Self> {
        let ear = Ear::default();
        let config = config.max_concurrent_requests(64);
        let transport = StreamableHttpClientTransport::from_config(config);
        let client = ear.clone();
        let client = client.serve_with_lifecycle(transport, revision.lifecycle());
        Ok(Self {
            client: client.await?,
            ear,
        })
    }

    /// Makes an event.
    pub async fn books(&self, title: &str) -> Result<CallToolResult> {
        let arguments = json!({ "title": title, "start": "2030-01-08T15:00:00-03:00" });
        self.calls("create_event", arguments).await
    }

    pub async fn calls(&self, tool: &str, arguments: Value) -> Result<CallToolResult> {
        let Value::Object(arguments) = arguments else {
            anyhow::bail!("the arguments are no object");
        };
        let call = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        Ok(self.client.call_tool(call).await?)
    }

    pub async fn tools(&self) -> Result<Vec<Tool>> {
        Ok(self.client.list_all_tools().await?)
    }

    /// Waits until it has heard so often of progress; what it heard, in order of size: it deals with each on its own.
    pub async fn progress(&self, many: usize) -> Result<Vec<f64>> {
        let mut heard = self.ear.0.subscribe();
        let all = heard.wait_for(|all| all.len() >= many);
        let mut all = tokio::time::timeout(PATIENCE, all).await??.clone();
        all.sort_by(f64::total_cmp);
        Ok(all)
    }
}

/// What a model reads in a result.
pub fn words(result: &CallToolResult) -> String {
    let texts = result.content.iter().filter_map(|one| one.as_text());
    let texts: Vec<&str> = texts.map(|one| one.text.as_str()).collect();
    texts.join("\n")
}
