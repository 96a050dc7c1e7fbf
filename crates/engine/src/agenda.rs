//! Timers: when a session needs attention. One entry per session with open work; an idle session costs nothing. Must
//! never be the only memory of a due time: the store has it too, and the sweeper reads it there.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use replygate_gate::{At, SessionId};
use replygate_ports::clock::Clock;
use replygate_ports::wakes::Wake;
use tokio::sync::Notify;

/// How many sessions that came to rest are remembered, so that a slower task's older timer does not wake them.
const MOST_RESTING: usize = 4_096;

/// What is known of a session: the version that set its timer, and the timer.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Entry {
    version: u64,
    at: Option<At>,
}

#[derive(Default)]
struct Entries {
    by_time: BTreeSet<(At, SessionId)>,
    by_session: HashMap<SessionId, Entry>,
    resting: VecDeque<(SessionId, u64)>,
}

impl Entries {
    /// Sets the entry unless a newer version did; tells whether it is the earliest now.
    fn set(&mut self, session: SessionId, entry: Entry) -> bool {
        let old = self.by_session.get(&session).copied();
        if old.is_some_and(|old| old.version > entry.version || old == entry) {
            return false;
        }
        if let Some(at) = old.and_then(|old| old.at) {
            self.by_time.remove(&(at, session));
        }
        self.by_session.insert(session, entry);
        let Some(at) = entry.at else {
            self.rest(session, entry.version);
            return false;
        };
        self.by_time.insert((at, session));
        self.by_time.first() == Some(&(at, session))
    }

    fn rest(&mut self, session: SessionId, version: u64) {
        self.resting.push_back((session, version));
        while self.resting.len() > MOST_RESTING {
            let Some((session, version)) = self.resting.pop_front() else {
                return;
            };
            let entry = Entry { version, at: None };
            if self.by_session.get(&session) == Some(&entry) {
                self.by_session.remove(&session);
            }
        }
    }
}

/// When sessions need attention.
pub struct Agenda {
    clock: Arc<dyn Clock>,
    entries: Mutex<Entries>,
    earlier: Notify,
}

impl Agenda {
    /// An empty agenda.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            entries: Mutex::default(),
            earlier: Notify::new(),
        }
    }

    /// Since `version`, the session needs attention at `at`, or never. An older version than the last one told is ignored.
    pub fn arm(&self, session: SessionId, version: u64, at: Option<At>) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.set(session, Entry { version, at }) {
            self.earlier.notify_one();
        }
    }

    /// How many sessions wait here.
    #[must_use]
    pub fn len(&self) -> usize {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.by_time.len()
    }

    /// Every session that waits here, with its time; none waits here afterwards.
    #[must_use]
    pub fn drain(&self) -> Vec<Wake> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let by_time = std::mem::take(&mut entries.by_time);
        let versions = std::mem::take(&mut entries.by_session);
        let wake = |(at, session)| Wake {
            session,
            version: versions.get(&session).map_or(0, |entry| entry.version),
            at,
        };
        by_time.into_iter().map(wake).collect()
    }

    /// The next sessions whose time has come, at least one; waits for them.
    pub async fn due(&self) -> Vec<SessionId> {
        loop {
            let (due, next) = self.take(self.clock.now());
            if !due.is_empty() {
                return due;
            }
            let earlier = self.earlier.notified();
            match next {
                None => earlier.await,
                Some(at) => {
                    let wait = Duration::from_millis(at.since(self.clock.now()));
                    tokio::select! {
                        biased;
                        () = earlier => {}
                        () = self.clock.sleep(wait) => {}
                    }
                }
            }
        }
    }

    fn take(&self, now: At) -> (Vec<SessionId>, Option<At>) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let mut due = Vec::new();
        while let Some(&(at, session)) = entries.by_time.first() {
            if at > now {
                return (due, Some(at));
            }
            entries.by_time.pop_first();
            if let Some(entry) = entries.by_session.get_mut(&session) {
                entry.at = None;
                let version = entry.version;
                entries.rest(session, version);
            }
            due.push(session);
        }
        (due, None)
    }
}
