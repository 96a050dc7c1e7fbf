//! The newest state of recently used sessions, so that a load rarely touches SQL. Must never be newer than what is
//! committed, and never older.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use replygate_gate::SessionId;
use replygate_ports::store::Stored;

/// Sessions kept at most; of those at rest, which take about 700 bytes each, half of it: 3 MB however many are known.
const MOST: usize = 8_192;
/// Commits are counted in so many groups of sessions; a group's count tells a load whether its read may be stale.
const GROUPS: usize = 1_024;

/// A session as the writer needs it.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    /// Its number in the file.
    pub n: i64,
    /// Its key, version and state.
    pub stored: Stored,
}

/// What the cache knows.
pub(crate) enum Look {
    /// The newest state.
    Here(Arc<Known>),
    /// There is no such session.
    Absent,
    /// The file must be asked; the ticket proves that nothing was committed meanwhile.
    Unknown(Ticket),
}

/// The state of a group of sessions before a read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ticket(u64);

pub(crate) struct Cache {
    inner: Mutex<Inner>,
}

struct Inner {
    /// Two generations: when the young one is half of what is allowed, what is open in it becomes the old one, and the old
    /// one goes.
    young: HashMap<SessionId, Arc<Known>>,
    old: HashMap<SessionId, Arc<Known>>,
    commits: Vec<u64>,
    ever: Ever,
}

impl Cache {
    pub fn new(ever: Ever) -> Self {
        let inner = Inner {
            young: HashMap::new(),
            old: HashMap::new(),
            commits: vec![0; GROUPS],
            ever,
        };
        Self {
            inner: Mutex::new(inner),
        }
    }

    pub fn look(&self, id: SessionId) -> Look {
        let mut inner = self.inner();
        if let Some(known) = inner.get(id) {
            return Look::Here(known);
        }
        if !inner.ever.may_hold(id) {
            return Look::Absent;
        }
        Look::Unknown(Ticket(inner.commits[group(id)]))
    }

    /// Keeps what a read found, unless a commit may have overtaken the read.
    pub fn fill(&self, id: SessionId, ticket: Ticket, known: Arc<Known>) {
        let mut inner = self.inner();
        if inner.commits[group(id)] == ticket.0 {
            inner.put(id, known);
        }
    }

    /// Keeps what was committed.
    pub fn committed(&self, sessions: impl Iterator<Item = (SessionId, Arc<Known>)>) {
        let mut inner = self.inner();
        for (id, known) in sessions {
            inner.commits[group(id)] += 1;
            inner.ever.add(id);
            inner.put(id, known);
        }
    }

    /// Lets go of sessions that changed, or may have, in a way that the cache was not told.
    pub fn distrust(&self, sessions: impl Iterator<Item = SessionId>) {
        let mut inner = self.inner();
        for id in sessions {
            inner.commits[group(id)] += 1;
            inner.ever.add(id);
            inner.young.remove(&id);
            inner.old.remove(&id);
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn get(&mut self, id: SessionId) -> Option<Arc<Known>> {
        if let Some(known) = self.young.get(&id) {
            return Some(Arc::clone(known));
        }
        let known = self.old.remove(&id)?;
        self.put(id, Arc::clone(&known));
        Some(known)
    }

    fn put(&mut self, id: SessionId, known: Arc<Known>) {
        self.old.remove(&id);
        self.young.insert(id, known);
        if self.young.len() >= MOST / 2 {
            self.old = std::mem::take(&mut self.young);
            self.old.retain(|_, known| known.stored.session.is_open());
        }
    }
}

fn group(id: SessionId) -> usize {
    id.0 as usize % GROUPS
}

/// Bits of [`Ever`], as a power of two: one mebibyte, right for a million sessions.
const EVER_BITS: u32 = 23;

/// Which sessions may exist: a first message of a new contact needs no look into the file. A Bloom filter over the
/// identifiers, which are hashes already.
pub(crate) struct Ever {
    words: Vec<u64>,
}

impl Ever {
    pub fn new() -> Self {
        Self {
            words: vec![0; 1 << (EVER_BITS - 6)],
        }
    }

    pub fn add(&mut self, id: SessionId) {
        for bit in bits(id) {
            self.words[bit >> 6] |= 1 << (bit & 63);
        }
    }

    fn may_hold(&self, id: SessionId) -> bool {
        bits(id).all(|bit| self.words[bit >> 6] & (1 << (bit & 63)) != 0)
    }
}

fn bits(id: SessionId) -> impl Iterator<Item = usize> {
    (0..4).map(move |part| (id.0 >> (part * 32)) as usize & ((1 << EVER_BITS) - 1))
}

#[cfg(test)]
mod tests {
    use replygate_gate::{At, Session, SessionKey, Takeover};

    use super::*;

    fn known(version: u64) -> Arc<Known> {
        let takeover = Takeover {
            by: "ana".to_owned(),
            since: At(0),
        };
        let session = Session {
            takeover: Some(takeover),
            ..Session::default()
        };
        let key = SessionKey::default();
        let stored = Stored {
            key,
            version,
            session,
        };
        Arc::new(Known { n: 1, stored })
    }

    fn at_rest() -> Arc<Known> {
        let mut known = Known::clone(&known(1));
        known.stored.session = Session::default();
        Arc::new(known)
    }

    fn id(n: u64) -> SessionId {
        SessionKey {
            contact: n.to_string(),
            ..SessionKey::default()
        }
        .session()
    }

    fn version(cache: &Cache, id: SessionId) -> Option<u64> {
        match cache.look(id) {
            Look::Here(known) => Some(known.stored.version),
            Look::Absent | Look::Unknown(_) => None,
        }
    }

    fn cache_with(id: SessionId) -> Cache {
        let mut ever = Ever::new();
        ever.add(id);
        Cache::new(ever)
    }

    #[test]
    fn a_read_that_a_commit_overtook_is_not_kept() {
        let cache = cache_with(id(1));
        let Look::Unknown(ticket) = cache.look(id(1)) else {
            panic!("nothing is cached yet")
        };
        cache.committed([(id(1), known(2))].into_iter());
        cache.distrust([id(1)].into_iter());
        cache.fill(id(1), ticket, known(1));
        assert_eq!(version(&cache, id(1)), None);
    }

    #[test]
    fn a_read_that_nothing_overtook_is_kept() {
        let cache = cache_with(id(1));
        let Look::Unknown(ticket) = cache.look(id(1)) else {
            panic!("nothing is cached yet")
        };
        cache.fill(id(1), ticket, known(1));
        assert_eq!(version(&cache, id(1)), Some(1));
    }

    #[test]
    fn an_identifier_that_was_never_committed_is_absent_without_a_read() {
        assert!(matches!(Cache::new(Ever::new()).look(id(7)), Look::Absent));
    }

    #[test]
    fn the_cache_stays_bounded_and_keeps_what_is_used() {
        let cache = Cache::new(Ever::new());
        cache.committed([(id(0), known(9))].into_iter());
        for n in 1..3 * MOST as u64 {
            cache.committed([(id(n), known(1))].into_iter());
            assert_eq!(version(&cache, id(0)), Some(9));
        }
        let inner = cache.inner();
        assert!(inner.young.len() + inner.old.len() <= MOST);
    }

    #[test]
    fn sessions_at_rest_go_first() {
        let cache = Cache::new(Ever::new());
        cache.committed([(id(0), at_rest()), (id(1), known(1))].into_iter());
        cache.committed((2..MOST as u64 / 2).map(|n| (id(n), at_rest())));
        assert_eq!(version(&cache, id(0)), None);
        assert_eq!(version(&cache, id(1)), Some(1));
    }
}
