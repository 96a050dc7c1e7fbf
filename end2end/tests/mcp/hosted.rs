//! An agent that runs here calls a tool on an MCP server.

use anyhow::{Context as _, Result};
use replygate_end2end::{Instance, PATIENCE};
use serde_json::{Value, json};

use crate::calendar::{Calendar, Manner};
use crate::model;

/// A visitor of the webchat.
struct Visitor<'a> {
    instance: &'a Instance,
    client: reqwest::Client,
    cookie: String,
}

impl<'a> Visitor<'a> {
    async fn arrives(instance: &'a Instance) -> Result<Self> {
        let client = reqwest::Client::new();
        let page = client.get(instance.page("/chat/demo")).send().await?;
        let cookie = page.headers()["set-cookie"].to_str()?;
        let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        Ok(Self {
            instance,
            client,
            cookie,
        })
    }

    /// Writes, and waits until there are so many answers; the last.
    async fn says(&self, text: &str, answers: usize) -> Result<String> {
        let url = self.instance.page("/chat/demo/messages");
        let said = self.client.post(url).header("cookie", &self.cookie);
        let said = said.json(&json!({ "id": text, "text": text }));
        said.send().await?.error_for_status()?;
        let all = async {
            loop {
                let own = self.answers().await?;
                if own.len() >= answers {
                    return anyhow::Ok(own);
                }
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
        };
        let own = tokio::time::timeout(PATIENCE, all).await??;
        own.last().cloned().context("an answer")
    }

    async fn answers(&self) -> Result<Vec<String>> {
        let url = self.instance.page("/chat/demo/history");
        let history = self.client.get(url).header("cookie", &self.cookie);
        let history: Value = history.send().await?.json().await?;
        let lines = history["lines"].as_array().context("lines")?.iter();
        let own = lines.filter_map(|line| line["text"].as_str());
        let own = own.filter(|text| text.starts_with("told: "));
        Ok(own.map(str::to_owned).collect())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_books_by_a_server_and_a_second_wish_books_nothing() -> Result<()> {
    for manner in [Manner::Sessions, Manner::Documents] {
        let calendar = Calendar::default();
        let event = json!({ "title": "Yoga", "start": "2030-01-08T15:00:00-03:00" });
        let instance = Instance::start_with(&format!(
            r#"
            [[channels]]
            id = "demo"
            kind = "webchat"
            agent = {{ kind = "openai", model = "m", base_url = "{}" }}
            operational_delay_ms = 0
            debounce = {{ enabled = false }}

            [[mcp]]
            name = "cal"
            url = "{}"

            [[tools]]
            name = "calendar.create_event"
            effect = "write"
            host = {{ kind = "mcp", server = "cal", tool = "create_event" }}
            "#,
            model::open("calendar_create_event", &event).await,
            calendar.open(manner).await,
        ))
        .await?;
        let visitor = Visitor::arrives(&instance).await?;
        let first = visitor.says("Book my yoga", 1).await?;
        assert!(
            first.contains(r#""structuredContent":{"event":1}"#),
            "{first}"
        );
        let second = visitor.says("Put it into my calendar", 2).await?;
        assert!(second.contains(r#""replayed":true"#), "{second}");
        assert!(second.contains(r#"{"event":1}"#), "{second}");
        assert_eq!(calendar.booked(), 1, "{manner:?}");
    }
    Ok(())
}
