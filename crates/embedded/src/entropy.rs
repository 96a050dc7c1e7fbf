//! Chance from the operating system. The only place of the product that draws it.

use replygate_ports::clock::Entropy;

/// The operating system's cryptographic source.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsEntropy;

impl Entropy for OsEntropy {
    fn bits(&self) -> u128 {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)
            .expect("without the system's random numbers no identifier would be safe");
        u128::from_ne_bytes(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_draws_differ() {
        assert_ne!(OsEntropy.bits(), OsEntropy.bits());
    }
}
