//! What these tests share: the two kinds of models as one, turns, and what an agent may do outside.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use replygate_agents::{AgentDeps, build_agent, http_client};
use replygate_gate::debounce::MessageKind;
use replygate_gate::{At, MessageId, SessionId, SessionKey, Strategy, TurnId, Usage};
use replygate_ports::agent::{Again, Agent, AgentError, Answer, Effects, Turn, TurnMessage};
use replygate_ports::clock::Clock;
use replygate_ports::settings::Choice;
use replygate_testkit::backends::{Act, Stand, anthropic, openai};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::clocks::Real;

/// A model's provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    OpenAi,
    Anthropic,
}

pub const BOTH: [Kind; 2] = [Kind::OpenAi, Kind::Anthropic];

impl Kind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
        }
    }

    pub async fn start(self, acts: impl IntoIterator<Item = Act>) -> Stand {
        match self {
            Self::OpenAi => openai::start(acts).await,
            Self::Anthropic => anthropic::start(acts).await,
        }
    }

    pub fn words(self, text: &str) -> Act {
        match self {
            Self::OpenAi => openai::words(text),
            Self::Anthropic => anthropic::words(text),
        }
    }

    pub fn streamed(self, pieces: &[&str]) -> Act {
        match self {
            Self::OpenAi => openai::streamed(pieces),
            Self::Anthropic => anthropic::streamed(pieces),
        }
    }

    pub fn error(self, status: u16, word: &str) -> Act {
        match self {
            Self::OpenAi => openai::error(status, word),
            Self::Anthropic => anthropic::error(status, word),
        }
    }

    /// The options of an agent at this address.
    pub fn options(self, stand: &Stand, more: &Value) -> Value {
        let base = match self {
            Self::OpenAi => format!("{}/v1", stand.url),
            Self::Anthropic => stand.url.clone(),
        };
        let mut options = json!({"base_url": base, "model": "m", "api_key": "env:KEY"});
        let all = options.as_object_mut().unwrap();
        all.extend(more.as_object().unwrap().clone());
        options
    }

    /// An agent at this address.
    pub fn agent(self, stand: &Stand, more: &Value, clock: Arc<dyn Clock>) -> Arc<dyn Agent> {
        let choice = choice(self.name(), self.options(stand, more));
        build_agent(&choice, Strategy::default(), &deps(clock), "agent").unwrap()
    }
}

pub fn deps(clock: Arc<dyn Clock>) -> AgentDeps {
    let secret = |reference: &str| match reference {
        "env:KEY" => Some("sk-from-env".to_owned()),
        "file:/run/secrets/key" => Some("sk-from-file\n".to_owned()),
        _ => None,
    };
    AgentDeps {
        clock,
        client: http_client().unwrap(),
        secret: Arc::new(secret),
        errands: Arc::new(|errand| drop(tokio::spawn(errand))),
        mcp: replygate_agents::mcp::Servers::default(),
    }
}

pub fn real() -> Arc<dyn Clock> {
    Arc::new(Real::start())
}

pub fn choice(kind: &str, options: Value) -> Choice {
    Choice {
        kind: kind.to_owned(),
        options: serde_json::from_value(options).unwrap(),
    }
}

/// What an agent did and told.
#[derive(Default)]
pub struct Desk {
    spent: Mutex<Vec<Usage>>,
    written: Mutex<String>,
    reserved: Mutex<Vec<String>>,
    change: Notify,
}

impl Desk {
    /// What it reserved, in order.
    pub fn reserved(&self) -> Vec<String> {
        self.reserved.lock().unwrap().clone()
    }

    /// Waits until it has reserved so many effects.
    pub async fn until_reserved(&self, many: usize) {
        while self.reserved().len() < many {
            self.change.notified().await;
        }
    }

    /// What it wrote, as it told while it did.
    pub fn written(&self) -> String {
        self.written.lock().unwrap().clone()
    }

    /// What it told of each call of a model.
    pub fn spent(&self) -> Vec<Usage> {
        self.spent.lock().unwrap().clone()
    }
}

#[async_trait]
impl Effects for Desk {
    async fn reserve(&self, tool: &str) -> Result<(), AgentError> {
        self.reserved.lock().unwrap().push(tool.to_owned());
        self.change.notify_one();
        Ok(())
    }

    fn spent(&self, usage: Usage) {
        self.spent.lock().unwrap().push(usage);
    }

    fn wrote(&self, piece: &str) {
        self.written.lock().unwrap().push_str(piece);
    }
}

/// What the fakes say was used.
pub const TOLD: Usage = Usage {
    input: 30,
    cached: 20,
    output: 7,
    estimated: false,
};

pub fn message(id: u128, text: &str) -> TurnMessage {
    TurnMessage {
        id: MessageId(id),
        kind: MessageKind::Text,
        text: text.to_owned(),
        at: At(1_764_000_000_000),
        edit_of: None,
        merged_from: None,
    }
}

pub fn turn(texts: &[&str]) -> Turn {
    let key = SessionKey {
        channel: "shop".into(),
        account: String::new(),
        conversation: "ana".into(),
        contact: "ana".into(),
    };
    Turn {
        turn: TurnId(7),
        session: SessionId(3),
        key,
        history: Vec::new(),
        messages: (100..)
            .zip(texts)
            .map(|(id, text)| message(id, text))
            .collect(),
        notes: Vec::new(),
        at: At(1_764_000_000_000),
        limit_ms: 60_000,
    }
}

pub type Outcome = Result<Vec<String>, (String, Again)>;

pub fn outcome(answer: Result<Answer, AgentError>) -> Outcome {
    match answer {
        Ok(answer) => Ok(answer.parts),
        Err(AgentError::Failed { code, again }) => Err((code, again)),
        Err(AgentError::Lost | AgentError::Stopped) => panic!("the turn was not lost"),
    }
}

/// Runs an agent once over "oi" and returns what came of it and what it told of the tokens.
pub async fn run(kind: Kind, stand: &Stand, more: &Value) -> (Outcome, Vec<Usage>) {
    let desk = Desk::default();
    let agent = kind.agent(stand, more, real());
    let answer = agent.run(&turn(&["oi"]), &desk).await;
    (outcome(answer), desk.spent())
}
