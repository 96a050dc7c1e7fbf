//! A bounded memory of what changed last, in which every open console has its place. Must never wait for a reader: whoever
//! comes too late is told to look at everything once.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use futures::stream::StreamExt as _;
use replygate_app::view::{Change, Topic};
use replygate_gate::{DuplicateId, OperationId, SessionId};
use replygate_ports::clock::Clock;
use replygate_ports::feed::{Feed, News};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// How many changes a browser that comes back can catch up on.
const KEPT: usize = 2_048;
/// A frame that would name more than this says to look at everything: no page shows more rows.
const NAMED: usize = 64;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
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

impl What {
    /// Whether a browser that hears of `self` needs not hear of `other`.
    fn covers(self, other: Self) -> bool {
        match (self, other) {
            (Self::Session { id, .. }, Self::Session { id: other, .. }) => id == other,
            (Self::Operation { id, .. }, Self::Operation { id: other, .. }) => id == other,
            (Self::Duplicate { id }, Self::Duplicate { id: other }) => id == other,
            _ => false,
        }
    }

    fn told(self) -> Change {
        match self {
            Self::Session { id, version, .. } => Change::Session {
                id: id.to_string().into(),
                version,
            },
            Self::Operation { id, version } => Change::Operation {
                id: id.to_string().into(),
                version,
            },
            Self::Duplicate { id } => Change::Duplicate { id: id.to_string() },
            Self::Everything => Change::Resync,
        }
    }
}

/// What a browser wants to hear of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Sessions,
    Session(SessionId),
    Parked,
    Operation(OperationId),
    Duplicates,
}

impl Wanted {
    /// The topic with its id read; nothing ever happens to an id that is none.
    pub(super) fn of(topic: &Topic) -> Option<Self> {
        Some(match topic {
            Topic::Sessions => Self::Sessions,
            Topic::Session(id) => Self::Session(id.as_str().parse().ok()?),
            Topic::Parked => Self::Parked,
            Topic::Operation(id) => Self::Operation(id.as_str().parse().ok()?),
            Topic::Duplicates => Self::Duplicates,
        })
    }

    fn concerns(self, what: What) -> bool {
        match (self, what) {
            (_, What::Everything)
            | (Self::Sessions, What::Session { .. })
            | (Self::Duplicates, What::Duplicate { .. }) => true,
            (Self::Session(wanted), What::Session { id, .. }) => wanted == id,
            (Self::Parked, What::Session { parked, .. }) => parked,
            (Self::Operation(wanted), What::Operation { id, .. }) => wanted == id,
            _ => false,
        }
    }
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

/// The last changes, and a word to whoever waits for more.
pub(crate) struct Ring {
    memory: Mutex<Memory>,
    told: watch::Sender<u64>,
}

impl Ring {
    /// An empty memory. Its numbers begin with the time, so that a browser that comes back after a restart names one that
    /// is not known here.
    pub(crate) fn new(clock: &dyn Clock) -> Self {
        let last = clock.now().0.max(0).unsigned_abs() * 1_000;
        let memory = Memory {
            last,
            entries: VecDeque::with_capacity(KEPT),
        };
        Self {
            memory: Mutex::new(memory),
            told: watch::Sender::new(last),
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

    pub(super) fn add(&self, what: What) {
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
        // Under the lock, so that nobody is told of a number that cannot be found. Nobody listening is no fault.
        self.told.send_replace(entry.seq);
    }

    /// The number of the last change, as it grows.
    pub(super) fn told(&self) -> watch::Receiver<u64> {
        self.told.subscribe()
    }

    /// What came behind `after` and is wanted, the newest of each, and the number up to which that is everything.
    pub(super) fn since(&self, after: u64, wanted: &[Wanted]) -> (u64, Vec<Change>) {
        let memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let last = memory.last;
        let oldest = memory.entries.front().map_or(last + 1, |entry| entry.seq);
        if after > last || after + 1 < oldest {
            return (last, vec![Change::Resync]);
        }
        let behind = memory.entries.iter().rev();
        let behind = behind.take_while(|entry| entry.seq > after);
        let mut found: Vec<What> = Vec::new();
        for Entry { what, .. } in behind {
            let is_told = found.iter().any(|newer| newer.covers(*what));
            if is_told || !wanted.iter().any(|wanted| wanted.concerns(*what)) {
                continue;
            }
            if *what == What::Everything || found.len() == NAMED {
                return (last, vec![Change::Resync]);
            }
            found.push(*what);
        }
        drop(memory);
        (last, found.into_iter().rev().map(What::told).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use replygate_embedded::SystemClock;

    /// A ring in which so many sessions changed, one after the other, and the number before the first.
    fn ring(sessions: u64) -> (Ring, u64) {
        let ring = Ring::new(&SystemClock::start());
        let first = ring.memory.lock().unwrap().last;
        for session in 0..sessions {
            ring.add(session_at(session, 1));
        }
        (ring, first)
    }

    fn session_at(session: u64, version: u64) -> What {
        What::Session {
            id: SessionId(session.into()),
            version,
            parked: false,
        }
    }

    #[test]
    fn a_browser_that_comes_back_gets_what_it_missed() {
        let (ring, first) = ring(5);
        let (last, missed) = ring.since(first + 3, &[Wanted::Sessions]);
        assert_eq!(last, first + 5);
        assert_eq!(missed, [3, 4].map(|session| session_at(session, 1).told()));
        assert_eq!(ring.since(first + 5, &[Wanted::Sessions]).1, []);
    }

    #[test]
    fn of_several_changes_of_one_session_the_last_is_told() {
        let (ring, first) = ring(2);
        for version in 2..=9 {
            ring.add(session_at(0, version));
        }
        let (_, told) = ring.since(first, &[Wanted::Sessions]);
        assert_eq!(told, [session_at(1, 1).told(), session_at(0, 9).told()]);
    }

    #[test]
    fn a_browser_hears_of_what_it_asked_for_and_of_nothing_else() {
        let (ring, first) = ring(2);
        ring.add(What::Duplicate { id: DuplicateId(9) });
        let told = |topic: Topic| {
            let wanted: Vec<Wanted> = Wanted::of(&topic).into_iter().collect();
            ring.since(first, &wanted).1
        };
        let id = DuplicateId(9).to_string();
        assert_eq!(told(Topic::Duplicates), [Change::Duplicate { id }]);
        let one = Topic::Session(SessionId(1).to_string().into());
        assert_eq!(told(one), [session_at(1, 1).told()]);
        assert_eq!(told(Topic::Sessions).len(), 2);
        assert_eq!(told(Topic::Parked), []);
        assert_eq!(told(Topic::Session("nobody".into())), []);
    }

    #[test]
    fn what_is_forgotten_or_of_another_run_means_look_at_everything() {
        let (ring, first) = ring(KEPT as u64 + 10);
        let last = first + KEPT as u64 + 10;
        for after in [0, first + 2, last + 1] {
            let told = ring.since(after, &[Wanted::Sessions]);
            assert_eq!(told, (last, vec![Change::Resync]), "{after}");
        }
    }

    #[test]
    fn more_than_a_page_shows_means_look_at_everything() {
        let (ring, first) = ring(NAMED as u64 + 1);
        let wanted = [Wanted::Sessions];
        assert_eq!(ring.since(first, &wanted).1, [Change::Resync]);
        assert_eq!(ring.since(first + 1, &wanted).1.len(), NAMED);
    }
}
