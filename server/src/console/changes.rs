//! The area of changes: what a browser hears of the [`Ring`]. At most five frames a second go to each, whatever happens: a
//! frame tells everything since the one before.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::stream::{self, StreamExt};
use replygate_app::console::{ChangeStream, Changes, Numbered};
use replygate_app::view::{Caller, ConsoleError, Permission, Topic};
use replygate_ports::clock::Clock;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::sync::watch;

use super::ServerConsole;
use super::ring::{Ring, Wanted};

/// Between two looks of a stream at what changed: five frames a second.
const PAUSE: Duration = Duration::from_millis(200);
/// A stream ends after this time and the browser opens a new one, so that a sign-in that is over is noticed.
const LONGEST: Duration = Duration::from_hours(1);

#[async_trait]
impl Changes for ServerConsole {
    async fn changes(
        &self,
        who: &Caller,
        topics: Vec<Topic>,
        after: Option<u64>,
    ) -> Result<ChangeStream, ConsoleError> {
        who.need(Permission::See)?;
        let clock = self.service.stores.clock.clone();
        let listener = Listener::new(&self.ring, &clock, &topics, after);
        let departures = self.door.departures();
        let (stop, name) = (self.service.stop.clone(), who.id.0.clone());
        let end = async move {
            tokio::select! {
                () = stop.cancelled() => {}
                () = clock.sleep(LONGEST) => {}
                () = left(departures, &name) => {}
            }
        };
        let changes = stream::unfold(listener, Listener::next).take_until(Box::pin(end));
        Ok(Box::pin(changes))
    }
}

/// One browser's place in what changed.
struct Listener {
    ring: Arc<Ring>,
    clock: Arc<dyn Clock>,
    told: watch::Receiver<u64>,
    wanted: Vec<Wanted>,
    /// The number of the last change that was looked at.
    after: u64,
    has_looked: bool,
}

impl Listener {
    /// Listens from now on, or behind `after`.
    fn new(ring: &Arc<Ring>, clock: &Arc<dyn Clock>, topics: &[Topic], after: Option<u64>) -> Self {
        let told = ring.told();
        let now = *told.borrow();
        Self {
            ring: ring.clone(),
            clock: clock.clone(),
            told,
            wanted: topics.iter().filter_map(Wanted::of).collect(),
            after: after.unwrap_or(now),
            has_looked: false,
        }
    }

    /// What changed next. A quiet stream tells it at once; a busy one looks again after its pause, also where nothing of
    /// what happens concerns it: being woken by everything would cost more than telling it.
    async fn next(mut self) -> Option<(Numbered, Self)> {
        loop {
            if std::mem::replace(&mut self.has_looked, true) {
                self.clock.sleep(PAUSE).await;
                let after = self.after;
                self.told.wait_for(|last| *last > after).await.ok()?;
            }
            let (seq, changes) = self.ring.since(self.after, &self.wanted);
            self.after = seq;
            if !changes.is_empty() {
                return Some((Numbered { seq, changes }, self));
            }
        }
    }
}

/// Returns when this person signs out.
async fn left(mut departures: broadcast::Receiver<String>, name: &str) {
    loop {
        match departures.recv().await {
            Ok(gone) if gone == name => return,
            Ok(_) | Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => std::future::pending().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;
    use replygate_app::view::Change;
    use replygate_gate::SessionId;
    use replygate_testkit::clock::ManualClock;

    use super::super::ring::What;
    use super::*;

    fn step(session: u128, version: u64) -> What {
        What::Session {
            id: SessionId(session),
            version,
            parked: false,
        }
    }

    #[tokio::test]
    async fn a_stream_tells_the_first_change_at_once_and_then_five_times_a_second() {
        let clock = Arc::new(ManualClock::new());
        let ring = Arc::new(Ring::new(&*clock));
        let timed: Arc<dyn Clock> = clock.clone();
        let listener = Listener::new(&ring, &timed, &[Topic::Sessions], None);
        let mut frames = Box::pin(stream::unfold(listener, Listener::next));
        assert!(frames.next().now_or_never().is_none());
        clock.advance(PAUSE);
        assert!(frames.next().now_or_never().is_none());
        ring.add(step(1, 1));
        let first = frames.next().now_or_never().unwrap().unwrap();
        assert_eq!(first.changes.len(), 1);
        for version in 2..=100 {
            ring.add(step(1, version));
            ring.add(step(2, version));
        }
        assert!(frames.next().now_or_never().is_none());
        clock.advance(PAUSE);
        let second = frames.next().now_or_never().unwrap().unwrap();
        let told = [1, 2].map(|session| Change::Session {
            id: SessionId(session).to_string().into(),
            version: 100,
        });
        assert_eq!(second.changes, told);
        assert_eq!(second.seq, first.seq + 198);
    }
}
