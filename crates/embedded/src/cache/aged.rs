//! A map of bounded weight that lets go of what was not asked for lately. Two generations: when the young one has half of
//! the weight, it becomes the old one and the old one goes; whatever is asked for becomes young again. Must never weigh
//! more than its bound and one entry.

use std::collections::HashMap;
use std::hash::Hash;

/// What an entry takes in memory.
pub(super) trait Weigh {
    /// In bytes, with its key, its share of the table and what it points to; an estimate is enough.
    fn bytes(&self) -> usize;
}

/// Of a table, for each entry of `T`: tables are half to seven eighths full.
pub(super) const fn share_of<T>() -> usize {
    size_of::<T>() * 3 / 2
}

pub(super) struct Aged<K, V> {
    young: HashMap<K, V>,
    old: HashMap<K, V>,
    /// The weight of the young ones.
    bytes: usize,
    /// Half of what is allowed.
    half: usize,
}

impl<K: Copy + Eq + Hash, V: Weigh> Aged<K, V> {
    pub fn new(most_bytes: usize) -> Self {
        Self {
            young: HashMap::new(),
            old: HashMap::new(),
            bytes: 0,
            half: most_bytes / 2,
        }
    }

    pub fn get(&mut self, key: K) -> Option<&V> {
        if let Some(value) = self.old.remove(&key) {
            self.put(key, value);
        }
        self.young.get(&key)
    }

    pub fn put(&mut self, key: K, value: V) {
        self.remove(key);
        let bytes = value.bytes();
        if self.bytes + bytes > self.half {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        self.bytes += bytes;
        self.young.insert(key, value);
    }

    pub fn remove(&mut self, key: K) -> Option<V> {
        if let Some(value) = self.young.remove(&key) {
            self.bytes -= value.bytes();
            return Some(value);
        }
        self.old.remove(&key)
    }

    pub fn clear(&mut self) {
        self.young = HashMap::new();
        self.old = HashMap::new();
        self.bytes = 0;
    }

    /// The weight of everything in it.
    #[cfg(test)]
    pub fn weight(&self) -> usize {
        self.bytes + self.old.values().map(Weigh::bytes).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Weigh for usize {
        fn bytes(&self) -> usize {
            *self
        }
    }

    #[test]
    fn whatever_comes_in_the_weight_stays_bounded() {
        let mut aged = Aged::new(1_000);
        for key in 0..10_000 {
            aged.put(key % 777, key % 97);
            assert!(aged.weight() <= 1_000, "{}", aged.weight());
        }
        for key in (0..777).step_by(3) {
            aged.remove(key);
        }
        assert!(aged.weight() <= 1_000, "{}", aged.weight());
    }

    #[test]
    fn what_is_asked_for_stays_and_the_rest_goes() {
        let mut aged = Aged::new(1_000);
        aged.put(0, 10);
        aged.put(1, 10);
        for key in 2..500 {
            aged.put(key, 10);
            assert_eq!(aged.get(0), Some(&10));
        }
        assert_eq!(aged.get(1), None);
    }

    #[test]
    fn an_entry_put_again_counts_once() {
        let mut aged = Aged::new(1_000);
        for _ in 0..1_000 {
            aged.put(1, 400);
            aged.put(2, 60);
        }
        assert_eq!(aged.get(1), Some(&400));
        assert_eq!(aged.get(2), Some(&60));
        assert_eq!(aged.weight(), 460);
    }

    #[test]
    fn an_entry_that_is_too_large_alone_is_kept_until_the_next() {
        let mut aged = Aged::new(100);
        aged.put(1, 4_000);
        assert_eq!(aged.get(1), Some(&4_000));
        aged.put(2, 1);
        aged.put(3, 4_000);
        assert_eq!(aged.get(1), None);
    }
}
