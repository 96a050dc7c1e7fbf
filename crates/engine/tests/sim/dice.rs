//! Chance for the script of a world: the same seed throws the same dice.

use replygate_ports::clock::Entropy;
use replygate_testkit::entropy::SeededEntropy;

pub struct Dice(SeededEntropy);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(SeededEntropy::new(seed))
    }

    /// Anything from `least` up to but not including `end`.
    pub fn between(&self, least: u64, end: u64) -> u64 {
        least + (self.0.bits() % u128::from(end - least)) as u64
    }

    /// Yes in so many of a hundred cases.
    pub fn percent(&self, percent: u64) -> bool {
        self.between(0, 100) < percent
    }

    pub fn pick<'a, T>(&self, choices: &'a [T]) -> &'a T {
        &choices[self.between(0, choices.len() as u64) as usize]
    }
}
