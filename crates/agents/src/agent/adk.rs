//! An agent on Google's ADK `api_server`. It keeps the conversation in a session and does not guard that against two runs
//! at once, so that must never happen from here.

mod fold;
mod places;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use replygate_ports::agent::{Agent, AgentError, Answer, EffectDone, Effects, Past, Turn};
use replygate_ports::settings::SettingError;
use reqwest::{RequestBuilder, Url};
use serde_json::{Value, json};

use super::briefing::Briefing;
use super::elsewhere::{Failure, Spent, untold};
use crate::kind::AgentDeps;
use crate::model::{Line, below};
use crate::options::{ADDRESS, Options};
use crate::secret;
use crate::transport::{Deadline, Incoming, Opened, Patience, Transport};
use crate::unanswered::Unanswered;
use fold::{Fold, Piece};
use places::Places;

/// The options that [`Adk::read`] reads.
pub(crate) const OPTIONS: &[&str] = &[
    "base_url",
    "api_key",
    "app",
    "memory",
    "stream",
    "reads",
    "system",
    "language",
    "first_byte_ms",
    "idle_ms",
    "timeout_ms",
];

/// Who remembers the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Memory {
    /// The server, in one session for each of ours.
    Session,
    /// Nobody there: each run has a session of its own and is told everything.
    None,
}

/// An agent behind an `api_server`.
pub(crate) struct Adk {
    transport: Transport,
    base: Url,
    key: Option<reqwest::header::HeaderValue>,
    briefing: Briefing,
    app: String,
    memory: Memory,
    stream: bool,
    /// Tools that only read.
    reads: Vec<String>,
    places: Places,
}

impl Adk {
    pub(crate) fn read(options: &Options<'_>, deps: &AgentDeps) -> Result<Self, SettingError> {
        const APP: &str = "the name of an app that the server lists";
        let base = options.address("base_url")?;
        let app = options.text("app", APP)?;
        let memory = [("session", Memory::Session), ("none", Memory::None)];
        let memory = options.word("memory", &memory)?.unwrap_or(Memory::Session);
        let briefing = Briefing::read(options)?;
        if memory == Memory::Session {
            untold(options, &briefing)?;
        }
        Ok(Self {
            transport: Transport::new(
                deps.client.clone(),
                Arc::clone(&deps.clock),
                Patience::read(options, Patience::AGENT)?,
            ),
            base: base.ok_or_else(|| options.wrong("base_url", "not set", ADDRESS))?,
            key: secret::header(options, "api_key", "Bearer ", &deps.secret)?,
            briefing,
            app: app
                .ok_or_else(|| options.wrong("app", "not set", APP))?
                .to_owned(),
            memory,
            stream: options.switch("stream")?.unwrap_or(true),
            reads: options.texts("reads")?,
            places: Places::default(),
        })
    }

    fn keyed(&self, request: RequestBuilder) -> RequestBuilder {
        match &self.key {
            Some(key) => request.header(reqwest::header::AUTHORIZATION, key.clone()),
            None => request,
        }
    }

    /// The session's address; contact and session are one piece of the path each, whatever they hold.
    fn session_url(&self, turn: &Turn, session: &str) -> Url {
        let mut url = below(&self.base, "apps");
        if let Ok(mut path) = url.path_segments_mut() {
            path.extend([
                self.app.as_str(),
                "users",
                turn.key.contact.as_str(),
                "sessions",
                session,
            ]);
        }
        url
    }

    async fn create(&self, url: Url, deadline: Deadline) -> Result<(), Unanswered> {
        let request = self
            .keyed(self.transport.client().post(url))
            .json(&json!({}));
        match self.transport.open(request, deadline).await? {
            Opened::Answer(_) => Ok(()),
            // It is there already.
            Opened::Refused(refused) if refused.status == 409 => Ok(()),
            Opened::Refused(refused) => {
                Err(Unanswered::refused(refused.status, refused.told.again))
            }
        }
    }

    async fn delete(&self, url: Url, deadline: Deadline) -> Result<(), Unanswered> {
        let request = self.keyed(self.transport.client().delete(url));
        match self.transport.open(request, deadline).await? {
            Opened::Answer(_) => Ok(()),
            Opened::Refused(refused) if refused.status == 404 => Ok(()),
            Opened::Refused(refused) => {
                Err(Unanswered::refused(refused.status, refused.told.again))
            }
        }
    }

    fn parts(&self, turn: &Turn) -> Vec<String> {
        let mut parts = Vec::new();
        match self.memory {
            Memory::Session => {
                let news = self.briefing.news(turn);
                if !news.is_empty() {
                    parts.push(self.briefing.as_gateway(&news));
                }
                parts.extend(self.briefing.burst(turn));
            }
            Memory::None => {
                let mut lines = self.briefing.lines(turn);
                let newest = lines.pop();
                parts.push(self.briefing.as_gateway(&self.briefing.system(turn)));
                parts.extend(self.briefing.retold(&lines));
                if let Some(Line::Customer(text)) = newest {
                    parts.push(text);
                }
            }
        }
        parts
    }

    fn body(&self, turn: &Turn, session: &str) -> Value {
        let parts = self.parts(turn).into_iter();
        let parts: Vec<Value> = parts.map(|text| json!({"text": text})).collect();
        json!({
            "appName": self.app,
            "userId": turn.key.contact,
            "sessionId": session,
            "newMessage": {"role": "user", "parts": parts},
            "streaming": self.stream,
        })
    }

    async fn exchange(
        &self,
        turn: &Turn,
        effects: &dyn Effects,
        deadline: Deadline,
    ) -> Result<Answer, Failure> {
        // Held until this run is over or given up: two runs in one session would mix their events.
        let _place = self.places.take(turn.session).await;
        let session = match self.memory {
            Memory::Session => turn.session.to_string(),
            Memory::None => turn.turn.to_string(),
        };
        let url = self.session_url(turn, &session);
        if self.memory == Memory::Session && turn.history.is_empty() {
            // Nothing is known of the conversation: it is new, or was reset.
            self.delete(url.clone(), deadline).await?;
        }
        let body = self.body(turn, &session);
        let mut made = false;
        loop {
            let request = self.keyed(self.transport.client().post(below(&self.base, "run_sse")));
            match self.transport.open(request.json(&body), deadline).await? {
                Opened::Answer(answer) => return self.follow(answer, effects).await,
                Opened::Refused(refused) if refused.status == 404 && !made => {
                    self.create(url.clone(), deadline).await?;
                    made = true;
                }
                Opened::Refused(refused) => {
                    return Err(Unanswered::refused(refused.status, refused.told.again).into());
                }
            }
        }
    }

    /// Reads the run to its end. Each tool that acts is told of when it is called, before anything else is done.
    async fn follow(
        &self,
        mut answer: Box<Incoming>,
        effects: &dyn Effects,
    ) -> Result<Answer, Failure> {
        let mut fold = Fold::default();
        let mut spent = Spent::new(effects);
        let mut done: Vec<EffectDone> = Vec::new();
        while let Some(event) = answer.event().await? {
            for piece in fold.add(&event.data)? {
                match piece {
                    Piece::Tool(tool) if self.reads.contains(&tool) => {}
                    Piece::Tool(tool) => {
                        effects.reserve(&tool).await.map_err(Failure::Agent)?;
                        done.push(EffectDone { tool });
                    }
                    Piece::Words(words) => effects.wrote(&words),
                    Piece::Used(usage) => spent.add(usage),
                }
            }
        }
        Ok(Answer {
            parts: fold.answer()?,
            effects: done,
        })
    }
}

#[async_trait]
impl Agent for Adk {
    async fn run(&self, turn: &Turn, effects: &dyn Effects) -> Result<Answer, AgentError> {
        let limit = Duration::from_millis(turn.limit_ms);
        let deadline = self.transport.deadline(Some(limit));
        let exchange = async { Ok(self.exchange(turn, effects, deadline).await) };
        let answer = self.transport.until(deadline, exchange).await?;
        answer.map_err(AgentError::from)
    }

    fn past(&self) -> Past {
        Past::History
    }
}
