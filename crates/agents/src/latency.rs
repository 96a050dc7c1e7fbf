//! How long a built-in agent or evaluator pretends to think. Must never take chance from anywhere but its seed, so that
//! a run replays.

use std::f64::consts::TAU;
use std::time::Duration;

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use replygate_ports::clock::Clock;
use replygate_ports::settings::SettingError;

use crate::options::Options;

/// The options that [`Latency::read`] reads.
pub(crate) const OPTIONS: &[&str] = &["latency_ms", "latency_p50_ms", "latency_p99_ms", "seed"];

const MOST_MS: u64 = 600_000;

/// The standard normal distribution's 99th percentile.
const Z99: f64 = 2.326_347_874_040_841;

/// How long one run takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Latency {
    /// Always as long; 0 waits for nothing.
    Fixed { ms: u64 },
    /// As real services do: most runs near the median, a few much longer.
    Lognormal {
        median_ms: f64,
        sigma: f64,
        seed: u64,
    },
}

impl Latency {
    /// `latency_ms`, or both `latency_p50_ms` and `latency_p99_ms` with an optional `seed`; none when nothing is set.
    pub(crate) fn read(options: &Options<'_>) -> Result<Self, SettingError> {
        let fixed = options.number("latency_ms", 0, MOST_MS)?;
        let p50 = options.number("latency_p50_ms", 1, MOST_MS)?;
        let p99 = options.number("latency_p99_ms", p50.unwrap_or(1), MOST_MS)?;
        let seed = options.number("seed", 0, u64::MAX)?;
        match (fixed, p50, p99) {
            (Some(_), Some(p50), _) => {
                Err(options.wrong("latency_p50_ms", p50, "nothing beside latency_ms"))
            }
            (Some(_), _, Some(p99)) => {
                Err(options.wrong("latency_p99_ms", p99, "nothing beside latency_ms"))
            }
            (_, Some(_), None) => Err(options.wrong(
                "latency_p99_ms",
                "not set",
                "a number beside latency_p50_ms",
            )),
            (_, None, Some(_)) => Err(options.wrong(
                "latency_p50_ms",
                "not set",
                "a number beside latency_p99_ms",
            )),
            (fixed, None, None) => match seed {
                Some(seed) => Err(options.wrong(
                    "seed",
                    seed,
                    "nothing without latency_p50_ms and latency_p99_ms",
                )),
                None => Ok(Self::Fixed {
                    ms: fixed.unwrap_or(0),
                }),
            },
            (None, Some(p50), Some(p99)) => {
                let (median_ms, tail_ms) = (p50 as f64, p99 as f64);
                let sigma = (tail_ms / median_ms).ln() / Z99;
                Ok(Self::Lognormal {
                    median_ms,
                    sigma,
                    seed: seed.unwrap_or(0),
                })
            }
        }
    }

    /// Waits as long as the run that `salt` names takes.
    pub(crate) async fn pass(self, clock: &dyn Clock, salt: u128) {
        let ms = self.sample_ms(salt);
        if ms > 0 {
            clock.sleep(Duration::from_millis(ms)).await;
        }
    }

    /// How long the run that `salt` names takes; the same run always takes as long, whatever runs beside it.
    fn sample_ms(self, salt: u128) -> u64 {
        match self {
            Self::Fixed { ms } => ms,
            Self::Lognormal {
                median_ms,
                sigma,
                seed,
            } => {
                let ms = median_ms * (sigma * normal(seed, salt)).exp();
                (ms.round() as u64).min(MOST_MS)
            }
        }
    }
}

/// A standard normal number by the method of Box and Muller.
fn normal(seed: u64, salt: u128) -> f64 {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..24].copy_from_slice(&salt.to_le_bytes());
    let mut chance = ChaCha8Rng::from_seed(key);
    let (radius, angle): (f64, f64) = (1.0 - chance.random::<f64>(), chance.random());
    (-2.0 * radius.ln()).sqrt() * (TAU * angle).cos()
}

#[cfg(test)]
mod tests {
    use replygate_ports::settings::Choice;
    use serde_json::json;

    use super::*;

    fn read(options: serde_json::Value) -> Result<Latency, String> {
        let mut choice = Choice::named("echo");
        choice.options = serde_json::from_value(options).unwrap();
        let options = Options::read(&choice, "channels.a.agent", OPTIONS)
            .map_err(|error| error.to_string())?;
        Latency::read(&options).map_err(|error| error.to_string())
    }

    #[test]
    fn half_the_runs_are_under_the_median_and_one_in_a_hundred_over_p99() {
        let latency =
            read(json!({"latency_p50_ms": 300, "latency_p99_ms": 2000, "seed": 7})).unwrap();
        let samples: Vec<u64> = (0..20_000).map(|salt| latency.sample_ms(salt)).collect();
        let under = samples.iter().filter(|ms| **ms < 300).count();
        let over = samples.iter().filter(|ms| **ms > 2_000).count();
        assert!((9_700..=10_300).contains(&under), "{under}");
        assert!((140..=260).contains(&over), "{over}");
    }

    #[test]
    fn a_run_takes_as_long_each_time_and_another_seed_changes_it() {
        let of = |seed: u64| {
            read(json!({"latency_p50_ms": 300, "latency_p99_ms": 2000, "seed": seed})).unwrap()
        };
        assert_eq!(of(1).sample_ms(9), of(1).sample_ms(9));
        assert_ne!(of(1).sample_ms(9), of(2).sample_ms(9));
    }

    #[test]
    fn wrong_options_are_named_with_what_is_allowed() {
        for (options, expected) in [
            (
                json!({"latency_ms": -1}),
                "`channels.a.agent.latency_ms` is -1, allowed: 0 to 600000",
            ),
            (
                json!({"latency_ms": 1, "latency_p50_ms": 2, "latency_p99_ms": 3}),
                "`channels.a.agent.latency_p50_ms` is 2, allowed: nothing beside latency_ms",
            ),
            (
                json!({"latency_p50_ms": 5}),
                "`channels.a.agent.latency_p99_ms` is not set, allowed: a number beside latency_p50_ms",
            ),
            (
                json!({"latency_p50_ms": 5, "latency_p99_ms": 4}),
                "`channels.a.agent.latency_p99_ms` is 4, allowed: 5 to 600000",
            ),
            (
                json!({"seed": 5}),
                "`channels.a.agent.seed` is 5, allowed: nothing without latency_p50_ms and latency_p99_ms",
            ),
            (
                json!({"latancy_ms": 5}),
                "`channels.a.agent.latancy_ms` is 5, allowed: only latency_ms, latency_p50_ms, latency_p99_ms, \
                 seed, for kind echo",
            ),
        ] {
            assert_eq!(read(options).unwrap_err(), expected);
        }
    }
}
