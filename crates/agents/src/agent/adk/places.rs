//! One run at a time in each session. Must never hold a session that nobody runs in.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures::lock::{Mutex as Turnstile, OwnedMutexGuard};
use replygate_gate::SessionId;

/// The sessions in which something runs or waits.
#[derive(Default)]
pub(super) struct Places(Arc<Mutex<HashMap<SessionId, Arc<Turnstile<()>>>>>);

/// The right to run in a session, until it is dropped.
pub(super) struct Place {
    session: SessionId,
    guard: Option<OwnedMutexGuard<()>>,
    places: Arc<Mutex<HashMap<SessionId, Arc<Turnstile<()>>>>>,
}

impl Places {
    /// Waits until nothing runs in the session.
    pub(super) async fn take(&self, session: SessionId) -> Place {
        let turnstile = {
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(known.entry(session).or_default())
        };
        // Made first, so that a wait that is given up is cleared away too.
        let mut place = Place {
            session,
            guard: None,
            places: Arc::clone(&self.0),
        };
        let turn = turnstile.lock_owned();
        place.guard = Some(turn.await);
        place
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.guard = None;
        let mut known = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        // One is the map's own; whoever waits has another.
        let is_idle = known
            .get(&self.session)
            .is_some_and(|turnstile| Arc::strong_count(turnstile) == 1);
        if is_idle {
            known.remove(&self.session);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    #[test]
    fn a_second_run_waits_for_the_first_and_other_sessions_do_not() {
        let places = Places::default();
        let first = places.take(SessionId(1)).now_or_never().unwrap();
        let mut second = Box::pin(places.take(SessionId(1)));
        assert!(second.as_mut().now_or_never().is_none());
        assert!(places.take(SessionId(2)).now_or_never().is_some());
        drop(first);
        let second = second.now_or_never().unwrap();
        drop(second);
        assert!(places.0.lock().unwrap().is_empty());
    }

    #[test]
    fn a_wait_that_is_given_up_leaves_nothing_behind() {
        for first_ends_first in [true, false] {
            let places = Places::default();
            let first = places.take(SessionId(1)).now_or_never().unwrap();
            let mut second = Box::pin(places.take(SessionId(1)));
            assert!(second.as_mut().now_or_never().is_none());
            if first_ends_first {
                drop(first);
                drop(second);
            } else {
                drop(second);
                drop(first);
            }
            assert!(places.0.lock().unwrap().is_empty());
        }
    }
}
