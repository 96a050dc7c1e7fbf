//! The tools of a server as it lists them: which of their arguments it wants as headers. Must never keep a server that lists
//! nothing from being called.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::Caller;
use super::standing::{Standing, result_of};
use crate::mcp::mirrored::{Malformed, Mirrored};

/// So many pages of a list are read.
const PAGES: usize = 50;

/// A tool that wants nothing.
pub(super) static NOTHING: Mirrored = Mirrored::NOTHING;

/// What the tools of a server want repeated, by their names there.
#[derive(Debug, Default)]
pub(super) struct Listed(HashMap<String, Result<Mirrored, Malformed>>);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    tools: Vec<Value>,
    #[serde(default)]
    next_cursor: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tool {
    name: String,
    #[serde(default)]
    input_schema: Value,
}

impl Listed {
    /// What that tool wants; one that is not listed wants nothing.
    pub(super) fn mirrored(&self, tool: &str) -> Result<&Mirrored, Malformed> {
        match self.0.get(tool) {
            Some(Ok(mirrored)) => Ok(mirrored),
            Some(Err(malformed)) => Err(*malformed),
            None => Ok(&NOTHING),
        }
    }

    fn add(&mut self, tools: Vec<Value>) {
        let read = tools
            .into_iter()
            .filter_map(|tool| serde_json::from_value::<Tool>(tool).ok());
        let wanted = read.map(|tool| (tool.name, Mirrored::of(&tool.input_schema)));
        self.0.extend(wanted);
    }
}

impl Caller {
    /// Asks a server without sessions for its tools. One that refuses to list them is called without such headers.
    pub(super) async fn list(&self, standing: &Standing) -> Result<Listed, &'static str> {
        let (mut listed, mut params) = (Listed::default(), json!({}));
        for _ in 0..PAGES {
            let Some(page) = self.page(standing, &params).await? else {
                break;
            };
            listed.add(page.tools);
            let Some(cursor) = page.next_cursor else {
                break;
            };
            params = json!({ "cursor": cursor });
        }
        Ok(listed)
    }

    async fn page(
        &self,
        standing: &Standing,
        params: &Value,
    ) -> Result<Option<Page>, &'static str> {
        let id = Value::from("list");
        let headers = standing.headers("tools/list", None);
        let body = standing.request(&id, "tools/list", params);
        let response = self.post(headers, &body).await.map_err(|_| "connect")?;
        if !response.status().is_success() {
            return Ok(None);
        }
        let messages = super::reading::messages(response).await;
        let result = messages.iter().find_map(|message| result_of(&id, message));
        Ok(result.and_then(|result| serde_json::from_value(result).ok()))
    }
}
