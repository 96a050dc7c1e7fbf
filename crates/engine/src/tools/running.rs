//! The calls that this process carries out, so that whoever waits for one learns of its end at once. Must never be the
//! only way to learn it: another process asks the ledger.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use replygate_gate::ActionId;
use tokio_util::sync::CancellationToken;

#[derive(Debug, Default)]
pub(super) struct Running {
    calls: Mutex<HashMap<ActionId, CancellationToken>>,
}

impl Running {
    pub fn begin(&self, action: ActionId) {
        self.calls().insert(action, CancellationToken::new());
    }

    /// Wakes whoever waits for it, in the order in which they came.
    pub fn end(&self, action: ActionId) {
        if let Some(ended) = self.calls().remove(&action) {
            ended.cancel();
        }
    }

    /// Waits for its end; `None` when this process does not carry it out.
    pub fn ended(&self, action: ActionId) -> Option<impl Future<Output = ()> + use<>> {
        let ended = self.calls().get(&action)?.clone();
        Some(ended.cancelled_owned())
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<ActionId, CancellationToken>> {
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
