//! Leave to look after a session, so that many workers do not race for the same one. Must never be what a decision rests
//! on: two workers may both be told yes, and then the store's fencing token decides.

use std::time::Duration;

use async_trait::async_trait;
use replygate_gate::{SessionId, TurnId};

/// The answer to somebody who wants to look after a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// Go on; also when nobody could be asked.
    Granted,
    /// Another one looks after it.
    Taken,
}

/// Leases of sessions, each with a holder and an end.
#[async_trait]
pub trait Leases: Send + Sync {
    /// Leases the session to `holder` for `life` from now on, unless another holder's lease lives. Asking again extends the
    /// lease and may be done without knowing what became of the first time.
    async fn acquire(&self, session: SessionId, holder: TurnId, life: Duration) -> Leave;

    /// Ends the lease if it is `holder`'s; another holder's lease stays.
    async fn release(&self, session: SessionId, holder: TurnId);
}
