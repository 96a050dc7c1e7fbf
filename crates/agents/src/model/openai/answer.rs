//! What comes back from Chat Completions, whole or in deltas. Every field but the choices may be missing.

use std::collections::BTreeMap;

use replygate_ports::agent::Again;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::model::count::Count;
use crate::model::{Call, Said};
use crate::transport::Refused;
use crate::unanswered::Unanswered;

/// An answer, or a piece of one that is streamed.
#[derive(Deserialize)]
pub(super) struct Completion {
    #[serde(default)]
    pub(super) choices: Vec<Choice>,
    pub(super) usage: Option<Used>,
    pub(super) error: Option<Fault>,
}

#[derive(Deserialize)]
pub(super) struct Choice {
    #[serde(default, alias = "delta")]
    message: Option<Message>,
    finish_reason: Option<String>,
}

#[derive(Default, Deserialize)]
struct Message {
    content: Option<Content>,
    refusal: Option<String>,
    #[serde(default)]
    tool_calls: Option<Vec<ToolCall>>,
}

/// Words, or a list of pieces of which some are words.
#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Pieces(Vec<Piece>),
}

#[derive(Deserialize)]
struct Piece {
    text: Option<String>,
}

#[derive(Deserialize)]
struct ToolCall {
    index: Option<u64>,
    id: Option<String>,
    function: Option<Function>,
    /// What a look-alike adds, such as signatures; given back with the call.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Deserialize)]
struct Function {
    name: Option<String>,
    arguments: Option<Arguments>,
}

/// A text by the book; some look-alikes send the object itself.
#[derive(Deserialize)]
#[serde(untagged)]
enum Arguments {
    Text(String),
    Object(Value),
}

#[derive(Deserialize)]
pub(super) struct Used {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    prompt_tokens_details: Option<PromptDetails>,
}

#[derive(Deserialize)]
struct PromptDetails {
    cached_tokens: Option<u64>,
}

impl Used {
    pub(super) fn tell(&self, count: &mut Count<'_>) {
        let details = self.prompt_tokens_details.as_ref();
        let cached = details.and_then(|details| details.cached_tokens);
        if let Some(tokens) = self.prompt_tokens {
            count.input(tokens, cached.unwrap_or(0));
        }
        if let Some(tokens) = self.completion_tokens {
            count.output(tokens);
        }
    }
}

/// An error's kind, never its words.
#[derive(Deserialize)]
pub(super) struct Fault {
    code: Option<Value>,
    r#type: Option<Value>,
}

impl Fault {
    /// What the kind means whatever the status; `None` when the status says all.
    fn known(&self) -> Option<Unanswered> {
        let words = [&self.code, &self.r#type];
        let words: Vec<&str> = words
            .into_iter()
            .filter_map(|word| word.as_ref()?.as_str())
            .collect();
        let has = |known: &[&str]| words.iter().any(|word| known.contains(word));
        if has(&["insufficient_quota", "billing_hard_limit_reached"]) {
            return Some(Unanswered::Quota);
        }
        if has(&["context_length_exceeded"]) {
            return Some(Unanswered::ContextTooLong);
        }
        has(&["content_filter", "content_policy_violation"]).then_some(Unanswered::Withheld)
    }

    /// An error in the place of an answer, after the status had said that all is well.
    pub(super) fn as_broken(&self) -> Unanswered {
        self.known().unwrap_or_else(|| {
            let status = self.code.as_ref().and_then(Value::as_u64);
            let lasting = matches!(status, Some(400..=499)) && !matches!(status, Some(408 | 429));
            let invalid =
                self.r#type.as_ref().and_then(Value::as_str) == Some("invalid_request_error");
            Unanswered::Broken(if lasting || invalid {
                Again::No
            } else {
                Again::Yes
            })
        })
    }
}

/// Why the request was refused.
pub(super) fn refusal(refused: &Refused) -> Unanswered {
    #[derive(Deserialize)]
    struct Body {
        error: Fault,
    }
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Shapes {
        One(Body),
        /// Gemini's endpoint wraps its errors in a list.
        List(Vec<Body>),
    }
    let fault = match serde_json::from_slice(&refused.body) {
        Ok(Shapes::One(body)) => Some(body.error),
        Ok(Shapes::List(list)) => list.into_iter().next().map(|body| body.error),
        Err(_) => None,
    };
    fault
        .and_then(|fault| fault.known())
        .unwrap_or_else(|| Unanswered::refused(refused.status, refused.told.again))
}

/// An answer as it grows.
#[derive(Default)]
pub(super) struct Draft {
    text: String,
    refusal: String,
    calls: BTreeMap<u64, DraftCall>,
    finish: Option<String>,
}

#[derive(Default)]
struct DraftCall {
    id: String,
    name: String,
    arguments: String,
    rest: Map<String, Value>,
}

impl Draft {
    pub(super) fn whole(choice: Choice) -> Self {
        let mut draft = Self::default();
        draft.add(choice);
        draft
    }

    /// The words so far.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Adds a piece; returns how many bytes of text it had.
    pub(super) fn add(&mut self, choice: Choice) -> usize {
        let before = self.bytes();
        let message = choice.message.unwrap_or_default();
        match message.content {
            Some(Content::Text(text)) => self.text.push_str(&text),
            Some(Content::Pieces(pieces)) => {
                let texts = pieces.into_iter().filter_map(|piece| piece.text);
                self.text.extend(texts);
            }
            None => {}
        }
        self.refusal.extend(message.refusal);
        for call in message.tool_calls.into_iter().flatten() {
            self.add_call(call);
        }
        self.finish = choice.finish_reason.or(self.finish.take());
        self.bytes() - before
    }

    fn add_call(&mut self, call: ToolCall) {
        // Without an index, a call that has an id begins, and one without goes on.
        let last = self.calls.last_key_value().map(|(index, _)| *index);
        let begins = call.id.as_deref().is_some_and(|id| !id.is_empty());
        let index = call.index.unwrap_or(match last {
            Some(last) if begins => last + 1,
            Some(last) => last,
            None => 0,
        });
        let draft = self.calls.entry(index).or_default();
        if let Some(id) = call.id.filter(|id| !id.is_empty()) {
            draft.id = id;
        }
        draft.rest.extend(call.rest);
        let Some(function) = call.function else {
            return;
        };
        draft.name.extend(function.name);
        match function.arguments {
            Some(Arguments::Text(text)) => draft.arguments.push_str(&text),
            Some(Arguments::Object(object)) => draft.arguments.push_str(&object.to_string()),
            None => {}
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let calls = self.calls.values();
        let calls = calls.map(|call| call.name.len() + call.arguments.len());
        self.text.len() + self.refusal.len() + calls.sum::<usize>()
    }

    /// Whether it says why it ended.
    pub(super) fn is_ended(&self) -> bool {
        self.finish.is_some()
    }

    /// The answer, unless it ended before it was whole. A refusal in the model's own words is an answer.
    pub(super) fn finish(mut self) -> Result<Said, Unanswered> {
        match self.finish.as_deref() {
            Some("length") => return Err(Unanswered::Truncated),
            Some("content_filter") => return Err(Unanswered::Withheld),
            _ => {}
        }
        for (index, call) in &mut self.calls {
            if call.id.is_empty() {
                call.id = format!("call_{index}");
            }
        }
        let text = if self.text.is_empty() {
            self.refusal
        } else {
            self.text
        };
        let raw = (!self.calls.is_empty()).then(|| raw(&text, &self.calls));
        let calls = self.calls.into_values();
        let calls = calls.map(|call| Call::read(call.id, call.name, &call.arguments));
        Ok(Said {
            text,
            calls: calls.collect(),
            raw,
        })
    }
}

/// The message as the next request has to repeat it.
fn raw(text: &str, calls: &BTreeMap<u64, DraftCall>) -> Value {
    let calls: Vec<Value> = calls
        .values()
        .map(|call| {
            let mut raw = call.rest.clone();
            raw.insert("id".to_owned(), Value::from(call.id.as_str()));
            raw.insert("type".to_owned(), Value::from("function"));
            raw.insert(
                "function".to_owned(),
                json!({"name": call.name, "arguments": call.arguments}),
            );
            Value::Object(raw)
        })
        .collect();
    let content = if text.is_empty() {
        Value::Null
    } else {
        Value::from(text)
    };
    json!({"role": "assistant", "content": content, "tool_calls": calls})
}
