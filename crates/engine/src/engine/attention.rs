//! Sessions that need something without anybody asking: when a timer ends. Must never decide anything itself: it makes steps
//! and looks at the state after them.

use std::time::Duration;

use replygate_gate::{Command, SessionId};
use replygate_ports::store::Stored;

use super::Inner;
use crate::desk::{Cause, Made, StepError};
use crate::peers::Lease;

/// A session that needed attention but gave nothing to do is looked at again after this many milliseconds.
const AGAIN_MS: u64 = 250;

impl Inner {
    /// Gives sessions attention when their time has come.
    pub(super) async fn keep_agenda(&self) {
        loop {
            for session in self.agenda.due().await {
                let inner = self.clone();
                self.crew.start(async move { inner.attend(session).await });
            }
        }
    }

    /// Does whatever a session needs without anybody asking, unless another process does.
    pub(crate) async fn attend(&self, id: SessionId) {
        let Some(lease) = self.lease(id).await else {
            return;
        };
        if let Some(lease) = self.look_after(id, lease).await {
            self.release(&lease).await;
        }
    }

    /// Does whatever the session needs; returns the lease unless a turn keeps it.
    async fn look_after(&self, id: SessionId, lease: Lease) -> Option<Lease> {
        let Ok(mut stored) = self.desk.load(id).await else {
            return Some(lease);
        };
        if let Some(made) = self.expire(id).await {
            stored = Stored {
                key: made.key.clone(),
                version: made.version,
                session: made.after,
            };
        }
        let mut lease = Some(lease);
        let Ok(live) = self.desk.live(&stored.key) else {
            return lease;
        };
        if stored.session.is_ripe(self.parts.clock.now(), &live.rules) {
            lease = self.start_turn(id, lease);
        }
        let soonest = self.parts.clock.now().plus(AGAIN_MS);
        let next = stored
            .session
            .next_timer(&live.rules)
            .map(|at| at.max(soonest));
        self.agenda.arm(id, stored.version, next);
        lease
    }

    async fn expire(&self, id: SessionId) -> Option<Made> {
        match self
            .desk
            .step(id, Cause::by("sweeper"), |_| Ok(Command::Expire))
            .await
        {
            Ok(made) => {
                self.after(&made).await;
                Some(made)
            }
            Err(StepError::Refused(_)) => None,
            Err(error) => {
                tracing::warn!(session = %id, %error, "a session could not be looked after");
                None
            }
        }
    }

    /// Makes tool calls unknown whose lease is over.
    pub(super) async fn end_leases_of_calls(&self) {
        let every = Duration::from_millis(self.tuning.calls_every_ms);
        loop {
            self.parts.clock.sleep(every).await;
            self.guard.expire().await;
        }
    }
}
