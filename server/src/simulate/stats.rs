//! Middle and tail of many times. Must never keep more than the numbers themselves.

use serde::Serialize;

/// Middle and tail of a set of times, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    /// How many there were.
    pub n: usize,
    /// Half of them were not above this.
    pub p50: f64,
    /// All but one in a hundred were not above this.
    pub p99: f64,
    /// The largest.
    pub max: f64,
}

impl Spread {
    /// Of these times; all zero when there is none.
    #[must_use]
    pub fn of(times: impl IntoIterator<Item = f64>) -> Self {
        let mut times: Vec<f64> = times.into_iter().collect();
        times.sort_unstable_by(f64::total_cmp);
        let Some(max) = times.last().copied() else {
            return Self::default();
        };
        Self {
            n: times.len(),
            p50: at(&times, 50),
            p99: at(&times, 99),
            max,
        }
    }
}

/// The smallest value that `percent` of the sorted times do not exceed.
fn at(sorted: &[f64], percent: usize) -> f64 {
    let place = (sorted.len() * percent).div_ceil(100).max(1);
    sorted[place - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_of_a_hundred_is_the_ninety_ninth() {
        let spread = Spread::of((1..=100).rev().map(f64::from));
        assert_eq!(
            spread,
            Spread {
                n: 100,
                p50: 50.0,
                p99: 99.0,
                max: 100.0
            }
        );
    }

    #[test]
    fn one_time_is_middle_and_tail_and_none_is_zero() {
        assert_eq!(
            Spread::of([7.0]),
            Spread {
                n: 1,
                p50: 7.0,
                p99: 7.0,
                max: 7.0
            }
        );
        assert_eq!(Spread::of([]), Spread::default());
    }
}
