//! OpenAI's Chat Completions, and all who speak it at an address of their own: vLLM, Ollama, Gemini's compatible
//! endpoint. Must never ask for what only one of them knows, unless `extra` says so.

mod answer;

use async_trait::async_trait;
use replygate_ports::settings::SettingError;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use serde_json::{Map, Value, json};

use super::count::Count;
use super::setup::{Home, Setup};
use super::{Ask, Defaults, Heard, Line, Meter, Model, Said};
use crate::kind::AgentDeps;
use crate::options::Options;
use crate::transport::{Deadline, Incoming, Opened, Transport};
use crate::unanswered::Unanswered;
use answer::{Completion, Draft, refusal};

const HOME: Home = Home {
    base_url: "https://api.openai.com/v1",
    key_prefix: "Bearer ",
};

/// The fields that requests have already.
const TAKEN: &[&str] = &[
    "model",
    "messages",
    "tools",
    "temperature",
    "max_tokens",
    "max_completion_tokens",
    "stream",
    "stream_options",
    "response_format",
];

/// A model behind `{base}/chat/completions`.
pub(crate) struct OpenAi(Setup);

impl OpenAi {
    pub(crate) fn read(
        options: &Options<'_>,
        deps: &AgentDeps,
        defaults: Defaults,
    ) -> Result<Self, SettingError> {
        Setup::read(options, deps, HOME, defaults, TAKEN).map(Self)
    }

    fn body(&self, ask: &Ask<'_>) -> Map<String, Value> {
        let setup = &self.0;
        let mut body = setup.extra.clone();
        let mut put = |name: &str, value: Value| body.insert(name.to_owned(), value);
        put("model", Value::from(setup.model.as_str()));
        put("messages", Value::Array(messages(ask)));
        if !ask.tools.is_empty() {
            let tools = ask.tools.iter().map(|tool| {
                json!({"type": "function", "function": {
                    "name": tool.name, "description": tool.description, "parameters": tool.parameters,
                }})
            });
            put("tools", tools.collect());
        }
        if let Some(shape) = ask.shape {
            let schema = json!({"name": shape.name, "strict": true, "schema": shape.schema});
            put(
                "response_format",
                json!({"type": "json_schema", "json_schema": schema}),
            );
        }
        if let Some(temperature) = setup.temperature {
            put("temperature", Value::from(temperature));
        }
        if let Some(most) = setup.max_tokens {
            // The old name is what look-alikes know; the new one is what OpenAI's own newer models insist on.
            let name = if setup.at_home {
                "max_completion_tokens"
            } else {
                "max_tokens"
            };
            put(name, Value::from(most));
        }
        put("stream", Value::from(setup.stream));
        if setup.stream {
            put("stream_options", json!({"include_usage": true}));
        }
        body
    }

    async fn read_whole(
        &self,
        answer: Box<Incoming>,
        count: &mut Count<'_>,
    ) -> Result<Said, Unanswered> {
        let completion: Completion = answer.json().await?;
        if let Some(usage) = &completion.usage {
            usage.tell(count);
        }
        if let Some(error) = &completion.error {
            return Err(error.as_broken());
        }
        let choice = completion.choices.into_iter().next();
        let draft = Draft::whole(choice.ok_or(Unanswered::Unreadable)?);
        count.wrote(draft.bytes());
        draft.finish()
    }

    async fn read_stream(
        &self,
        mut answer: Box<Incoming>,
        heard: Heard<'_>,
        count: &mut Count<'_>,
    ) -> Result<Said, Unanswered> {
        let mut draft = Draft::default();
        while let Some(event) = answer.event().await? {
            if event.data.trim() == "[DONE]" {
                return draft.finish();
            }
            let chunk: Completion =
                serde_json::from_str(&event.data).map_err(|_| Unanswered::Unreadable)?;
            if let Some(usage) = &chunk.usage {
                usage.tell(count);
            }
            if let Some(error) = &chunk.error {
                return Err(error.as_broken());
            }
            if let Some(choice) = chunk.choices.into_iter().next() {
                let told = draft.text().len();
                count.wrote(draft.add(choice));
                heard(&draft.text()[told..]);
            }
        }
        // Some look-alikes end without the mark; what says why it ended is whole all the same.
        if draft.is_ended() {
            draft.finish()
        } else {
            Err(Unanswered::Cut)
        }
    }
}

#[async_trait]
impl Model for OpenAi {
    async fn ask(
        &self,
        ask: &Ask<'_>,
        deadline: Deadline,
        meter: Meter<'_>,
    ) -> Result<Said, Unanswered> {
        let transport = &self.0.transport;
        let mut request = transport.client().post(self.0.below("chat/completions"));
        if let Some(key) = &self.0.key {
            request = request.header(AUTHORIZATION, key.clone());
        }
        let body = Value::Object(self.body(ask)).to_string();
        let exchange = async {
            let mut count = Count::new(meter, body.len());
            let request = request.header(CONTENT_TYPE, "application/json").body(body);
            match transport.open(request, deadline).await {
                Ok(Opened::Answer(answer)) if answer.is_stream() => {
                    self.read_stream(answer, ask.heard, &mut count).await
                }
                Ok(Opened::Answer(answer)) => self.read_whole(answer, &mut count).await,
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
        &self.0.transport
    }

    fn name(&self) -> &str {
        &self.0.model
    }
}

fn messages(ask: &Ask<'_>) -> Vec<Value> {
    let mut messages = Vec::with_capacity(ask.lines.len() + 1);
    if !ask.system.is_empty() {
        messages.push(json!({"role": "system", "content": ask.system.join("\n\n")}));
    }
    for line in ask.lines {
        match line {
            Line::Customer(text) => messages.push(json!({"role": "user", "content": text})),
            Line::Model(Said {
                raw: Some(message), ..
            }) => messages.push(message.clone()),
            Line::Model(said) => {
                messages.push(json!({"role": "assistant", "content": said.text}));
            }
            Line::Results(results) => messages.extend(results.iter().map(|result| {
                json!({"role": "tool", "tool_call_id": result.id, "content": result.content})
            })),
        }
    }
    messages
}
