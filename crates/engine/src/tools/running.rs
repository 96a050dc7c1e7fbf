//! The calls that this process carries out, so that whoever waits for one learns of its end at once. Must never be the
//! only way to learn it: another process asks the ledger.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use replygate_gate::ActionId;
use tokio::sync::watch;

#[derive(Debug, Default)]
pub(super) struct Running {
    calls: Mutex<HashMap<ActionId, watch::Sender<()>>>,
}

impl Running {
    pub fn begin(&self, action: ActionId) {
        self.calls().insert(action, watch::Sender::new(()));
    }

    /// Wakes whoever waits for it.
    pub fn end(&self, action: ActionId) {
        self.calls().remove(&action);
    }

    /// Waits for its end; `None` when this process does not carry it out.
    pub fn ended(&self, action: ActionId) -> Option<impl Future<Output = ()> + use<>> {
        let mut end = self.calls().get(&action)?.subscribe();
        Some(async move {
            // Nothing is ever sent: the end is the sender's.
            let _ = end.changed().await;
        })
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<ActionId, watch::Sender<()>>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn everybody_who_waits_for_a_call_learns_of_its_end() {
        let running = Running::default();
        running.begin(ActionId(1));
        let waiting: Vec<_> = (0..3).filter_map(|_| running.ended(ActionId(1))).collect();
        assert_eq!(waiting.len(), 3);
        assert!(running.ended(ActionId(2)).is_none());
        running.end(ActionId(1));
        for end in waiting {
            end.await;
        }
        assert!(running.ended(ActionId(1)).is_none());
    }
}
