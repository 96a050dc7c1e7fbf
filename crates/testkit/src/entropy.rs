//! Chance for tests: the same seed gives the same run. Never for anything that must be secret.

use std::sync::{Mutex, PoisonError};

use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use replygate_ports::clock::Entropy;

/// A generator that its seed determines.
#[derive(Debug)]
pub struct SeededEntropy {
    rng: Mutex<ChaCha8Rng>,
}

impl SeededEntropy {
    /// Chance that this seed determines.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            rng: Mutex::new(ChaCha8Rng::seed_from_u64(seed)),
        }
    }
}

impl Entropy for SeededEntropy {
    fn bits(&self) -> u128 {
        let mut rng = self.rng.lock().unwrap_or_else(PoisonError::into_inner);
        (u128::from(rng.next_u64()) << 64) | u128::from(rng.next_u64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_decides_everything() {
        let draw = |seed| {
            let entropy = SeededEntropy::new(seed);
            [entropy.bits(), entropy.bits(), entropy.bits()]
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
    }
}
