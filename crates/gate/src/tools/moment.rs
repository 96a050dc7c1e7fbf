//! Now, with what is known of steps of the wall clock. Must never let a stepped clock end a window early, nor make one
//! endless.

use crate::ids::At;

/// A difference between the wall clock and the monotonic one that is no step: slewing, and the time between reading one
/// and the other on a busy machine. Milliseconds.
const TOLERANCE_MS: u64 = 2_000;
/// So many steps are remembered; older ones belong to windows that are over.
const MOST_STEPS: usize = 16;

/// A step of the wall clock: where it showed `from`, it showed `to` at the next moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockStep {
    /// What it would have shown.
    pub from: At,
    /// What it showed instead.
    pub to: At,
}

/// Now by the wall clock, and the steps that it made while this process watched, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// The wall clock.
    pub now: At,
    /// Its steps; mostly none.
    pub steps: Vec<ClockStep>,
}

impl Moment {
    /// A moment of a clock that made no step.
    #[must_use]
    pub const fn at(now: At) -> Self {
        Self {
            now,
            steps: Vec::new(),
        }
    }

    /// How many milliseconds passed since the wall clock showed `then`. When it showed that twice, since the later time;
    /// when it shows it only in future, 0.
    #[must_use]
    pub fn age(&self, then: At) -> u64 {
        let mut passed = 0;
        let mut upper = self.now;
        let mut least = None;
        for step in self.steps.iter().rev() {
            if (step.to..=upper).contains(&then) {
                least = Some(shorter(least, passed + upper.since(then)));
            }
            passed += upper.since(step.to);
            // The wall clock jumped over it: somebody with another clock, or an earlier life of this one, saw it.
            if step.from < then && then < step.to {
                least = Some(shorter(least, passed));
            }
            upper = step.from;
        }
        if then <= upper {
            least = Some(shorter(least, passed + upper.since(then)));
        }
        least.unwrap_or(0)
    }
}

fn shorter(known: Option<u64>, other: u64) -> u64 {
    known.map_or(other, |known| known.min(other))
}

/// Watches a wall clock beside a monotonic one and remembers where they part.
#[derive(Clone, Debug, Default)]
pub struct Steadied {
    last: Option<(At, u64)>,
    steps: Vec<ClockStep>,
}

impl Steadied {
    /// The moment at which the wall clock shows `now` and the monotonic one `elapsed_ms`.
    pub fn observe(&mut self, now: At, elapsed_ms: u64) -> Moment {
        if let Some((wall, steady)) = self.last {
            let due = wall.plus(elapsed_ms.saturating_sub(steady));
            if due.since(now).max(now.since(due)) > TOLERANCE_MS {
                self.steps.push(ClockStep { from: due, to: now });
            }
            if self.steps.len() > MOST_STEPS {
                self.steps.remove(0);
            }
        }
        self.last = Some((now, elapsed_ms));
        Moment {
            now,
            steps: self.steps.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HOUR: u64 = 3_600_000;
    const START: At = At(1_800_000_000_000);

    #[test]
    fn without_steps_an_age_is_the_difference() {
        let moment = Moment::at(START.plus(500));
        assert_eq!(moment.age(START), 500);
        assert_eq!(moment.age(START.plus(900)), 0);
    }

    #[test]
    fn a_step_forward_ages_nothing() {
        let mut clock = Steadied::default();
        clock.observe(START, 0);
        let moment = clock.observe(START.plus(HOUR + 1_000), 1_000);
        assert_eq!(moment.age(START), 1_000);
        // Nobody here saw half past, but another process may have written it.
        assert_eq!(moment.age(START.plus(HOUR / 2)), 0);
    }

    #[test]
    fn a_step_back_keeps_nothing_young() {
        let mut clock = Steadied::default();
        clock.observe(START, 0);
        clock.observe(START.minus(HOUR).plus(1_000), 1_000);
        let moment = clock.observe(START.minus(HOUR).plus(700_000), 700_000);
        assert_eq!(moment.age(START), 700_000);
    }

    #[test]
    fn slewing_is_no_step() {
        let mut clock = Steadied::default();
        for second in 0..10_000u64 {
            // Half a per mille too fast: five seconds in all.
            let wall = START.plus(second * 1_000 + second / 2);
            assert_eq!(clock.observe(wall, second * 1_000).steps, []);
        }
    }

    proptest! {
        /// Whatever steps the wall clock makes, nothing is older than it is, and nothing that the clock showed once is
        /// younger.
        #[test]
        fn an_age_is_never_more_than_what_passed(
            legs in proptest::collection::vec((0u64..900_000, -5_000_000i64..5_000_000), 1..8),
            mark in 0usize..8,
        ) {
            let mut clock = Steadied::default();
            let (mut wall, mut steady) = (START, 0);
            let mut seen = vec![(wall, steady)];
            clock.observe(wall, steady);
            for (passes, jump) in legs {
                steady += passes;
                wall = At(wall.0 + passes as i64 + jump);
                clock.observe(wall, steady);
                seen.push((wall, steady));
            }
            let moment = clock.observe(wall, steady);
            let (then, when) = seen[mark % seen.len()];
            let passed = steady - when;
            prop_assert!(moment.age(then) <= passed + TOLERANCE_MS);
        }
    }
}
