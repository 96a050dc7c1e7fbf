//! Who writes what and when. Pure: the same plan gives the same script.

use std::time::Duration;

use rand::seq::SliceRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// Messages of a group, on average: pairs and triples in equal number.
const GROUP: f64 = 2.5;
/// Of ten messages so many are sent again.
const REPEATED_OF_TEN: u32 = 1;
/// Of ten groups so many have their first two messages the wrong way round.
const SWAPPED_OF_TEN: u32 = 1;
/// Between two messages of a group, in milliseconds.
const GAP_MS: std::ops::Range<u64> = 50..900;
/// Between a message and its repetition, in milliseconds.
const REPEAT_MS: std::ops::Range<u64> = 1..500;
/// What a group's newest messages say about the reply before them; a third each.
const MARKS: [&str; 3] = ["#release", "#cancel", "#merge"];

/// How much is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Customers.
    pub sessions: u32,
    /// Inbound messages a second, repetitions included.
    pub rate: f64,
    /// For how long new groups begin.
    pub seconds: f64,
    /// What chance is drawn from.
    pub seed: u64,
}

/// A message to be sent at its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shot {
    /// Since the start.
    pub at: Duration,
    /// By which customer, from 0.
    pub session: u32,
    /// Unique in the script, except for a repetition.
    pub message: String,
    /// The words.
    pub text: String,
    /// When it claims to be written, since the start.
    pub written: Duration,
}

/// Everything that is sent, in the order of time.
#[must_use]
pub fn script(plan: &Plan) -> Vec<Shot> {
    let mut chance = ChaCha8Rng::seed_from_u64(plan.seed);
    let mut order: Vec<u32> = (0..plan.sessions).collect();
    order.shuffle(&mut chance);
    let groups_a_second = plan.rate / (GROUP * (1.0 + f64::from(REPEATED_OF_TEN) / 10.0));
    let mut shots = Vec::new();
    let mut begins = 0.0;
    for (group, session) in order.iter().cycle().enumerate() {
        begins += -(1.0 - chance.random::<f64>()).ln() / groups_a_second;
        if begins.is_nan() || begins > plan.seconds {
            break;
        }
        write_group(
            group,
            *session,
            Duration::from_secs_f64(begins),
            &mut chance,
            &mut shots,
        );
    }
    shots.sort_by_key(|shot| shot.at);
    shots
}

fn write_group(
    group: usize,
    session: u32,
    begins: Duration,
    chance: &mut ChaCha8Rng,
    shots: &mut Vec<Shot>,
) {
    let mark = MARKS[group % MARKS.len()];
    let mut at = begins;
    let first = shots.len();
    for place in 0..chance.random_range(2..=3) {
        let mark = if place == 0 { "" } else { mark };
        shots.push(Shot {
            at,
            session,
            message: format!("{session}-{group}-{place}"),
            text: format!("{mark} order {group} line {place}.")
                .trim_start()
                .to_owned(),
            written: at,
        });
        at += Duration::from_millis(chance.random_range(GAP_MS));
    }
    if chance.random_ratio(SWAPPED_OF_TEN, 10) {
        let (early, late) = (shots[first].at, shots[first + 1].at);
        (shots[first].at, shots[first + 1].at) = (late, early);
    }
    for place in first..shots.len() {
        if chance.random_ratio(REPEATED_OF_TEN, 10) {
            let again = shots[place].at + Duration::from_millis(chance.random_range(REPEAT_MS));
            shots.push(Shot {
                at: again,
                ..shots[place].clone()
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    const PLAN: Plan = Plan {
        sessions: 500,
        rate: 1_000.0,
        seconds: 20.0,
        seed: 3,
    };

    #[test]
    fn a_script_has_the_rate_that_was_asked_for_and_repeats() {
        let shots = script(&PLAN);
        assert!((19_000..21_000).contains(&shots.len()), "{}", shots.len());
        assert_eq!(shots, script(&PLAN));
        assert_ne!(shots, script(&Plan { seed: 4, ..PLAN }));
    }

    #[test]
    fn decisions_are_a_third_each_and_every_customer_writes() {
        let shots = script(&PLAN);
        let of = |mark: &str| {
            shots
                .iter()
                .filter(|shot| shot.text.starts_with(mark))
                .count()
        };
        let marked = of("#");
        for mark in MARKS {
            assert!(of(mark).abs_diff(marked / 3) < marked / 30, "{mark}");
        }
        let customers: std::collections::BTreeSet<u32> =
            shots.iter().map(|shot| shot.session).collect();
        assert_eq!(customers.len(), 500);
    }

    #[test]
    fn some_messages_come_twice_and_some_out_of_order() {
        let shots = script(&PLAN);
        let mut times: BTreeMap<&str, usize> = BTreeMap::new();
        for shot in &shots {
            *times.entry(&shot.message).or_default() += 1;
        }
        let twice = times.values().filter(|times| **times == 2).count();
        assert!(
            (times.len() / 12..times.len() / 8).contains(&twice),
            "{twice}"
        );
        assert!(shots.iter().any(|shot| shot.at < shot.written));
    }

    #[test]
    fn a_plan_without_customers_or_rate_sends_nothing() {
        assert!(
            script(&Plan {
                sessions: 0,
                ..PLAN
            })
            .is_empty()
        );
        assert!(script(&Plan { rate: 0.0, ..PLAN }).is_empty());
    }
}
