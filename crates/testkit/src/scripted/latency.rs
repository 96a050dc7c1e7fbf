//! How long a fake takes.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How long a fake takes: always the same, or lognormal from a seed.
#[derive(Debug)]
pub struct Latency {
    median: Duration,
    /// Standard deviation of the logarithm; 0 is a fixed latency.
    sigma: f64,
    /// Never longer than this.
    most: Duration,
    rng: Mutex<ChaCha8Rng>,
}

impl Latency {
    /// No time at all.
    #[must_use]
    pub fn none() -> Self {
        Self::fixed(Duration::ZERO)
    }

    /// Always this long.
    #[must_use]
    pub fn fixed(latency: Duration) -> Self {
        Self::lognormal(latency, 0.0, 0)
    }

    /// Half of the times shorter than `median`, with a tail that grows with `sigma`, cut at fifty medians.
    #[must_use]
    pub fn lognormal(median: Duration, sigma: f64, seed: u64) -> Self {
        Self {
            median,
            sigma,
            most: median * 50,
            rng: Mutex::new(ChaCha8Rng::seed_from_u64(seed)),
        }
    }

    /// The next latency.
    #[must_use]
    pub fn draw(&self) -> Duration {
        if self.sigma == 0.0 {
            return self.median;
        }
        let mut rng = self.rng.lock().unwrap_or_else(PoisonError::into_inner);
        // Box-Muller; the first number is kept off zero, whose logarithm is not finite.
        let (u, v): (f64, f64) = (rng.random_range(f64::EPSILON..1.0), rng.random());
        let normal = (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos();
        self.median
            .mul_f64((self.sigma * normal).exp())
            .min(self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_draws_are_shorter_than_the_median_and_the_seed_decides() {
        let draw = |seed| {
            let latency = Latency::lognormal(Duration::from_millis(100), 0.6, seed);
            (0..1_000).map(|_| latency.draw()).collect::<Vec<_>>()
        };
        let drawn = draw(1);
        let short = drawn
            .iter()
            .filter(|drawn| **drawn < Duration::from_millis(100))
            .count();
        assert!((450..550).contains(&short), "{short}");
        assert_eq!(drawn, draw(1));
        assert_ne!(drawn, draw(2));
    }
}
