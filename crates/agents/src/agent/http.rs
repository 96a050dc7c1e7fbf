//! Asks an address for the answer. Must never take an answer that says neither what to send nor that nothing is to be
//! sent.

use async_trait::async_trait;
use replygate_gate::{SessionId, SessionKey, TurnId, Usage};
use replygate_ports::agent::{
    Agent, AgentError, Answer, EffectDone, Effects, Note, Past, Turn, TurnMessage,
};
use replygate_ports::store::HistoryEntry;
use serde::{Deserialize, Serialize};

use crate::endpoint::Endpoint;
use crate::unanswered::Unanswered;

/// Posts the turn as JSON and reads the answer.
///
/// The turn is `{"turn","session","channel","account","conversation","contact","history":[…],"messages":[…],
/// "notes":[…]}`: the history with each reply's fate, the messages that the answer will cover, and what is to be known
/// about earlier replies. The header `idempotency-key` is the turn's id.
///
/// The answer is `{"parts":["…"]}` or `{"text":"…"}`, with `"effects":[{"tool":"…"}]` for what the agent did outside
/// and `"usage":{"input":…,"output":…}` for the tokens that it took.
/// An empty list of parts, an empty text or 204 says that nothing is to be sent. 408, 425, 429, 5xx, no answer in time
/// and no connection are tried again; everything else is not.
pub(crate) struct HttpAgent {
    endpoint: Endpoint,
}

#[derive(Serialize)]
struct Body<'a> {
    turn: TurnId,
    session: SessionId,
    #[serde(flatten)]
    key: &'a SessionKey,
    history: &'a [HistoryEntry],
    messages: &'a [TurnMessage],
    notes: &'a [Note],
}

#[derive(Deserialize)]
struct Reply {
    parts: Option<Vec<String>>,
    text: Option<String>,
    #[serde(default)]
    effects: Vec<EffectDone>,
    #[serde(default)]
    usage: Usage,
}

impl HttpAgent {
    pub(crate) fn new(endpoint: Endpoint) -> Self {
        Self { endpoint }
    }
}

#[async_trait]
impl Agent for HttpAgent {
    async fn run(&self, turn: &Turn, effects: &dyn Effects) -> Result<Answer, AgentError> {
        let body = Body {
            turn: turn.turn,
            session: turn.session,
            key: &turn.key,
            history: &turn.history,
            messages: &turn.messages,
            notes: &turn.notes,
        };
        match self
            .endpoint
            .ask::<Reply>(&turn.turn.to_string(), &body)
            .await
        {
            Ok(None) => Ok(Answer::default()),
            Ok(Some(reply)) => {
                effects.spent(reply.usage);
                answer(reply).ok_or_else(|| Unanswered::Unreadable.into())
            }
            Err(why) => Err(why.into()),
        }
    }

    fn past(&self) -> Past {
        Past::History
    }
}

fn answer(reply: Reply) -> Option<Answer> {
    let mut parts = match (reply.parts, reply.text) {
        (Some(parts), None) => parts,
        (None, Some(text)) => vec![text],
        _ => return None,
    };
    parts.retain(|part| !part.trim().is_empty());
    Some(Answer {
        parts,
        effects: reply.effects,
    })
}
