//! An agent whose answer takes several outside effects.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use replygate_ports::agent::{Agent, AgentError, Answer, Effects, Note, Past, Turn};
use replygate_ports::clock::Clock;

pub struct Thorough {
    clock: Arc<dyn Clock>,
    done: Mutex<Vec<String>>,
}

impl Thorough {
    pub fn new(clock: Arc<dyn Clock>) -> Arc<Self> {
        Arc::new(Self {
            clock,
            done: Mutex::default(),
        })
    }

    /// Every effect that happened.
    pub fn done(&self) -> Vec<String> {
        self.done.lock().unwrap().clone()
    }
}

#[async_trait]
impl Agent for Thorough {
    /// Three effects, a second each; a stopped turn does none and says so.
    async fn run(&self, turn: &Turn, effects: &dyn Effects) -> Result<Answer, AgentError> {
        let said = if turn.notes.contains(&Note::Stopped) {
            let done = turn
                .notes
                .iter()
                .any(|note| matches!(note, Note::Done { .. }));
            format!("stopped, something is done: {done}")
        } else {
            for tool in ["one", "two", "three"] {
                effects.reserve(tool).await?;
                self.clock.sleep(Duration::from_secs(1)).await;
                self.done.lock().unwrap().push(tool.to_owned());
            }
            "all is done".to_owned()
        };
        Ok(Answer {
            parts: vec![said],
            effects: Vec::new(),
        })
    }

    fn past(&self) -> Past {
        Past::Nothing
    }
}
