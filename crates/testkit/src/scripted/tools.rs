//! A tool that counts what it did.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use replygate_gate::At;
use replygate_ports::clock::Clock;
use replygate_ports::tools::{ToolCall, ToolError, ToolHost};
use serde_json::{Value, json};

use super::Latency;

/// What the tool does with one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turnout {
    /// It does its work and says so.
    Works,
    /// It refuses, and does nothing.
    Refuses,
    /// It does its work and never answers.
    WorksAndHangs,
    /// It does nothing and never answers.
    Hangs,
    /// It does its work, and says that it does not know.
    WorksAndForgets,
}

/// A call that did its work.
#[derive(Clone, Debug, PartialEq)]
pub struct Worked {
    /// When.
    pub at: At,
    /// Which.
    pub call: ToolCall,
}

/// A tool of any name whose work is to be counted. Takes time through the clock alone.
pub struct ScriptedTool {
    clock: Arc<dyn Clock>,
    latency: Latency,
    notes: Mutex<Notes>,
}

#[derive(Default)]
struct Notes {
    script: VecDeque<Turnout>,
    began: u32,
    worked: Vec<Worked>,
}

impl ScriptedTool {
    /// A tool that takes this long and always works.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>, latency: Latency) -> Self {
        Self {
            clock,
            latency,
            notes: Mutex::default(),
        }
    }

    /// What it does with its next calls, in order; behind them it works.
    pub fn next(&self, script: &[Turnout]) {
        self.notes().script.extend(script);
    }

    /// Every call that did its work, in order.
    #[must_use]
    pub fn worked(&self) -> Vec<Worked> {
        self.notes().worked.clone()
    }

    /// How many calls began.
    #[must_use]
    pub fn began(&self) -> u32 {
        self.notes().began
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does the work; its number.
    fn work(&self, call: &ToolCall) -> usize {
        let mut notes = self.notes();
        notes.worked.push(Worked {
            at: self.clock.now(),
            call: call.clone(),
        });
        notes.worked.len()
    }
}

#[async_trait]
impl ToolHost for ScriptedTool {
    async fn run(&self, call: &ToolCall) -> Result<Value, ToolError> {
        let turnout = {
            let mut notes = self.notes();
            notes.began += 1;
            notes.script.pop_front().unwrap_or(Turnout::Works)
        };
        self.clock.sleep(self.latency.draw()).await;
        match turnout {
            Turnout::Works => Ok(json!({ "number": self.work(call) })),
            Turnout::Refuses => Err(ToolError::Failed {
                code: "refused".to_owned(),
                message: "refused".to_owned(),
            }),
            Turnout::WorksAndHangs => {
                self.work(call);
                std::future::pending().await
            }
            Turnout::Hangs => std::future::pending().await,
            Turnout::WorksAndForgets => {
                self.work(call);
                Err(ToolError::Unknown {
                    code: "forgotten".to_owned(),
                })
            }
        }
    }
}
