//! An agent on a LangGraph Agent Server. The server keeps the conversation in a thread; a run that is given up is
//! cancelled there, so that it leaves nothing behind. Must never let a run that used tools be rolled back: what it did
//! outside would be forgotten.

mod cancel;
mod fold;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use replygate_gate::SessionId;
use replygate_ports::agent::{Agent, AgentError, Answer, EffectDone, Effects, Past, Turn};
use replygate_ports::settings::{SettingError, Strategy};
use reqwest::header::HeaderValue;
use reqwest::{RequestBuilder, Url};
use serde_json::{Map, Value, json};

use super::briefing::Briefing;
use super::elsewhere::{Failure, Spent, untold};
use crate::kind::AgentDeps;
use crate::model::{Line, below};
use crate::options::{ADDRESS, Options};
use crate::secret;
use crate::transport::{Deadline, Incoming, Opened, Patience, Refused, Transport};
use crate::unanswered::Unanswered;
use cancel::Leaving;
use fold::{Fold, Piece};

/// The options that [`LangGraph::read`] reads.
pub(crate) const OPTIONS: &[&str] = &[
    "base_url",
    "api_key",
    "assistant",
    "memory",
    "multitask",
    "reads",
    "extra",
    "system",
    "language",
    "first_byte_ms",
    "idle_ms",
    "timeout_ms",
];

/// The fields that requests have already.
const TAKEN: &[&str] = &[
    "assistant_id",
    "input",
    "stream_mode",
    "multitask_strategy",
    "if_not_exists",
    "on_disconnect",
    "metadata",
];

/// The name of the lines by which the gateway talks to the graph.
const GATEWAY: &str = "gateway";

/// Who remembers the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Memory {
    /// The server, in a thread for each session.
    Thread,
    /// Nobody there: each run is told everything.
    None,
}

/// What becomes of a run that still holds the thread when the next one comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Multitask {
    /// It is stopped, and its checkpoint dropped.
    Rollback,
    /// It is stopped, and its checkpoint kept.
    Interrupt,
    /// It goes on, and the next one waits.
    Enqueue,
    /// It goes on, and the next one is refused.
    Reject,
}

impl Multitask {
    const ALL: [Self; 4] = [Self::Rollback, Self::Interrupt, Self::Enqueue, Self::Reject];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Rollback => "rollback",
            Self::Interrupt => "interrupt",
            Self::Enqueue => "enqueue",
            Self::Reject => "reject",
        }
    }
}

impl From<Strategy> for Multitask {
    /// The server's word for a channel's strategy. Under `triage` nothing of a run that still holds the thread was sent,
    /// and the next one answers its messages, too.
    fn from(strategy: Strategy) -> Self {
        match strategy {
            Strategy::Triage | Strategy::Rollback => Self::Rollback,
            Strategy::Interrupt => Self::Interrupt,
            Strategy::Enqueue => Self::Enqueue,
            Strategy::Reject => Self::Reject,
        }
    }
}

/// A graph behind an Agent Server.
pub(crate) struct LangGraph {
    server: Arc<Server>,
    briefing: Briefing,
    assistant: String,
    memory: Memory,
    /// What the server does with a run that still holds the thread.
    multitask: Multitask,
    /// Tools that only read.
    reads: Vec<String>,
    extra: Map<String, Value>,
}

/// Where the server is and how it is asked.
pub(crate) struct Server {
    transport: Transport,
    base: Url,
    key: Option<HeaderValue>,
    errands: crate::kind::Errands,
}

impl Server {
    fn post(&self, path: &str) -> RequestBuilder {
        self.keyed(self.transport.client().post(below(&self.base, path)))
    }

    fn keyed(&self, request: RequestBuilder) -> RequestBuilder {
        match &self.key {
            Some(key) => request.header("x-api-key", key.clone()),
            None => request,
        }
    }
}

impl LangGraph {
    pub(crate) fn read(
        options: &Options<'_>,
        deps: &AgentDeps,
        strategy: Strategy,
    ) -> Result<Self, SettingError> {
        let base = options
            .address("base_url")?
            .ok_or_else(|| options.wrong("base_url", "not set", ADDRESS))?;
        let words = Multitask::ALL.map(|word| (word.as_str(), word));
        let multitask = options.word("multitask", &words)?;
        let memory = [("thread", Memory::Thread), ("none", Memory::None)];
        let memory = options.word("memory", &memory)?.unwrap_or(Memory::Thread);
        let assistant = options.text("assistant", "an assistant's id or a graph's name")?;
        let briefing = Briefing::read(options)?;
        if memory == Memory::Thread {
            untold(options, &briefing)?;
        }
        Ok(Self {
            server: Arc::new(Server {
                transport: Transport::new(
                    deps.client.clone(),
                    Arc::clone(&deps.clock),
                    Patience::read(options, Patience::AGENT)?,
                ),
                base,
                key: secret::header(options, "api_key", "", &deps.secret)?,
                errands: Arc::clone(&deps.errands),
            }),
            briefing,
            assistant: assistant.unwrap_or("agent").to_owned(),
            memory,
            multitask: multitask.unwrap_or(strategy.into()),
            reads: options.texts("reads")?,
            extra: options.table("extra", TAKEN)?,
        })
    }

    fn body(&self, turn: &Turn) -> Value {
        let mut body = self.extra.clone();
        let mut put = |name: &str, value: Value| body.insert(name.to_owned(), value);
        put("assistant_id", Value::from(self.assistant.as_str()));
        put("input", json!({"messages": self.messages(turn)}));
        put("stream_mode", json!(["messages-tuple", "updates"]));
        put("on_disconnect", Value::from("cancel"));
        put(
            "metadata",
            json!({"turn": turn.turn, "session": turn.session}),
        );
        if self.memory == Memory::Thread {
            put("multitask_strategy", Value::from(self.multitask.as_str()));
            put("if_not_exists", Value::from("create"));
        }
        Value::Object(body)
    }

    fn messages(&self, turn: &Turn) -> Vec<Value> {
        let mut messages = Vec::new();
        match self.memory {
            Memory::Thread => {
                let news = self.briefing.news(turn);
                if !news.is_empty() {
                    // Not a system message: some models take only one, and the graph has its own.
                    let said = self.briefing.as_gateway(&news);
                    messages.push(json!({"role": "user", "name": GATEWAY, "content": said}));
                }
                // A message that is sent again has the same id and takes its own place.
                let burst = turn.messages.iter().zip(self.briefing.burst(turn));
                messages.extend(burst.map(
                    |(message, text)| json!({"role": "user", "id": message.id, "content": text}),
                ));
            }
            Memory::None => {
                let system = self.briefing.system(turn).join("\n\n");
                messages.push(json!({"role": "system", "content": system}));
                messages.extend(
                    self.briefing
                        .lines(turn)
                        .into_iter()
                        .map(|line| match line {
                            Line::Model(said) => json!({"role": "assistant", "content": said.text}),
                            Line::Customer(text) => json!({"role": "user", "content": text}),
                            Line::Results(_) => Value::Null,
                        }),
                );
            }
        }
        messages
    }

    async fn exchange(
        &self,
        turn: &Turn,
        effects: &dyn Effects,
        deadline: Deadline,
    ) -> Result<Answer, Failure> {
        let thread = thread(turn.session);
        let path = match self.memory {
            Memory::Thread => format!("threads/{thread}/runs/stream"),
            Memory::None => "runs/stream".to_owned(),
        };
        if self.memory == Memory::Thread && turn.history.is_empty() {
            self.forget(&thread, deadline).await?;
        }
        let request = self.server.post(&path).json(&self.body(turn));
        let answer = match self.server.transport.open(request, deadline).await? {
            Opened::Answer(answer) => answer,
            Opened::Refused(refused) => return Err(refusal(&refused).into()),
        };
        let location = answer.header("content-location");
        let mut leaving = Leaving::new(Arc::clone(&self.server), location);
        if self.multitask == Multitask::Interrupt {
            leaving.keeps_its_state();
        }
        self.follow(answer, &thread, leaving, effects).await
    }

    /// A conversation of which nothing is known, because it is new or was reset, begins a thread anew.
    async fn forget(&self, thread: &str, deadline: Deadline) -> Result<(), Unanswered> {
        let transport = &self.server.transport;
        let url = below(&self.server.base, &format!("threads/{thread}"));
        let request = self.server.keyed(transport.client().delete(url));
        match transport.open(request, deadline).await? {
            Opened::Answer(_) => Ok(()),
            Opened::Refused(refused) if refused.status == 404 => Ok(()),
            Opened::Refused(refused) => Err(refusal(&refused)),
        }
    }

    /// Reads the run to its end. Each tool that acts is told of when it is called, before anything else is done.
    async fn follow(
        &self,
        mut answer: Box<Incoming>,
        thread: &str,
        mut leaving: Leaving,
        effects: &dyn Effects,
    ) -> Result<Answer, Failure> {
        let mut fold = Fold::default();
        let mut spent = Spent::new(effects);
        let mut done: Vec<EffectDone> = Vec::new();
        while let Some(event) = answer.event().await? {
            for piece in fold.add(&event)? {
                match piece {
                    Piece::Run(run) => leaving.is_run(thread, &run),
                    Piece::Tool(tool) if self.reads.contains(&tool) => {}
                    Piece::Tool(tool) => {
                        leaving.keeps_its_state();
                        effects.reserve(&tool).await.map_err(Failure::Agent)?;
                        done.push(EffectDone { tool });
                    }
                    Piece::Words(words) => effects.wrote(&words),
                    Piece::Used(usage) => spent.add(usage),
                    Piece::End => {
                        leaving.ended();
                        return Ok(Answer {
                            parts: fold.answer().into_iter().collect(),
                            effects: done,
                        });
                    }
                }
            }
        }
        Err(Unanswered::Cut.into())
    }
}

#[async_trait]
impl Agent for LangGraph {
    async fn run(&self, turn: &Turn, effects: &dyn Effects) -> Result<Answer, AgentError> {
        let transport = &self.server.transport;
        let deadline = transport.deadline(Some(Duration::from_millis(turn.limit_ms)));
        let exchange = async { Ok(self.exchange(turn, effects, deadline).await) };
        transport
            .until(deadline, exchange)
            .await?
            .map_err(AgentError::from)
    }

    fn past(&self) -> Past {
        Past::History
    }
}

fn refusal(refused: &Refused) -> Unanswered {
    match refused.status {
        409 => Unanswered::Busy,
        status => Unanswered::refused(status, refused.told.again),
    }
}

/// The thread of a session: its id in the form that the server wants, a UUID.
fn thread(session: SessionId) -> String {
    let hex = format!("{:032x}", session.0);
    let parts = [
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..],
    ];
    parts.join("-")
}
