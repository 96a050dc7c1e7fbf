//! Anthropic's Messages. Must never send an empty text, which the other side refuses.

mod answer;
mod stream;

use async_trait::async_trait;
use replygate_ports::settings::SettingError;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Map, Value, json};

use super::count::Count;
use super::setup::{Home, Setup};
use super::{Ask, Defaults, Heard, Line, Meter, Model, Said};
use crate::kind::AgentDeps;
use crate::options::Options;
use crate::transport::{Deadline, Incoming, Opened, Transport};
use crate::unanswered::Unanswered;
use answer::{Message, refusal};
use stream::{Draft, Event};

const HOME: Home = Home {
    base_url: "https://api.anthropic.com",
    key_prefix: "",
};

/// The version of the interface that the requests are written for.
const VERSION: &str = "2023-06-01";

/// The most tokens of an answer, where the options name no other number: the interface wants one.
const MAX_TOKENS: u64 = 2_048;

/// The fields that requests have already.
const TAKEN: &[&str] = &[
    "model",
    "messages",
    "system",
    "tools",
    "temperature",
    "max_tokens",
    "stream",
    "output_config",
];

/// A model behind `{base}/v1/messages`.
pub(crate) struct Anthropic {
    setup: Setup,
    cache: bool,
}

impl Anthropic {
    /// The options that no other provider's models have: `prompt_cache` lets the provider keep what never changes.
    pub(crate) const OPTIONS: &[&str] = &["prompt_cache"];

    pub(crate) fn read(
        options: &Options<'_>,
        deps: &AgentDeps,
        defaults: Defaults,
    ) -> Result<Self, SettingError> {
        Ok(Self {
            setup: Setup::read(options, deps, HOME, defaults, TAKEN)?,
            cache: options.switch("prompt_cache")?.unwrap_or(false),
        })
    }

    fn body(&self, ask: &Ask<'_>) -> Map<String, Value> {
        let setup = &self.setup;
        let mut body = setup.extra.clone();
        let mut put = |name: &str, value: Value| body.insert(name.to_owned(), value);
        put("model", Value::from(setup.model.as_str()));
        put(
            "max_tokens",
            Value::from(setup.max_tokens.unwrap_or(MAX_TOKENS)),
        );
        if !ask.system.is_empty() {
            put("system", system(ask.system, self.cache));
        }
        put("messages", messages(ask.lines));
        if !ask.tools.is_empty() {
            let tools = ask.tools.iter().map(|tool| {
                json!({"name": tool.name, "description": tool.description, "input_schema": tool.parameters})
            });
            put("tools", tools.collect());
        }
        if let Some(shape) = ask.shape {
            let format = json!({"type": "json_schema", "schema": shape.schema});
            put("output_config", json!({"format": format}));
        }
        if let Some(temperature) = setup.temperature {
            put("temperature", Value::from(temperature));
        }
        put("stream", Value::from(setup.stream));
        body
    }

    async fn read_stream(
        &self,
        mut answer: Box<Incoming>,
        heard: Heard<'_>,
        count: &mut Count<'_>,
    ) -> Result<Said, Unanswered> {
        let mut draft = Draft::default();
        while let Some(event) = answer.event().await? {
            let event: Event =
                serde_json::from_str(&event.data).map_err(|_| Unanswered::Unreadable)?;
            event.words().into_iter().for_each(heard);
            if let Some(message) = draft.add(event, count)? {
                return message.said();
            }
        }
        Err(Unanswered::Cut)
    }
}

#[async_trait]
impl Model for Anthropic {
    async fn ask(
        &self,
        ask: &Ask<'_>,
        deadline: Deadline,
        meter: Meter<'_>,
    ) -> Result<Said, Unanswered> {
        let transport = &self.setup.transport;
        let mut request = transport
            .client()
            .post(self.setup.below("v1/messages"))
            .header("anthropic-version", VERSION);
        if let Some(key) = &self.setup.key {
            request = request.header("x-api-key", key.clone());
        }
        let body = Value::Object(self.body(ask)).to_string();
        let exchange = async {
            let mut count = Count::new(meter, body.len());
            let request = request.header(CONTENT_TYPE, "application/json").body(body);
            match transport.open(request, deadline).await {
                Ok(Opened::Answer(answer)) if answer.is_stream() => {
                    self.read_stream(answer, ask.heard, &mut count).await
                }
                Ok(Opened::Answer(answer)) => {
                    let message: Message = answer.json().await?;
                    message.usage.tell(&mut count);
                    message.said()
                }
                Ok(Opened::Refused(refused)) => {
                    count.refused();
                    Err(refusal(&refused))
                }
                Err(why) => {
                    count.failed(&why);
                    Err(why)
                }
            }
        };
        transport.until(deadline, exchange).await
    }

    fn transport(&self) -> &Transport {
        &self.setup.transport
    }

    fn name(&self) -> &str {
        &self.setup.model
    }
}

/// One text; or, where the provider may keep it, the first text marked and the others behind it.
fn system(texts: &[String], cache: bool) -> Value {
    if !cache {
        return Value::from(texts.join("\n\n"));
    }
    let blocks = texts.iter().enumerate().map(|(place, text)| {
        if place == 0 {
            json!({"type": "text", "text": text, "cache_control": {"type": "ephemeral"}})
        } else {
            json!({"type": "text", "text": text})
        }
    });
    blocks.collect()
}

fn messages(lines: &[Line]) -> Value {
    let message = |line: &Line| match line {
        Line::Customer(text) => json!({"role": "user", "content": text}),
        Line::Model(said) => match &said.raw {
            Some(content) => json!({"role": "assistant", "content": content}),
            None => json!({"role": "assistant", "content": said.text}),
        },
        Line::Results(results) => {
            let blocks = results.iter().map(|result| {
                json!({
                    "type": "tool_result", "tool_use_id": result.id, "content": result.content,
                    "is_error": result.is_error,
                })
            });
            json!({"role": "user", "content": blocks.collect::<Vec<_>>()})
        }
    };
    lines.iter().map(message).collect()
}
