//! Chat Completions: requests as its reference has them, and answers in its words.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Act, Seen, Stand};

/// A stand that takes Chat Completions only.
pub async fn start(acts: impl IntoIterator<Item = Act>) -> Stand {
    Stand::start(check, acts).await
}

/// An answer in words, with 30 tokens read, 20 of them kept, and 7 written.
#[must_use]
pub fn words(text: &str) -> Act {
    whole(
        &json!({"role": "assistant", "content": text, "refusal": null}),
        "stop",
    )
}

/// An answer with this message, ended for this reason.
#[must_use]
pub fn whole(message: &Value, finish: &str) -> Act {
    Act::json(
        200,
        &json!({
            "id": "chatcmpl-1", "object": "chat.completion", "created": 1_700_000_000, "model": "m",
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": usage(),
        }),
    )
}

/// The same as [`words`], piece by piece: a role, the pieces, the end, the usage, the mark.
#[must_use]
pub fn streamed(pieces: &[&str]) -> Act {
    let mut deltas = vec![(json!({"role": "assistant", "content": ""}), None)];
    deltas.extend(pieces.iter().map(|piece| (json!({"content": piece}), None)));
    deltas.push((json!({}), Some("stop")));
    deltas_streamed(&deltas)
}

/// A stream of these deltas, each with the reason for its end, then the usage and the mark.
#[must_use]
pub fn deltas_streamed(deltas: &[(Value, Option<&str>)]) -> Act {
    let chunk = |choices: Value, usage: Value| {
        let chunk = json!({
            "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_700_000_000, "model": "m",
            "choices": choices, "usage": usage,
        });
        format!("data: {chunk}\n\n")
    };
    let mut events: Vec<String> = deltas
        .iter()
        .map(|(delta, finish)| {
            let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
            chunk(json!([choice]), Value::Null)
        })
        .collect();
    events.push(chunk(json!([]), usage()));
    events.push("data: [DONE]\n\n".to_owned());
    Act::stream(events)
}

/// A message that calls tools: id, name and arguments of each.
#[must_use]
pub fn calls(calls: &[(&str, &str, &str)]) -> Value {
    let calls: Vec<Value> = calls
        .iter()
        .map(|(id, name, arguments)| {
            json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
        })
        .collect();
    json!({"role": "assistant", "content": null, "tool_calls": calls})
}

/// A refusal of this kind.
#[must_use]
pub fn error(status: u16, code: &str) -> Act {
    Act::json(
        status,
        &json!({"error": {"message": "words that nobody may log", "type": code, "param": null, "code": code}}),
    )
}

fn usage() -> Value {
    json!({
        "prompt_tokens": 30, "completion_tokens": 7, "total_tokens": 37,
        "prompt_tokens_details": {"cached_tokens": 20}, "completion_tokens_details": {"reasoning_tokens": 0},
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "what is not read is checked to be allowed")]
struct Request {
    model: String,
    messages: Vec<Message>,
    #[serde(default)]
    tools: Vec<Tool>,
    tool_choice: Option<Value>,
    parallel_tool_calls: Option<bool>,
    response_format: Option<Format>,
    max_completion_tokens: Option<u64>,
    max_tokens: Option<u64>,
    temperature: Option<f64>,
    seed: Option<i64>,
    reasoning_effort: Option<String>,
    #[serde(default)]
    stream: bool,
    stream_options: Option<StreamOptions>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "what is not read is checked to be allowed")]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Deserialize)]
#[serde(tag = "role", rename_all = "lowercase", deny_unknown_fields)]
enum Message {
    System {
        content: String,
    },
    User {
        content: String,
    },
    Assistant {
        content: Option<String>,
        #[serde(default)]
        tool_calls: Vec<ToolCall>,
    },
    Tool {
        tool_call_id: String,
        content: String,
    },
}

#[derive(Deserialize)]
struct ToolCall {
    id: String,
    r#type: String,
    function: Function,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "what is not read is checked to be allowed")]
struct Function {
    name: String,
    arguments: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tool {
    r#type: String,
    function: Declared,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "what is not read is checked to be allowed")]
struct Declared {
    name: String,
    description: Option<String>,
    parameters: Value,
    strict: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Format {
    r#type: String,
    json_schema: Named,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "what is not read is checked to be allowed")]
struct Named {
    name: String,
    strict: bool,
    schema: Value,
}

fn check(seen: &Seen) -> Result<(), String> {
    if (seen.method.as_str(), seen.uri.path()) != ("POST", "/v1/chat/completions") {
        return Err(format!("there is no {} {}", seen.method, seen.uri));
    }
    let request: Request =
        serde_json::from_value(seen.body.clone()).map_err(|error| error.to_string())?;
    if request.stream != request.stream_options.is_some() {
        return Err("stream_options belong to a stream".to_owned());
    }
    for tool in &request.tools {
        if tool.r#type != "function" || !super::is_tool_name(&tool.function.name) {
            return Err(format!("no tool: `{}`", tool.function.name));
        }
    }
    if let Some(format) = &request.response_format {
        if format.r#type != "json_schema" {
            return Err(format!("no format: `{}`", format.r#type));
        }
        check_schema(&format.json_schema.schema)?;
    }
    check_order(&request.messages)
}

/// A strict schema names every property as required and allows no others.
fn check_schema(schema: &Value) -> Result<(), String> {
    let empty = Map::new();
    let properties = schema["properties"].as_object().unwrap_or(&empty);
    let required = schema["required"].as_array().map_or(0, Vec::len);
    if schema["type"] == "object"
        && (schema["additionalProperties"] != false || required != properties.len())
    {
        return Err("a strict schema requires all properties and allows no others".to_owned());
    }
    properties.values().try_for_each(check_schema)
}

/// Every call is answered before anything else is said, by its id; sides take turns, as many chat templates want it.
fn check_order(messages: &[Message]) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut last = "system";
    for message in messages {
        let side = match message {
            Message::System { .. } => "system",
            Message::User { .. } => "user",
            Message::Assistant { .. } => "assistant",
            Message::Tool { .. } => "tool",
        };
        match message {
            Message::Tool { content, .. } if content.is_empty() => {
                return Err("an empty result".to_owned());
            }
            Message::Tool { tool_call_id, .. } => {
                let place = open.iter().position(|id| id == tool_call_id);
                let place = place.ok_or(format!("no open call `{tool_call_id}`"))?;
                open.remove(place);
            }
            _ if !open.is_empty() => return Err(format!("calls without results: {open:?}")),
            Message::System { content } if content.is_empty() => {
                return Err("an empty system message".to_owned());
            }
            Message::User { content } if content.is_empty() => {
                return Err("an empty message of the user".to_owned());
            }
            Message::Assistant {
                content,
                tool_calls,
            } => {
                if content.as_deref().unwrap_or_default().is_empty() && tool_calls.is_empty() {
                    return Err("an empty message of the assistant".to_owned());
                }
                let is_function = |call: &ToolCall| {
                    call.r#type == "function" && super::is_tool_name(&call.function.name)
                };
                if !tool_calls.iter().all(is_function) {
                    return Err("a call of no function".to_owned());
                }
                open.extend(tool_calls.iter().map(|call| call.id.as_str()));
            }
            _ => {}
        }
        let turns = match side {
            "system" => last == "system",
            "user" => matches!(last, "system" | "assistant"),
            "assistant" => matches!(last, "user" | "tool"),
            _ => matches!(last, "assistant" | "tool"),
        };
        if !turns {
            return Err(format!("{side} after {last}"));
        }
        last = side;
    }
    if open.is_empty() {
        Ok(())
    } else {
        Err(format!("calls without results: {open:?}"))
    }
}
