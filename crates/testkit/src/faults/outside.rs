//! Faults between the pipeline and the world outside: agents, evaluators, channels.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use replygate_gate::{Outcome, ReplyId, Sender, SessionKey, Usage};
use replygate_ports::agent::{Again, Agent, AgentError, Answer, Effects, Past, Turn};
use replygate_ports::channel::{Channel, Outbound, Show, Typing};
use replygate_ports::evaluator::{Evaluator, EvaluatorError, Opinions, Question};

use super::life::injection;
use super::{Fault, Life};

/// An agent as one life of a process meets it.
pub struct FaultyAgent {
    agent: Arc<dyn Agent>,
    life: Life,
}

impl FaultyAgent {
    /// That agent with faults in front.
    #[must_use]
    pub fn new(agent: Arc<dyn Agent>, life: Life) -> Self {
        Self { agent, life }
    }
}

#[async_trait]
impl Agent for FaultyAgent {
    async fn run(&self, turn: &Turn, effects: &dyn Effects) -> Result<Answer, AgentError> {
        self.life.alive().await;
        let failed = |again| {
            Err(AgentError::Failed {
                code: "injected".to_owned(),
                again,
            })
        };
        let answer = match self.life.faults.meet("agent.run") {
            None | Some(Fault::Twice) => self.agent.run(turn, effects).await,
            Some(Fault::Before) => failed(Again::Yes),
            Some(Fault::Lost) => failed(Again::No),
            Some(Fault::After) => {
                drop(self.agent.run(turn, effects).await);
                failed(Again::Yes)
            }
            Some(Fault::Delay(delay)) => {
                self.life.faults.clock.sleep(delay).await;
                self.life.alive().await;
                self.agent.run(turn, effects).await
            }
            Some(Fault::CrashBefore) => self.life.die().await,
            Some(Fault::CrashAfter) => {
                drop(self.agent.run(turn, effects).await);
                self.life.die().await
            }
        };
        self.life.alive().await;
        answer
    }

    fn past(&self) -> Past {
        self.agent.past()
    }
}

/// An evaluator as one life of a process meets it.
pub struct FaultyEvaluator {
    evaluator: Arc<dyn Evaluator>,
    life: Life,
}

impl FaultyEvaluator {
    /// That evaluator with faults in front.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator>, life: Life) -> Self {
        Self { evaluator, life }
    }
}

#[async_trait]
impl Evaluator for FaultyEvaluator {
    async fn judge(&self, question: &Question) -> Result<Opinions, EvaluatorError> {
        let fails = || EvaluatorError {
            code: "injected".to_owned(),
            usage: Usage::default(),
            source: Some(injection()),
        };
        self.life
            .call("evaluator.judge", || self.evaluator.judge(question), fails)
            .await
    }

    fn name(&self) -> &str {
        self.evaluator.name()
    }
}

/// A channel as one life of a process meets it.
pub struct FaultyChannel {
    channel: Arc<dyn Channel>,
    life: Life,
}

impl FaultyChannel {
    /// That channel with faults in front.
    #[must_use]
    pub fn new(channel: Arc<dyn Channel>, life: Life) -> Self {
        Self { channel, life }
    }
}

#[async_trait]
impl Channel for FaultyChannel {
    async fn send(&self, part: &Outbound, limit: Duration) -> Outcome {
        self.life.alive().await;
        let outcome = match self.life.faults.meet("channel.send") {
            None | Some(Fault::Twice) => self.channel.send(part, limit).await,
            Some(Fault::Before) => Outcome::NotSent,
            Some(Fault::Lost) => Outcome::Failed {
                code: "injected".to_owned(),
                retry_after_ms: None,
            },
            Some(Fault::After) => {
                self.channel.send(part, limit).await;
                Outcome::Unknown {
                    code: "injected".to_owned(),
                }
            }
            Some(Fault::Delay(delay)) => {
                let outcome = self.channel.send(part, limit).await;
                self.life.faults.clock.sleep(delay).await;
                outcome
            }
            Some(Fault::CrashBefore) => self.life.die().await,
            Some(Fault::CrashAfter) => {
                self.channel.send(part, limit).await;
                self.life.die().await
            }
        };
        self.life.alive().await;
        outcome
    }

    async fn typing(&self, to: &SessionKey, show: Show) {
        let shown = || async {
            self.channel.typing(to, show).await;
            Ok(())
        };
        // Failures of typing are of no consequence.
        let _ = self.life.call("channel.typing", shown, || ()).await;
    }

    async fn notice(&self, to: &SessionKey, id: ReplyId, text: &str, limit: Duration) -> Outcome {
        let given = || async { Ok(self.channel.notice(to, id, text, limit).await) };
        let outcome = self.life.call("channel.notice", given, || ()).await;
        outcome.unwrap_or_else(|()| Outcome::Unknown {
            code: "injected".to_owned(),
        })
    }

    fn typing_style(&self) -> Typing {
        self.channel.typing_style()
    }

    fn sender(&self) -> Sender {
        self.channel.sender()
    }
}
