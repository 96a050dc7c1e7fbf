//! How often a password may be tried: a few times at once for each name and for all together, then only as fast as
//! tries come back. Must never grow without bound, whoever knocks.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use replygate_gate::At;

/// Tries at once for one name, and the time after which one comes back.
const OF_NAME: Allowance = Allowance {
    at_once: 5,
    every_ms: 30_000,
};
/// The same for all names together: argon2 takes memory and time.
const OF_ALL: Allowance = Allowance {
    at_once: 40,
    every_ms: 1_000,
};
/// So many names are remembered; who makes up more than this is stopped by the bound on all.
const MOST_NAMES: usize = 10_000;

#[derive(Clone, Copy)]
struct Allowance {
    at_once: u32,
    every_ms: u64,
}

/// Tries that are left, as of a time.
#[derive(Clone, Copy)]
struct Bucket {
    left: u32,
    since: At,
}

impl Bucket {
    fn full(allowance: Allowance, now: At) -> Self {
        Self {
            left: allowance.at_once,
            since: now,
        }
    }

    fn refill(&mut self, allowance: Allowance, now: At) {
        let back = now.since(self.since) / allowance.every_ms;
        if back == 0 {
            return;
        }
        self.left = self.left.saturating_add(back as u32).min(allowance.at_once);
        self.since = self.since.plus(back * allowance.every_ms);
    }
}

#[derive(Default)]
struct Buckets {
    names: HashMap<String, Bucket>,
    all: Option<Bucket>,
}

/// Counts tries.
#[derive(Default)]
pub(super) struct Throttle(Mutex<Buckets>);

impl Throttle {
    /// Whether `name` may try once more now; a try that is allowed is counted.
    pub(super) fn allows(&self, name: &str, now: At) -> bool {
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = buckets.all.unwrap_or_else(|| Bucket::full(OF_ALL, now));
        all.refill(OF_ALL, now);
        if buckets.names.len() >= MOST_NAMES {
            buckets.names.retain(|_, bucket| {
                bucket.refill(OF_NAME, now);
                bucket.left < OF_NAME.at_once
            });
        }
        let is_known = buckets.names.contains_key(name);
        let has_room = is_known || buckets.names.len() < MOST_NAMES;
        let mut own = buckets
            .names
            .get(name)
            .copied()
            .unwrap_or_else(|| Bucket::full(OF_NAME, now));
        own.refill(OF_NAME, now);
        let allowed = has_room && all.left > 0 && own.left > 0;
        if allowed {
            all.left -= 1;
            own.left -= 1;
            buckets.names.insert(name.to_owned(), own);
        }
        buckets.all = Some(all);
        allowed
    }

    /// The name signed in: its failures are forgotten.
    pub(super) fn forget(&self, name: &str) {
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        buckets.names.remove(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sixth_try_waits_until_one_comes_back() {
        let throttle = Throttle::default();
        for _ in 0..5 {
            assert!(throttle.allows("ana", At(1_000)));
        }
        assert!(!throttle.allows("ana", At(1_000)));
        assert!(throttle.allows("rui", At(1_000)));
        assert!(!throttle.allows("ana", At(30_999)));
        assert!(throttle.allows("ana", At(31_000)));
        assert!(!throttle.allows("ana", At(31_000)));
    }

    #[test]
    fn all_names_together_are_bounded() {
        let throttle = Throttle::default();
        let allowed = (0..1_000)
            .filter(|name| throttle.allows(&name.to_string(), At(0)))
            .count();
        assert_eq!(allowed, 40);
        assert!(throttle.allows("late", At(1_000)));
    }

    #[test]
    fn a_success_gives_the_tries_back() {
        let throttle = Throttle::default();
        for _ in 0..5 {
            assert!(throttle.allows("ana", At(0)));
        }
        throttle.forget("ana");
        assert!(throttle.allows("ana", At(0)));
    }
}
