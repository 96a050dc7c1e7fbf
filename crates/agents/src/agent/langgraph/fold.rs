//! A run's events, folded into what the agent says. What is not known is passed over.

use std::collections::BTreeSet;

use replygate_gate::Usage;
use replygate_ports::agent::Again;
use serde::Deserialize;
use serde_json::Value;

use crate::transport::SseEvent;
use crate::unanswered::Unanswered;

/// What an event means.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// The run has this id.
    Run(String),
    /// A tool of this name is called.
    Tool(String),
    /// This was written further.
    Words(String),
    /// A model was asked.
    Used(Usage),
    /// The run is over.
    End,
}

/// What was said so far.
#[derive(Default)]
pub(super) struct Fold {
    /// By the states: the last words of the model without a call.
    said: Option<String>,
    /// By the tokens: the messages as they grow, in order.
    growing: Vec<Growing>,
    /// Calls that were told of.
    called: BTreeSet<String>,
    /// Messages whose tokens were told of.
    counted: BTreeSet<String>,
    interrupted: bool,
}

struct Growing {
    key: String,
    text: String,
    calls: bool,
    usage: Usage,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    r#type: String,
    #[serde(default)]
    content: Value,
    #[serde(default)]
    tool_calls: Vec<ToolCall>,
    #[serde(default)]
    tool_call_chunks: Vec<ToolCall>,
    #[serde(default)]
    usage_metadata: Option<Used>,
}

#[derive(Deserialize)]
struct ToolCall {
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    name: Option<String>,
}

#[derive(Deserialize)]
struct Used {
    #[serde(default)]
    input_tokens: u64,
    #[serde(default)]
    output_tokens: u64,
    #[serde(default)]
    input_token_details: Details,
}

#[derive(Default, Deserialize)]
struct Details {
    #[serde(default)]
    cache_read: Option<u64>,
}

impl Fold {
    /// Takes in an event.
    ///
    /// # Errors
    /// `Broken` when the run failed on the server.
    pub(super) fn add(&mut self, event: &SseEvent) -> Result<Vec<Piece>, Unanswered> {
        // With subgraphs, `messages|…` and `updates|…` name where they are from.
        let name = event.name.split('|').next().unwrap_or_default();
        match name {
            "metadata" => Ok(run_of(&read(&event.data)?).into_iter().collect()),
            "messages" => {
                let data: Value = read(&event.data)?;
                Ok(self.token(&data))
            }
            "updates" => {
                let data: Value = read(&event.data)?;
                Ok(self.update(&data))
            }
            "error" => Err(Unanswered::Broken(Again::Yes)),
            "end" if self.interrupted => Err(Unanswered::Broken(Again::No)),
            "end" => Ok(self.end()),
            _ => Ok(Vec::new()),
        }
    }

    /// What the agent says; nothing when it says nothing.
    pub(super) fn answer(self) -> Option<String> {
        let growing = self.growing.into_iter().rev();
        let mut growing = growing.filter(|message| !message.calls && !message.text.is_empty());
        self.said
            .or_else(|| growing.next().map(|message| message.text))
            .filter(|text| !text.trim().is_empty())
    }

    /// A piece of a message, and where it is from.
    fn token(&mut self, data: &Value) -> Vec<Piece> {
        let Some(message) = data.get(0).and_then(as_message) else {
            return Vec::new();
        };
        if !is_model(&message) {
            return Vec::new();
        }
        let node = data[1]["langgraph_node"].as_str().unwrap_or_default();
        let key = message.id.clone().unwrap_or_else(|| node.to_owned());
        let text = words(&message.content);
        let usage = message
            .usage_metadata
            .as_ref()
            .map_or(Usage::default(), Used::usage);
        let calls = !message.tool_calls.is_empty() || !message.tool_call_chunks.is_empty();
        let mut pieces = self.calls(&message);
        pieces.extend(self.news(&key, &message.r#type, &text));
        match self.growing.iter_mut().rev().find(|known| known.key == key) {
            Some(known) if message.r#type == "ai" => known.text = text,
            Some(known) => {
                known.text.push_str(&text);
                known.calls |= calls;
                known.usage = known.usage.plus(usage);
            }
            None => self.growing.push(Growing {
                key,
                text,
                calls,
                usage,
            }),
        }
        pieces
    }

    /// What a piece of a message adds to what was written; a message that is told whole after its pieces adds nothing.
    fn news(&self, key: &str, kind: &str, text: &str) -> Option<Piece> {
        let is_known = self.growing.iter().any(|known| known.key == key);
        let gap = match (is_known, kind) {
            (true, "ai") => return None,
            (false, _) if !self.growing.is_empty() => "\n\n",
            _ => "",
        };
        (!text.is_empty()).then(|| Piece::Words(format!("{gap}{text}")))
    }

    /// What nodes made of the state: new messages stand under `messages`.
    fn update(&mut self, data: &Value) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let nodes = data.as_object().into_iter().flatten();
        for (node, change) in nodes {
            if node == "__interrupt__" {
                self.interrupted = true;
            }
            let messages = match &change["messages"] {
                Value::Array(messages) => messages.as_slice(),
                Value::Null => &[],
                one => std::slice::from_ref(one),
            };
            for message in messages.iter().filter_map(as_message).filter(is_model) {
                pieces.extend(self.calls(&message));
                pieces.extend(self.used(&message));
                if message.tool_calls.is_empty() {
                    let text = words(&message.content);
                    // Tokens told it before.
                    if self.growing.is_empty() && !text.is_empty() {
                        pieces.push(Piece::Words(text.clone()));
                    }
                    self.said = Some(text);
                }
            }
        }
        pieces
    }

    /// The calls of a message, each once however often it is told.
    fn calls(&mut self, message: &Message) -> Vec<Piece> {
        let calls = message.tool_calls.iter().chain(&message.tool_call_chunks);
        let named = calls.filter_map(|call| {
            let name = call.name.as_ref().filter(|name| !name.is_empty())?;
            let key = call.id.as_ref().unwrap_or(name);
            let is_new = self.called.insert(key.clone());
            is_new.then(|| Piece::Tool(name.clone()))
        });
        named.collect()
    }

    fn used(&mut self, message: &Message) -> Option<Piece> {
        let used = message.usage_metadata.as_ref()?;
        let key = message.id.clone().unwrap_or_default();
        (key.is_empty() || self.counted.insert(key)).then(|| Piece::Used(used.usage()))
    }

    /// The end, after what was used for messages that no state ever showed.
    fn end(&mut self) -> Vec<Piece> {
        let counted = &self.counted;
        let growing = self.growing.iter();
        let uncounted = growing
            .filter(|message| !message.usage.is_none() && !counted.contains(&message.key))
            .map(|message| Piece::Used(message.usage));
        uncounted.chain([Piece::End]).collect()
    }
}

impl Used {
    fn usage(&self) -> Usage {
        Usage {
            input: self.input_tokens,
            cached: self.input_token_details.cache_read.unwrap_or(0),
            output: self.output_tokens,
            estimated: false,
        }
    }
}

fn read<T: serde::de::DeserializeOwned>(data: &str) -> Result<T, Unanswered> {
    serde_json::from_str(data).map_err(|_| Unanswered::Unreadable)
}

fn run_of(data: &Value) -> Option<Piece> {
    Some(Piece::Run(data["run_id"].as_str()?.to_owned()))
}

fn as_message(value: &Value) -> Option<Message> {
    Message::deserialize(value).ok()
}

fn is_model(message: &Message) -> bool {
    matches!(
        message.r#type.as_str(),
        "ai" | "AIMessage" | "AIMessageChunk"
    )
}

/// Words, or the words among pieces.
fn words(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(pieces) => {
            let texts = pieces.iter().map(|piece| match piece {
                Value::String(text) => text.as_str(),
                piece => piece["text"].as_str().unwrap_or_default(),
            });
            texts.collect()
        }
        _ => String::new(),
    }
}
