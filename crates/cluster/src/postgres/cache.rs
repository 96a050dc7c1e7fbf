//! The newest state of recently used sessions that this process has seen. Other processes change sessions too, so it may
//! be old: it saves reading and decoding what has not changed, and nothing is ever decided on it alone. A step that was
//! decided on an old state meets the session's version in the database.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use replygate_gate::SessionId;
use replygate_ports::store::Stored;

/// Sessions kept at most, about 1 kB each.
const MOST: usize = 8_192;

/// A session as it was at one version of one of its lives; that never changes.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// Which life it is: after an erasure versions begin again.
    pub life: i64,
    /// Its key, version and state.
    pub stored: Stored,
}

impl AsRef<Stored> for Known {
    fn as_ref(&self) -> &Stored {
        &self.stored
    }
}

impl Known {
    /// Whether this is what follows `other`: a later life, or a later version of the same.
    fn is_newer_than(&self, other: &Self) -> bool {
        (self.life, self.stored.version) > (other.life, other.stored.version)
    }
}

/// Two generations: when the young one is half of what is allowed, it becomes the old one, and the old one goes.
#[derive(Default)]
struct Generations {
    young: HashMap<SessionId, Arc<Known>>,
    old: HashMap<SessionId, Arc<Known>>,
}

#[derive(Default)]
pub(super) struct Cache {
    generations: Mutex<Generations>,
}

impl Cache {
    pub fn get(&self, id: SessionId) -> Option<Arc<Known>> {
        let mut generations = self.generations();
        if let Some(known) = generations.young.get(&id) {
            return Some(Arc::clone(known));
        }
        let known = generations.old.remove(&id)?;
        generations.put(id, Arc::clone(&known));
        Some(known)
    }

    /// Keeps what was read or committed, unless something newer is known.
    pub fn keep(&self, id: SessionId, known: Arc<Known>) {
        let mut generations = self.generations();
        let is_older = generations
            .peek(id)
            .is_some_and(|present| present.is_newer_than(&known));
        if !is_older {
            generations.put(id, known);
        }
    }

    /// Lets go of a session that is not what was believed.
    pub fn forget(&self, id: SessionId) {
        let mut generations = self.generations();
        generations.young.remove(&id);
        generations.old.remove(&id);
    }

    fn generations(&self) -> MutexGuard<'_, Generations> {
        self.generations
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Generations {
    fn peek(&self, id: SessionId) -> Option<&Arc<Known>> {
        self.young.get(&id).or_else(|| self.old.get(&id))
    }

    fn put(&mut self, id: SessionId, known: Arc<Known>) {
        self.old.remove(&id);
        self.young.insert(id, known);
        if self.young.len() >= MOST / 2 {
            self.old = std::mem::take(&mut self.young);
        }
    }
}

#[cfg(test)]
mod tests {
    use replygate_gate::{Session, SessionKey};

    use super::*;

    fn known(life: i64, version: u64) -> Arc<Known> {
        let stored = Stored {
            key: SessionKey::default(),
            version,
            session: Session::default(),
        };
        Arc::new(Known { life, stored })
    }

    fn found(cache: &Cache, id: u128) -> Option<(i64, u64)> {
        let known = cache.get(SessionId(id))?;
        Some((known.life, known.stored.version))
    }

    #[test]
    fn a_late_read_does_not_take_the_place_of_something_newer() {
        let cache = Cache::default();
        cache.keep(SessionId(1), known(1, 3));
        cache.keep(SessionId(1), known(1, 2));
        assert_eq!(found(&cache, 1), Some((1, 3)));
        cache.keep(SessionId(1), known(2, 1));
        assert_eq!(found(&cache, 1), Some((2, 1)));
    }

    #[test]
    fn the_cache_stays_bounded_and_keeps_what_is_used() {
        let cache = Cache::default();
        cache.keep(SessionId(0), known(1, 9));
        for id in 1..3 * MOST as u128 {
            cache.keep(SessionId(id), known(1, 1));
            assert_eq!(found(&cache, 0), Some((1, 9)));
        }
        let generations = cache.generations();
        assert!(generations.young.len() + generations.old.len() <= MOST);
    }
}
