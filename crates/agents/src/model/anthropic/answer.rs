//! What comes back from Messages.

use replygate_ports::agent::Again;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::model::count::Count;
use crate::model::{Call, NoObject, Said};
use crate::transport::Refused;
use crate::unanswered::Unanswered;

/// A whole answer.
#[derive(Default, Deserialize)]
pub(super) struct Message {
    #[serde(default)]
    pub(super) content: Vec<Map<String, Value>>,
    pub(super) stop_reason: Option<String>,
    #[serde(default)]
    pub(super) usage: Used,
    /// Calls whose arguments are no JSON object, by their ids.
    #[serde(skip)]
    pub(super) broken: Vec<String>,
}

/// Tokens as they are told: once at the beginning, and cumulatively at the end.
#[derive(Clone, Copy, Default, Deserialize)]
pub(super) struct Used {
    #[serde(rename = "input_tokens")]
    fresh: Option<u64>,
    #[serde(rename = "cache_creation_input_tokens")]
    made: Option<u64>,
    #[serde(rename = "cache_read_input_tokens")]
    kept: Option<u64>,
    #[serde(rename = "output_tokens")]
    output: Option<u64>,
}

impl Used {
    /// What is told now, and what was told before where nothing is.
    pub(super) fn over(self, earlier: Self) -> Self {
        Self {
            fresh: self.fresh.or(earlier.fresh),
            made: self.made.or(earlier.made),
            kept: self.kept.or(earlier.kept),
            output: self.output.or(earlier.output),
        }
    }

    pub(super) fn tell(self, count: &mut Count<'_>) {
        self.tell_input(count);
        if let Some(tokens) = self.output {
            count.output(tokens);
        }
    }

    /// The input is its three parts together.
    pub(super) fn tell_input(self, count: &mut Count<'_>) {
        if let Some(fresh) = self.fresh {
            let kept = self.kept.unwrap_or(0);
            count.input(fresh + self.made.unwrap_or(0) + kept, kept);
        }
    }
}

impl Message {
    /// The answer, unless it ended before it was whole.
    pub(super) fn said(self) -> Result<Said, Unanswered> {
        match self.stop_reason.as_deref() {
            Some("max_tokens") => return Err(Unanswered::Truncated),
            Some("refusal") => return Err(Unanswered::Withheld),
            Some("model_context_window_exceeded") => return Err(Unanswered::ContextTooLong),
            _ => {}
        }
        let word = |block: &Map<String, Value>, name: &str| {
            block.get(name).and_then(Value::as_str).map(str::to_owned)
        };
        let is = |block: &Map<String, Value>, kind: &str| {
            block.get("type").and_then(Value::as_str) == Some(kind)
        };
        let texts = self.content.iter().filter(|block| is(block, "text"));
        let text = texts.filter_map(|block| word(block, "text")).collect();
        let mut calls = Vec::new();
        for block in self.content.iter().filter(|block| is(block, "tool_use")) {
            let id = word(block, "id").ok_or(Unanswered::Unreadable)?;
            let arguments = match block.get("input") {
                _ if self.broken.contains(&id) => Err(NoObject),
                Some(Value::Object(input)) => Ok(input.clone()),
                _ => Err(NoObject),
            };
            calls.push(Call {
                tool: word(block, "name").ok_or(Unanswered::Unreadable)?,
                id,
                arguments,
            });
        }
        let raw = (!calls.is_empty()).then(|| raw(self.content));
        Ok(Said { text, calls, raw })
    }
}

/// The blocks as the next request has to repeat them, without empty texts.
fn raw(content: Vec<Map<String, Value>>) -> Value {
    let is_empty =
        |block: &Map<String, Value>| block.get("text").and_then(Value::as_str) == Some("");
    let blocks = content.into_iter().filter(|block| !is_empty(block));
    blocks.map(Value::Object).collect()
}

/// An error's kind, never its words.
#[derive(Deserialize)]
pub(super) struct Fault {
    r#type: Option<String>,
}

impl Fault {
    /// An error in the place of an answer, after the status had said that all is well.
    pub(super) fn as_broken(&self) -> Unanswered {
        match self.r#type.as_deref() {
            Some("billing_error") => Unanswered::Quota,
            Some(
                "invalid_request_error"
                | "authentication_error"
                | "permission_error"
                | "not_found_error"
                | "request_too_large",
            ) => Unanswered::Broken(Again::No),
            _ => Unanswered::Broken(Again::Yes),
        }
    }
}

/// Why the request was refused.
pub(super) fn refusal(refused: &Refused) -> Unanswered {
    #[derive(Deserialize)]
    struct Body {
        error: Fault,
    }
    let body: Option<Body> = serde_json::from_slice(&refused.body).ok();
    let kind = body.and_then(|body| body.error.r#type);
    if refused.status == 402 || kind.as_deref() == Some("billing_error") {
        return Unanswered::Quota;
    }
    Unanswered::refused(refused.status, refused.told.again)
}
