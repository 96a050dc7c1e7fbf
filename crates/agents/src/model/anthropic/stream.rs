//! An answer as it streams in: blocks begin, grow and end. What is not known is passed over.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::answer::{Fault, Message, Used};
use crate::model::count::Count;
use crate::unanswered::Unanswered;

/// An event of the stream.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Event {
    MessageStart {
        message: Start,
    },
    ContentBlockStart {
        index: usize,
        content_block: Map<String, Value>,
    },
    ContentBlockDelta {
        index: usize,
        delta: Delta,
    },
    ContentBlockStop {
        index: usize,
    },
    MessageDelta {
        delta: End,
        #[serde(default)]
        usage: Used,
    },
    MessageStop,
    Error {
        error: Fault,
    },
    #[serde(other)]
    Other,
}

impl Event {
    /// The words that it adds to the answer.
    pub(super) fn words(&self) -> Option<&str> {
        match self {
            Self::ContentBlockDelta {
                delta: Delta::Text { text },
                ..
            } => Some(text),
            _ => None,
        }
    }
}

#[derive(Deserialize)]
pub(super) struct Start {
    #[serde(default)]
    usage: Used,
}

#[derive(Deserialize)]
pub(super) struct End {
    stop_reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(tag = "type")]
pub(super) enum Delta {
    #[serde(rename = "text_delta")]
    Text { text: String },
    #[serde(rename = "input_json_delta")]
    Json { partial_json: String },
    #[serde(rename = "thinking_delta")]
    Thinking { thinking: String },
    #[serde(rename = "signature_delta")]
    Signature { signature: String },
    #[serde(other)]
    Other,
}

/// An answer as it grows.
#[derive(Default)]
pub(super) struct Draft {
    message: Message,
    used: Used,
    /// The arguments of the call that streams in, as text.
    arguments: String,
}

impl Draft {
    /// Adds an event; returns the answer when it is whole.
    pub(super) fn add(
        &mut self,
        event: Event,
        count: &mut Count<'_>,
    ) -> Result<Option<Message>, Unanswered> {
        match event {
            Event::MessageStart { message } => {
                // The output that is told here is no more than a beginning.
                self.used = message.usage;
                self.used.tell_input(count);
            }
            Event::ContentBlockStart {
                index,
                content_block,
            } => {
                if index != self.message.content.len() {
                    return Err(Unanswered::Unreadable);
                }
                self.message.content.push(content_block);
                self.arguments.clear();
            }
            Event::ContentBlockDelta { index, delta } => self.grow(index, delta, count)?,
            Event::ContentBlockStop { index } => self.end_block(index)?,
            Event::MessageDelta { delta, usage } => {
                self.message.stop_reason = delta.stop_reason.or(self.message.stop_reason.take());
                self.used = usage.over(self.used);
                self.used.tell(count);
            }
            Event::MessageStop => return Ok(Some(std::mem::take(&mut self.message))),
            Event::Error { error } => return Err(error.as_broken()),
            Event::Other => {}
        }
        Ok(None)
    }

    fn grow(
        &mut self,
        index: usize,
        delta: Delta,
        count: &mut Count<'_>,
    ) -> Result<(), Unanswered> {
        let block = self.message.content.get_mut(index);
        let block = block.ok_or(Unanswered::Unreadable)?;
        let (field, piece) = match delta {
            Delta::Text { text } => ("text", text),
            Delta::Thinking { thinking } => ("thinking", thinking),
            Delta::Signature { signature } => ("signature", signature),
            Delta::Json { partial_json } => {
                count.wrote(partial_json.len());
                self.arguments.push_str(&partial_json);
                return Ok(());
            }
            Delta::Other => return Ok(()),
        };
        count.wrote(piece.len());
        match block.get_mut(field) {
            Some(Value::String(text)) => text.push_str(&piece),
            _ => {
                block.insert(field.to_owned(), Value::from(piece));
            }
        }
        Ok(())
    }

    fn end_block(&mut self, index: usize) -> Result<(), Unanswered> {
        let arguments = std::mem::take(&mut self.arguments);
        let block = self.message.content.get_mut(index);
        let block = block.ok_or(Unanswered::Unreadable)?;
        if block.get("type").and_then(Value::as_str) != Some("tool_use") {
            return Ok(());
        }
        // No arguments at all leave what the block began with: an empty object.
        if arguments.is_empty() {
            return Ok(());
        }
        let input: Option<Map<String, Value>> = serde_json::from_str(&arguments).ok();
        if input.is_none() {
            let id = block.get("id").and_then(Value::as_str);
            self.message.broken.extend(id.map(str::to_owned));
        }
        // The interface takes nothing but an object back.
        let input = input.unwrap_or_default();
        block.insert("input".to_owned(), Value::Object(input));
        Ok(())
    }
}
