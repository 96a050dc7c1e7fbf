//! Messages: requests as its reference has them, and answers in its words.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Act, Seen, Stand};

/// A stand that takes Messages only.
pub async fn start(acts: impl IntoIterator<Item = Act>) -> Stand {
    Stand::start(check, acts).await
}

/// An answer in words, with 30 tokens read, 20 of them kept, and 7 written.
#[must_use]
pub fn words(text: &str) -> Act {
    whole(&json!([{"type": "text", "text": text}]), "end_turn")
}

/// An answer of these blocks, ended for this reason.
#[must_use]
pub fn whole(content: &Value, stop: &str) -> Act {
    Act::json(
        200,
        &json!({
            "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content,
            "stop_reason": stop, "stop_sequence": null,
            "usage": {"input_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 20, "output_tokens": 7},
        }),
    )
}

/// A call of a tool, as a block.
#[must_use]
pub fn call(id: &str, name: &str, input: &Value) -> Value {
    json!({"type": "tool_use", "id": id, "name": name, "input": input})
}

/// The same as [`words`], piece by piece.
#[must_use]
pub fn streamed(pieces: &[&str]) -> Act {
    let deltas = pieces
        .iter()
        .map(|piece| json!({"type": "text_delta", "text": piece}));
    blocks_streamed(
        &[(json!({"type": "text", "text": ""}), deltas.collect())],
        "end_turn",
    )
}

/// A stream of blocks, each as it begins and as it grows.
#[must_use]
pub fn blocks_streamed(blocks: &[(Value, Vec<Value>)], stop: &str) -> Act {
    let mut events = vec![
        event(&json!({"type": "message_start", "message": {
            "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": null,
            "stop_sequence": null,
            "usage": {"input_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 20, "output_tokens": 1},
        }})),
        event(&json!({"type": "ping"})),
    ];
    for (index, (begin, deltas)) in blocks.iter().enumerate() {
        events.push(event(
            &json!({"type": "content_block_start", "index": index, "content_block": begin}),
        ));
        events.extend(deltas.iter().map(|delta| {
            event(&json!({"type": "content_block_delta", "index": index, "delta": delta}))
        }));
        events.push(event(
            &json!({"type": "content_block_stop", "index": index}),
        ));
    }
    let delta = json!({"stop_reason": stop, "stop_sequence": null});
    events.push(event(
        &json!({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 7}}),
    ));
    events.push(event(&json!({"type": "message_stop"})));
    Act::stream(events)
}

/// One event, under its type's name.
#[must_use]
pub fn event(data: &Value) -> String {
    let name = data["type"].as_str().unwrap_or_default();
    format!("event: {name}\ndata: {data}\n\n")
}

/// A refusal of this kind.
#[must_use]
pub fn error(status: u16, kind: &str) -> Act {
    Act::json(
        status,
        &json!({"type": "error", "error": {"type": kind, "message": "words that nobody may log"}, "request_id": "r"}),
    )
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "what is not read is checked to be allowed")]
struct Request {
    model: String,
    max_tokens: u64,
    system: Option<System>,
    messages: Vec<Message>,
    #[serde(default)]
    tools: Vec<Tool>,
    tool_choice: Option<Value>,
    output_config: Option<Output>,
    temperature: Option<f64>,
    #[serde(default)]
    stream: bool,
}

#[derive(Deserialize)]
#[serde(untagged)]
#[expect(dead_code, reason = "what is not read is checked to be allowed")]
enum System {
    Text(String),
    Blocks(Vec<SystemBlock>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "what is not read is checked to be allowed")]
struct SystemBlock {
    r#type: String,
    text: String,
    cache_control: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Message {
    role: String,
    content: Content,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Blocks(Vec<Block>),
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[expect(dead_code, reason = "what is not read is checked to be allowed")]
enum Block {
    Text {
        text: String,
    },
    Thinking {
        thinking: String,
        signature: String,
    },
    ToolUse {
        id: String,
        name: String,
        input: serde_json::Map<String, Value>,
    },
    ToolResult {
        tool_use_id: String,
        content: String,
        is_error: bool,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "what is not read is checked to be allowed")]
struct Tool {
    name: String,
    description: Option<String>,
    input_schema: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Output {
    format: Format,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "what is not read is checked to be allowed")]
struct Format {
    r#type: String,
    schema: Value,
}

fn check(seen: &Seen) -> Result<(), String> {
    if (seen.method.as_str(), seen.uri.path()) != ("POST", "/v1/messages") {
        return Err(format!("there is no {} {}", seen.method, seen.uri));
    }
    if seen.header("anthropic-version") != "2023-06-01" {
        return Err("anthropic-version is missing".to_owned());
    }
    let request: Request =
        serde_json::from_value(seen.body.clone()).map_err(|error| error.to_string())?;
    if let Some(tool) = request
        .tools
        .iter()
        .find(|tool| !super::is_tool_name(&tool.name))
    {
        return Err(format!("no tool name: `{}`", tool.name));
    }
    if let Some(output) = &request.output_config
        && output.format.r#type != "json_schema"
    {
        return Err(format!("no format: `{}`", output.format.r#type));
    }
    check_order(&request.messages)
}

/// The user begins, sides take turns, nothing is empty, and the line after a call answers each call once.
fn check_order(messages: &[Message]) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut last = "assistant";
    for message in messages {
        let role = message.role.as_str();
        if !matches!((last, role), ("assistant", "user") | ("user", "assistant")) {
            return Err(format!("{role} after {last}"));
        }
        last = role;
        let blocks = match &message.content {
            Content::Text(text) if text.is_empty() => return Err("an empty text".to_owned()),
            Content::Text(_) => &[],
            Content::Blocks(blocks) if blocks.is_empty() => return Err("no blocks".to_owned()),
            Content::Blocks(blocks) => blocks.as_slice(),
        };
        let before = std::mem::take(&mut open);
        let mut answered: Vec<&str> = Vec::new();
        for block in blocks {
            match block {
                Block::Text { text } if text.is_empty() => {
                    return Err("text content blocks must be non-empty".to_owned());
                }
                Block::ToolUse { id, .. } => open.push(id),
                Block::ToolResult { tool_use_id, .. } => answered.push(tool_use_id),
                Block::Text { .. } | Block::Thinking { .. } => {}
            }
        }
        if before != answered {
            return Err(format!("calls {before:?} are answered by {answered:?}"));
        }
    }
    match (last, open.is_empty()) {
        ("user", true) => Ok(()),
        _ => Err("the last line is the user's".to_owned()),
    }
}
