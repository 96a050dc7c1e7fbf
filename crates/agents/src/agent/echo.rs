//! Repeats what its reply covers. For tests and load: the answer shows exactly which messages a reply answers.

use std::sync::Arc;

use async_trait::async_trait;
use replygate_gate::debounce::MessageKind;
use replygate_ports::agent::{Agent, AgentError, Answer, Effects, Past, Turn, TurnMessage};
use replygate_ports::clock::Clock;

use crate::latency::Latency;

/// Answers with the texts of all messages that its reply covers, merged ones included, in their order, joined by
/// ` | `. A message without words is `[media]` or `[voice]`.
pub(crate) struct Echo {
    latency: Latency,
    clock: Arc<dyn Clock>,
}

impl Echo {
    pub(crate) fn new(latency: Latency, clock: Arc<dyn Clock>) -> Self {
        Self { latency, clock }
    }
}

#[async_trait]
impl Agent for Echo {
    async fn run(&self, turn: &Turn, _effects: &dyn Effects) -> Result<Answer, AgentError> {
        self.latency.pass(self.clock.as_ref(), turn.turn.0).await;
        let texts: Vec<&str> = turn.messages.iter().map(words).collect();
        Ok(Answer {
            parts: vec![texts.join(" | ")],
            effects: Vec::new(),
        })
    }

    fn past(&self) -> Past {
        Past::Nothing
    }
}

fn words(message: &TurnMessage) -> &str {
    match message.kind {
        MessageKind::Media if message.text.is_empty() => "[media]",
        MessageKind::Voice if message.text.is_empty() => "[voice]",
        MessageKind::Reaction if message.text.is_empty() => "[reaction taken away]",
        _ => &message.text,
    }
}
