//! An agent that fails so many times before it answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use replygate_ports::agent::{Again, Agent, AgentError, Answer, Effects, Past, Turn};
use replygate_testkit::scripted::ScriptedAgent;

pub struct Faltering {
    left: AtomicUsize,
    agent: Arc<ScriptedAgent>,
}

impl Faltering {
    /// Fails on its next `times` runs in a way that may pass; then `agent` answers.
    pub fn new(times: usize, agent: Arc<ScriptedAgent>) -> Self {
        Self {
            left: AtomicUsize::new(times),
            agent,
        }
    }

    /// How many failures are still to come.
    pub fn left(&self) -> usize {
        self.left.load(Ordering::SeqCst)
    }
}

#[async_trait]
impl Agent for Faltering {
    async fn run(&self, turn: &Turn, effects: &dyn Effects) -> Result<Answer, AgentError> {
        let fails = self
            .left
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
                left.checked_sub(1)
            });
        if fails.is_ok() {
            return Err(AgentError::Failed {
                code: "http_500".to_owned(),
                again: Again::Yes,
            });
        }
        self.agent.run(turn, effects).await
    }

    fn past(&self) -> Past {
        self.agent.past()
    }
}
