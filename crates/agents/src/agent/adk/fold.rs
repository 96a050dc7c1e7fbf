//! A run's events, folded into what the agents of the app say. Chunks are followed by their whole, so only wholes count.

use std::collections::BTreeSet;

use replygate_gate::Usage;
use replygate_ports::agent::Again;
use serde::Deserialize;
use serde_json::Value;

use crate::unanswered::Unanswered;

/// What an event means.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A tool of this name is called.
    Tool(String),
    /// This was written further.
    Words(String),
    /// A model was asked.
    Used(Usage),
}

/// What was said so far.
#[derive(Default)]
pub(super) struct Fold {
    said: Vec<String>,
    /// Whether anything was told at all.
    begun: bool,
    /// Chunks whose whole has not come.
    open: bool,
    called: BTreeSet<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    #[serde(default)]
    author: String,
    #[serde(default)]
    partial: Option<bool>,
    content: Option<Content>,
    error: Option<Value>,
    error_code: Option<Value>,
    usage_metadata: Option<Used>,
    long_running_tool_ids: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Content {
    #[serde(default)]
    parts: Option<Vec<Part>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Part {
    text: Option<String>,
    #[serde(default)]
    thought: Option<bool>,
    function_call: Option<Call>,
    function_response: Option<Value>,
    code_execution_result: Option<Value>,
}

#[derive(Deserialize)]
struct Call {
    id: Option<String>,
    name: Option<String>,
}

#[derive(Deserialize)]
struct Used {
    #[serde(rename = "promptTokenCount")]
    prompt: Option<u64>,
    #[serde(rename = "cachedContentTokenCount")]
    cached: Option<u64>,
    #[serde(rename = "candidatesTokenCount")]
    candidates: Option<u64>,
    #[serde(rename = "thoughtsTokenCount")]
    thoughts: Option<u64>,
}

impl Event {
    /// What is said, without what is only thought.
    fn words(&self) -> Option<String> {
        let parts = self.content.as_ref()?.parts.as_deref().unwrap_or_default();
        let said = parts.iter().filter(|part| part.thought != Some(true));
        let text: String = said.filter_map(|part| part.text.as_deref()).collect();
        Some(text).filter(|text| !text.is_empty())
    }
}

impl Fold {
    /// Takes in an event.
    ///
    /// # Errors
    /// `Broken` when the run failed on the server.
    pub(super) fn add(&mut self, data: &str) -> Result<Vec<Piece>, Unanswered> {
        let event: Event = serde_json::from_str(data).map_err(|_| Unanswered::Unreadable)?;
        if event.error.is_some() {
            return Err(Unanswered::Broken(Again::Yes));
        }
        if let Some(code) = event.error_code.as_ref().filter(|code| !code.is_null()) {
            return Err(broken(code));
        }
        if event.author == "user" {
            return Ok(Vec::new());
        }
        if event.partial == Some(true) {
            self.open = true;
            return Ok(event.words().into_iter().map(Piece::Words).collect());
        }
        // Chunks told it before.
        let news = event.words().filter(|_| !self.open);
        self.open = false;
        self.begun = true;
        let mut pieces = self.whole(event);
        pieces.extend(news.map(Piece::Words));
        Ok(pieces)
    }

    fn whole(&mut self, event: Event) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = event.usage_metadata.iter().map(Used::piece).collect();
        let parts = event.content.and_then(|content| content.parts);
        let parts = parts.unwrap_or_default();
        for call in parts.iter().filter_map(|part| part.function_call.as_ref()) {
            let Some(name) = &call.name else { continue };
            let key = call.id.as_ref().unwrap_or(name);
            // Without an id, each event is a call of its own.
            if self.called.insert(key.clone()) || call.id.is_none() {
                pieces.push(Piece::Tool(name.clone()));
            }
        }
        let acts = |part: &Part| part.function_call.is_some() || part.function_response.is_some();
        let waits = event
            .long_running_tool_ids
            .is_some_and(|ids| !ids.is_empty());
        let ends_in_code = parts
            .last()
            .is_some_and(|part| part.code_execution_result.is_some());
        let is_final = waits || !(parts.iter().any(acts) || ends_in_code);
        if is_final {
            let words = parts.iter().filter(|part| part.thought != Some(true));
            let text: String = words.filter_map(|part| part.text.as_deref()).collect();
            self.said
                .extend(Some(text).filter(|text| !text.trim().is_empty()));
        }
        pieces
    }

    /// What was said: one part for each agent that spoke.
    ///
    /// # Errors
    /// `Cut` when nothing came, or chunks without their whole: an end has no mark of its own.
    pub(super) fn answer(self) -> Result<Vec<String>, Unanswered> {
        if self.open || !self.begun {
            return Err(Unanswered::Cut);
        }
        Ok(self.said)
    }
}

impl Used {
    fn piece(&self) -> Piece {
        let thoughts = self.thoughts.unwrap_or(0);
        Piece::Used(Usage {
            input: self.prompt.unwrap_or(0),
            cached: self.cached.unwrap_or(0),
            output: self.candidates.unwrap_or(0) + thoughts,
            estimated: false,
        })
    }
}

/// What an error inside an event means: a model's reason for its end, or a status.
fn broken(code: &Value) -> Unanswered {
    match code.as_str().unwrap_or_default() {
        "MAX_TOKENS" => Unanswered::Truncated,
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" => {
            Unanswered::Withheld
        }
        _ => Unanswered::Broken(Again::Yes),
    }
}
