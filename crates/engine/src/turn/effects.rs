//! What a running agent asks and tells: leave to change the outside world, which must never be given under a lost lease,
//! and how far its answer is.

use async_trait::async_trait;
use replygate_gate::{Command, Refusal, Usage};
use replygate_ports::agent::{Again, AgentError, Effects};

use super::{Running, WHILE_HELD, lock};
use crate::desk::{Cause, StepError};
use crate::engine::Inner;
use crate::tokens::{self, Spender};

pub(super) struct Reserve<'a> {
    pub(super) inner: &'a Inner,
    pub(super) running: &'a Running,
}

#[async_trait]
impl Effects for Reserve<'_> {
    async fn reserve(&self, _tool: &str) -> Result<(), AgentError> {
        let fence = self.running.owner.fence;
        let step = self
            .inner
            .desk
            .insist(
                self.running.made.id,
                Cause::by("worker"),
                WHILE_HELD,
                |_| Ok(Command::ReserveEffect { fence }),
            )
            .await;
        match step {
            Ok(made) => {
                self.inner.after(&made).await;
                lock(&self.inner.reserved).insert(self.running.owner.turn);
                Ok(())
            }
            Err(StepError::Refused(Refusal::Stopping)) => Err(AgentError::Stopped),
            Err(StepError::Refused(_)) => Err(AgentError::Lost),
            Err(error) => {
                tracing::warn!(turn = %self.running.owner.turn, %error, "an effect could not be reserved");
                Err(AgentError::Failed {
                    code: "store".to_owned(),
                    again: Again::Yes,
                })
            }
        }
    }

    fn spent(&self, usage: Usage) {
        let mut spent = lock(&self.running.spent);
        *spent = spent.plus(usage);
        drop(spent);
        tokens::count(&self.running.made.live.settings.id, Spender::Agent, usage);
    }

    fn wrote(&self, piece: &str) {
        self.running.written.add(piece);
    }
}
