//! The area of changes: a bounded memory of what changed last, and everybody who listens. Must never wait for a slow
//! reader: whoever falls behind is told to look at everything once.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use futures::stream::{self, StreamExt};
use replygate_app::console::{ChangeStream, Changes, Numbered};
use replygate_app::view::{Caller, Change, ConsoleError, Permission, Topic};
use replygate_gate::{DuplicateId, OperationId, SessionId};
use replygate_ports::clock::Clock;
use replygate_ports::feed::{Feed, News};
use tokio::sync::broadcast::{self, error::RecvError};
use tokio_util::sync::CancellationToken;

use super::ServerConsole;

/// How many changes a browser that comes back can catch up on.
const KEPT: usize = 2_048;
/// A stream ends after this time and the browser opens a new one, so that a sign-in that is over is noticed.
const LONGEST: Duration = Duration::from_hours(1);

/// The names of the events with which a reply begins or ceases to wait for a person.
const OF_PARKED: [&str; 10] = [
    "parked",
    "outcome_unknown",
    "requeued",
    "rerun_requested",
    "rerun_ended",
    "discarded",
    "superseded",
    "delivered",
    "arrived",
    "taken_over",
];

/// What changed.
#[derive(Clone, Copy, Debug)]
enum What {
    /// A session reached this version; replies in it may wait for a person now, or no longer.
    Session {
        id: SessionId,
        version: u64,
        parked: bool,
    },
    /// An operation reached this version.
    Operation { id: OperationId, version: u64 },
    /// A call was held back, or the record of one was judged.
    Duplicate { id: DuplicateId },
    /// Something that only a look at everything shows.
    Everything,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    seq: u64,
    what: What,
}

struct Memory {
    last: u64,
    entries: VecDeque<Entry>,
}

/// The last changes, and who listens for more.
pub(crate) struct Ring {
    memory: Mutex<Memory>,
    news: broadcast::Sender<Entry>,
}

impl Ring {
    /// An empty memory. Its numbers begin with the time, so that a browser that comes back after a restart names one that
    /// is not known here.
    pub(crate) fn new(clock: &dyn Clock) -> Self {
        let memory = Memory {
            last: clock.now().0.max(0).unsigned_abs() * 1_000,
            entries: VecDeque::with_capacity(KEPT),
        };
        Self {
            memory: Mutex::new(memory),
            news: broadcast::Sender::new(KEPT),
        }
    }

    /// Takes in news until `stop`.
    pub(crate) async fn follow(&self, feed: Arc<dyn Feed>, stop: CancellationToken) {
        let mut news = feed
            .subscribe()
            .take_until(Box::pin(stop.cancelled_owned()));
        while let Some(news) = news.next().await {
            match news {
                News::Session {
                    session,
                    version,
                    events,
                    ..
                } => self.add(What::Session {
                    id: session,
                    version,
                    parked: events.iter().any(|name| OF_PARKED.contains(&name.as_str())),
                }),
                News::Operation {
                    operation: id,
                    version,
                } => self.add(What::Operation { id, version }),
                News::Duplicate { duplicate: id, .. } => self.add(What::Duplicate { id }),
                News::Page { .. } => {}
                News::Settings { .. } | News::Tool { .. } | News::Skipped => {
                    self.add(What::Everything);
                }
            }
        }
    }

    fn add(&self, what: What) {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        memory.last += 1;
        let entry = Entry {
            seq: memory.last,
            what,
        };
        if memory.entries.len() == KEPT {
            memory.entries.pop_front();
        }
        memory.entries.push_back(entry);
        // Under the lock, so that the order in memory is the order of telling. Nobody listening is no fault.
        let _ = self.news.send(entry);
    }

    /// What came behind `after`, and everything from now on.
    fn listen(&self, after: Option<u64>) -> (Vec<Entry>, broadcast::Receiver<Entry>) {
        let memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let listener = self.news.subscribe();
        let Some(after) = after else {
            return (Vec::new(), listener);
        };
        let oldest = memory
            .entries
            .front()
            .map_or(memory.last + 1, |entry| entry.seq);
        if after > memory.last || after + 1 < oldest {
            let unknown = Entry {
                seq: memory.last,
                what: What::Everything,
            };
            return (vec![unknown], listener);
        }
        let missed = memory.entries.iter().filter(|entry| entry.seq > after);
        (missed.copied().collect(), listener)
    }
}

#[async_trait]
impl Changes for ServerConsole {
    async fn changes(
        &self,
        who: &Caller,
        topics: Vec<Topic>,
        after: Option<u64>,
    ) -> Result<ChangeStream, ConsoleError> {
        who.need(Permission::See)?;
        let (missed, listener) = self.ring.listen(after);
        let clock = self.service.stores.clock.clone();
        let departures = self.door.departures();
        let (stop, name) = (self.service.stop.clone(), who.id.0.clone());
        let end = async move {
            tokio::select! {
                () = stop.cancelled() => {}
                () = clock.sleep(LONGEST) => {}
                () = left(departures, &name) => {}
            }
        };
        let changes = stream::iter(missed)
            .chain(stream::unfold(listener, next))
            .filter_map(move |entry| std::future::ready(numbered(entry, &topics)))
            .take_until(Box::pin(end));
        Ok(Box::pin(changes))
    }
}

async fn next(
    mut listener: broadcast::Receiver<Entry>,
) -> Option<(Entry, broadcast::Receiver<Entry>)> {
    match listener.recv().await {
        Ok(entry) => Some((entry, listener)),
        // The next entry brings its own number; until then a browser that comes back names none.
        Err(RecvError::Lagged(_)) => Some((
            Entry {
                seq: 0,
                what: What::Everything,
            },
            listener,
        )),
        Err(RecvError::Closed) => None,
    }
}

fn numbered(entry: Entry, topics: &[Topic]) -> Option<Numbered> {
    let change = match entry.what {
        What::Everything => Change::Resync,
        What::Session {
            id,
            version,
            parked,
        } => {
            let id = id.to_string();
            let is_wanted = topics.iter().any(|topic| match topic {
                Topic::Sessions => true,
                Topic::Session(wanted) => wanted.as_str() == id,
                Topic::Parked => parked,
                Topic::Operation(_) | Topic::Duplicates => false,
            });
            if !is_wanted {
                return None;
            }
            Change::Session {
                id: id.into(),
                version,
            }
        }
        What::Operation { id, version } => {
            let id = id.to_string();
            let is_wanted = topics
                .iter()
                .any(|topic| matches!(topic, Topic::Operation(wanted) if wanted.as_str() == id));
            if !is_wanted {
                return None;
            }
            Change::Operation {
                id: id.into(),
                version,
            }
        }
        What::Duplicate { id } => {
            if !topics.contains(&Topic::Duplicates) {
                return None;
            }
            Change::Duplicate { id: id.to_string() }
        }
    };
    Some(Numbered {
        seq: entry.seq,
        change,
    })
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
    use super::*;
    use replygate_embedded::SystemClock;

    fn ring(entries: u64) -> (Ring, u64) {
        let ring = Ring::new(&SystemClock::start());
        let first = ring.memory.lock().unwrap().last;
        for version in 0..entries {
            ring.add(What::Session {
                id: SessionId(1),
                version,
                parked: false,
            });
        }
        (ring, first)
    }

    #[test]
    fn a_browser_that_comes_back_gets_what_it_missed() {
        let (ring, first) = ring(5);
        let missed: Vec<u64> = ring
            .listen(Some(first + 3))
            .0
            .iter()
            .map(|entry| entry.seq - first)
            .collect();
        assert_eq!(missed, [4, 5]);
        assert!(ring.listen(Some(first + 5)).0.is_empty());
        assert!(ring.listen(None).0.is_empty());
    }

    #[test]
    fn a_call_that_was_held_back_is_told_to_whoever_lists_them_and_to_nobody_else() {
        let entry = Entry {
            seq: 7,
            what: What::Duplicate { id: DuplicateId(9) },
        };
        let told = numbered(entry, &[Topic::Sessions, Topic::Duplicates]).unwrap();
        let id = DuplicateId(9).to_string();
        assert_eq!(told.change, Change::Duplicate { id });
        let others = [Topic::Sessions, Topic::Parked];
        assert_eq!(numbered(entry, &others), None);
    }

    #[test]
    fn what_is_forgotten_or_of_another_run_means_look_at_everything() {
        let (ring, first) = ring(KEPT as u64 + 10);
        for after in [0, first + 2, first + KEPT as u64 + 11] {
            let missed = ring.listen(Some(after)).0;
            assert_eq!(missed.len(), 1, "{after}");
            assert!(matches!(missed[0].what, What::Everything));
        }
    }
}
