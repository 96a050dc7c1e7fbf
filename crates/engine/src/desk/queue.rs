//! Steps of one session queue up here, in the order in which they came, instead of deciding on the same version and
//! racing for the next. Must never decide who wins: that does the store, to which other processes write as well.

use std::collections::VecDeque;
use std::collections::hash_map::{Entry, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use replygate_gate::SessionId;
use replygate_ports::store::Stored;
use tokio::sync::oneshot;

type Waiting = VecDeque<oneshot::Sender<Place>>;

/// The queues of all sessions at which somebody is.
#[derive(Default)]
pub(super) struct Queues(Mutex<HashMap<SessionId, Waiting>>);

impl Queues {
    /// Waits for the place at the session's desk, behind whoever came before. `None` when `most` wait already.
    ///
    /// Whoever stops waiting, or drops the place, lets the next one in.
    pub(super) async fn enter(self: &Arc<Self>, id: SessionId, most: usize) -> Option<Place> {
        loop {
            match self.stand(id, most)? {
                Stand::First => return Some(Place::new(Arc::clone(self), id, Left::Nothing)),
                Stand::Behind(turn) => {
                    if let Ok(place) = turn.await {
                        return Some(place);
                    }
                }
            }
        }
    }

    fn stand(&self, id: SessionId, most: usize) -> Option<Stand> {
        match self.lock().entry(id) {
            Entry::Vacant(free) => {
                free.insert(Waiting::new());
                Some(Stand::First)
            }
            Entry::Occupied(mut taken) => {
                let waiting = taken.get_mut();
                if waiting.len() >= most {
                    waiting.retain(|next| !next.is_closed());
                }
                (waiting.len() < most).then(|| {
                    let (next, turn) = oneshot::channel();
                    waiting.push_back(next);
                    Stand::Behind(turn)
                })
            }
        }
    }

    /// The next in the session's queue; without one the queue is taken away.
    fn next(&self, id: SessionId) -> Option<oneshot::Sender<Place>> {
        let mut queues = self.lock();
        let next = queues.get_mut(&id)?.pop_front();
        if next.is_none() {
            queues.remove(&id);
        }
        next
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SessionId, Waiting>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Stand {
    First,
    Behind(oneshot::Receiver<Place>),
}

/// What whoever leaves knows that is of use to the next.
pub(super) enum Left {
    Nothing,
    /// The session behind the step that was just stored, the so many-eth that was left in a row.
    State(Box<Stored>, u32),
    /// The store did not answer.
    Fault,
}

/// The place at a session's desk. Whoever has given it up may go on without it.
pub(super) struct Place {
    queues: Arc<Queues>,
    id: SessionId,
    held: AtomicBool,
    left: Left,
}

impl Place {
    fn new(queues: Arc<Queues>, id: SessionId, left: Left) -> Self {
        Self {
            queues,
            id,
            held: AtomicBool::new(true),
            left,
        }
    }

    /// What the one before left here.
    pub(super) fn left(&self) -> &Left {
        &self.left
    }

    /// Gives the place to the next, if there is one, with what `left` says.
    pub(super) fn leave(&self, left: impl FnOnce() -> Left) {
        if !self.held.swap(false, Ordering::AcqRel) {
            return;
        }
        let Some(mut next) = self.queues.next(self.id) else {
            return;
        };
        let mut place = Self::new(Arc::clone(&self.queues), self.id, left());
        while let Err(unwanted) = next.send(place) {
            place = unwanted;
            let Some(another) = self.queues.next(self.id) else {
                place.held = AtomicBool::new(false);
                return;
            };
            next = another;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.leave(|| Left::Nothing);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;

    const SESSION: SessionId = SessionId(7);
    const MANY: usize = 8;

    fn queues() -> Arc<Queues> {
        Arc::default()
    }

    #[tokio::test]
    async fn places_are_given_in_the_order_of_coming_and_nothing_stays_behind() {
        let queues = queues();
        let first = queues.enter(SESSION, MANY).await.unwrap();
        let mut second = Box::pin(queues.enter(SESSION, MANY));
        let mut third = Box::pin(queues.enter(SESSION, MANY));
        assert!(second.as_mut().now_or_never().is_none());
        assert!(third.as_mut().now_or_never().is_none());
        assert!(queues.enter(SessionId(8), MANY).now_or_never().is_some());
        drop(first);
        assert!(third.as_mut().now_or_never().is_none());
        drop(second.await);
        drop(third.await);
        assert!(queues.lock().is_empty());
    }

    #[tokio::test]
    async fn whoever_stops_waiting_before_or_after_being_called_lets_the_next_in() {
        let queues = queues();
        let first = queues.enter(SESSION, MANY).await.unwrap();
        let mut waiting: Vec<_> = (0..3)
            .map(|_| Box::pin(queues.enter(SESSION, MANY)))
            .collect();
        for turn in &mut waiting {
            assert!(turn.as_mut().now_or_never().is_none());
        }
        drop(waiting.remove(0));
        drop(first);
        // This one was called just now.
        drop(waiting.remove(0));
        drop(waiting.remove(0).await.unwrap());
        assert!(queues.lock().is_empty());
    }

    #[tokio::test]
    async fn a_full_queue_takes_nobody_until_somebody_stops_waiting() {
        let queues = queues();
        let _first = queues.enter(SESSION, 1).await.unwrap();
        let mut second = Box::pin(queues.enter(SESSION, 1));
        assert!(second.as_mut().now_or_never().is_none());
        assert!(matches!(
            queues.enter(SESSION, 1).now_or_never(),
            Some(None)
        ));
        drop(second);
        assert!(queues.enter(SESSION, 1).now_or_never().is_none());
    }

    #[tokio::test]
    async fn what_is_left_comes_to_the_next_only_and_a_place_is_left_once() {
        let queues = queues();
        let first = queues.enter(SESSION, MANY).await.unwrap();
        let mut second = Box::pin(queues.enter(SESSION, MANY));
        assert!(second.as_mut().now_or_never().is_none());
        first.leave(|| Left::Fault);
        let second = second.await.unwrap();
        assert!(matches!(second.left(), Left::Fault));
        drop(first);
        assert!(queues.enter(SESSION, MANY).now_or_never().is_none());
        drop(second);
        let third = queues.enter(SESSION, MANY).await.unwrap();
        assert!(matches!(third.left(), Left::Nothing));
    }
}
