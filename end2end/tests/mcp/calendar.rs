//! An MCP server with a calendar that counts.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rmcp::ErrorData;
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, JsonObject,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities,
    ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use tokio::sync::watch;

/// How the server answers.
#[derive(Clone, Copy, Debug)]
pub enum Manner {
    /// In sessions, by streams; without them to clients that know none.
    Sessions,
    /// Without sessions, by one document.
    Documents,
}

/// What it did, shared by all its sessions.
#[derive(Default)]
struct Deeds {
    booked: AtomicUsize,
    looked: AtomicUsize,
    refused: AtomicUsize,
    begun: watch::Sender<usize>,
}

/// A calendar that counts.
#[derive(Clone, Default)]
pub struct Calendar(Arc<Deeds>);

impl Calendar {
    /// Serves it on a free port; its address.
    pub async fn open(&self, manner: Manner) -> String {
        let config = match manner {
            Manner::Sessions => StreamableHttpServerConfig::default(),
            Manner::Documents => StreamableHttpServerConfig::default()
                .with_legacy_session_mode(false)
                .with_json_response(true),
        };
        let own = self.clone();
        let service: StreamableHttpService<Self, LocalSessionManager> =
            StreamableHttpService::new(move || Ok(own.clone()), Arc::default(), config);
        let router = axum::Router::new().route_service("/mcp", service);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await });
        format!("http://{address}/mcp")
    }

    /// How many events were made.
    pub fn booked(&self) -> usize {
        self.0.booked.load(Ordering::SeqCst)
    }

    /// How often somebody looked.
    pub fn looked(&self) -> usize {
        self.0.looked.load(Ordering::SeqCst)
    }

    /// Waits until so many calls have begun.
    pub async fn begun(&self, many: usize) {
        let mut begun = self.0.begun.subscribe();
        begun.wait_for(|count| *count >= many).await.unwrap();
    }

    async fn create(
        &self,
        title: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match title {
            "Closed" if self.0.refused.fetch_add(1, Ordering::SeqCst) == 0 => {
                let words = vec![ContentBlock::text("closed on that day")];
                return Ok(CallToolResult::error(words).into());
            }
            "Slow" => self.progress(context).await,
            _ => {}
        }
        let event = self.0.booked.fetch_add(1, Ordering::SeqCst) + 1;
        self.0.begun.send_modify(|begun| *begun += 1);
        if title == "Silent" {
            std::future::pending::<()>().await;
        }
        Ok(CallToolResult::structured(json!({ "event": event })).into())
    }

    async fn progress(&self, context: &RequestContext<RoleServer>) {
        let token = context.meta.get_progress_token().unwrap();
        for step in 1..=3_u32 {
            let progress = ProgressNotificationParam::new(token.clone(), f64::from(step));
            let progress = progress.with_total(3.0).with_message("looking for a room");
            context.peer.notify_progress(progress).await.unwrap();
        }
    }
}

fn schema(schema: Value) -> Arc<JsonObject> {
    let Value::Object(schema) = schema else {
        panic!("an object");
    };
    Arc::new(schema)
}

impl ServerHandler for Calendar {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let event = json!({
            "type": "object",
            "properties": { "title": { "type": "string" }, "start": { "type": "string" } },
            "required": ["title", "start"],
        });
        let create = Tool::new(
            "create_event",
            "Puts an event into the calendar",
            schema(event),
        );
        let look = Tool::new(
            "look",
            "Lists the events",
            schema(json!({ "type": "object" })),
        );
        let look = look.with_annotations(ToolAnnotations::new().read_only(true));
        Ok(ListToolsResult::with_all_items(vec![create, look]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        match &*request.name {
            "look" => {
                self.0.looked.fetch_add(1, Ordering::SeqCst);
                let events = json!({ "events": self.booked() });
                Ok(CallToolResult::structured(events).into())
            }
            "create_event" => {
                let title = arguments.get("title").and_then(Value::as_str);
                let title = title.ok_or_else(|| ErrorData::invalid_params("no title", None))?;
                self.create(title, &context).await
            }
            _ => Err(ErrorData::invalid_params("no such tool", None)),
        }
    }
}
