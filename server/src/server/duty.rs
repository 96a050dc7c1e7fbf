//! Work that one process of an installation does for all. Must never be needed to be exact: while Redis is away every
//! process takes the duty for its own, so that such work may be done twice without harm.

use std::sync::Arc;
use std::time::Duration;

use replygate_engine::Peers;
use replygate_gate::{SessionId, TurnId};
use replygate_ports::clock::Entropy;
use replygate_ports::leases::{Leases, Leave};

/// Which duty. No session has these ids: sessions' are digests, and 0 is the sweeper's.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Work {
    /// Retention.
    Retention = 1,
    /// Carrying operations out.
    Operations = 2,
}

/// A duty, as one process sees it.
pub(crate) struct Duty {
    /// `None` for a process that is alone.
    leases: Option<Arc<dyn Leases>>,
    work: SessionId,
    me: TurnId,
}

impl Duty {
    /// This work's duty.
    pub(crate) fn new(work: Work, peers: Option<&Peers>, entropy: &dyn Entropy) -> Self {
        Self {
            leases: peers.map(|peers| peers.leases.clone()),
            work: SessionId(work as u128),
            me: TurnId(entropy.bits()),
        }
    }

    /// Whether the work is this process's for `life` from now on; asking again while it is extends that.
    pub(crate) async fn is_ours(&self, life: Duration) -> bool {
        match &self.leases {
            None => true,
            Some(leases) => leases.acquire(self.work, self.me, life).await == Leave::Granted,
        }
    }

    /// Leaves the work to whoever asks next.
    pub(crate) async fn give_up(&self) {
        if let Some(leases) = &self.leases {
            leases.release(self.work, self.me).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use replygate_embedded::OsEntropy;
    use replygate_testkit::memory::MemoryLeases;

    use super::*;

    fn duty(leases: &Arc<dyn Leases>) -> Duty {
        Duty {
            leases: Some(leases.clone()),
            work: SessionId(Work::Retention as u128),
            me: TurnId(replygate_ports::clock::Entropy::bits(&OsEntropy)),
        }
    }

    #[tokio::test]
    async fn one_process_does_what_is_done_once() {
        let clock = Arc::new(replygate_testkit::clock::SimClock::start());
        let leases: Arc<dyn Leases> = Arc::new(MemoryLeases::new(clock));
        let (one, two) = (duty(&leases), duty(&leases));
        let hour = Duration::from_hours(1);
        assert!(one.is_ours(hour).await);
        assert!(one.is_ours(hour).await);
        assert!(!two.is_ours(hour).await);
        one.give_up().await;
        assert!(two.is_ours(hour).await);
    }

    #[tokio::test]
    async fn a_process_that_is_alone_does_everything() {
        let alone = Duty::new(Work::Operations, None, &OsEntropy);
        assert!(alone.is_ours(Duration::ZERO).await);
        alone.give_up().await;
    }
}
