//! When everything in the demo's day happens. Pure: the same seed gives the same day.

use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use replygate_gate::debounce::MessageKind;

use super::cast::{SCENES, customer};

/// The channels of [`super::CONFIGURATION`], by how much is written on each.
const WHERE: [&str; 6] = ["shop", "shop", "shop", "clinic", "support", "clinic"];
/// Conversations by hour, oldest first.
const BY_HOUR: [u32; 24] = [
    6, 3, 2, 1, 1, 1, 2, 4, 7, 9, 12, 15, 18, 17, 13, 11, 12, 14, 17, 20, 22, 19, 16, 13,
];
/// How many customers there are; many of them come back.
const CUSTOMERS: usize = 180;
const HOUR_MS: u64 = 3_600_000;

/// How long the day is, in milliseconds.
pub(super) const LENGTH_MS: u64 = BY_HOUR.len() as u64 * HOUR_MS;

/// From when until when the provider has its outage, after the day's beginning, in milliseconds.
pub(super) const OUTAGE_MS: (u64, u64) = (19 * HOUR_MS + 600_000, 19 * HOUR_MS + 1_900_000);

/// When the operator looks through what is parked, after the day's beginning, in milliseconds. The newest is left to
/// whoever opens the console.
pub(super) const ROUNDS_MS: [u64; 3] = [
    9 * HOUR_MS + 300_000,
    15 * HOUR_MS + 900_000,
    20 * HOUR_MS + 200_000,
];

/// When the operator sends again what the outage left on one channel, after the day's beginning, in milliseconds.
pub(super) const BULK_MS: u64 = OUTAGE_MS.1 + 240_000;

/// Customers who certainly write at these times, in milliseconds after the day's beginning: two who blocked the number,
/// and some during the outage; of those the fourth and the thirty-fourth wait until their replies have expired.
const CERTAIN: [(usize, u64); 8] = [
    (7, 300_000),
    (63, 900_000),
    (4, OUTAGE_MS.0 + 60_000),
    (9, OUTAGE_MS.0 + 150_000),
    (14, OUTAGE_MS.0 + 260_000),
    (29, OUTAGE_MS.0 + 420_000),
    (34, OUTAGE_MS.0 + 500_000),
    (54, OUTAGE_MS.0 + 700_000),
];

/// When a supporter judges what the guard held back, after the day's beginning, in milliseconds.
pub(super) const AUDITED_MS: u64 = 16 * HOUR_MS;

/// When an admin shortens a window, after the day's beginning, in milliseconds.
pub(super) const TUNED_MS: u64 = 11 * HOUR_MS;

/// A message that is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    /// After the day's beginning, in milliseconds.
    pub at_ms: u64,
    pub channel: &'static str,
    pub contact: String,
    /// Unique in the day.
    pub id: String,
    pub kind: MessageKind,
    pub text: &'static str,
}

/// Everything that is written, in the order of time.
pub(super) fn day(seed: u64) -> Vec<Said> {
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let mut all = Vec::new();
    for (hour, conversations) in (0_u64..).zip(BY_HOUR) {
        for _ in 0..conversations {
            let begins = hour * HOUR_MS + chance.random_range(0..HOUR_MS);
            let number = chance.random_range(0..CUSTOMERS);
            converse(number, begins, &mut chance, &mut all);
        }
    }
    for (number, begins) in CERTAIN {
        converse(number, begins, &mut chance, &mut all);
    }
    // Whoever is still speaking when the day ends is not heard to the end.
    all.retain(|said| said.at_ms < LENGTH_MS - 20_000);
    all.sort_by_key(|said| said.at_ms);
    all
}

fn converse(number: usize, begins: u64, chance: &mut ChaCha8Rng, all: &mut Vec<Said>) {
    let (contact, tongue) = customer(number);
    // A customer stays on one channel.
    let channel = WHERE[number % WHERE.len()];
    let Some(scene) = SCENES[tongue].choose(chance) else {
        return;
    };
    let mut at = begins;
    for line in *scene {
        at += line.after_ms + chance.random_range(0..=line.after_ms / 5);
        all.push(Said {
            at_ms: at,
            channel,
            contact: contact.clone(),
            id: format!("demo-{}", all.len()),
            kind: line.kind,
            text: line.text,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_repeats_is_in_order_and_busy_on_every_channel() {
        let said = day(1);
        assert_eq!(said, day(1));
        assert_ne!(said, day(2));
        assert!(said.is_sorted_by_key(|said| said.at_ms));
        assert!(said.len() > 400, "{}", said.len());
        for channel in WHERE {
            let count = said.iter().filter(|said| said.channel == channel).count();
            assert!(count > 40, "{channel}: {count}");
        }
    }
}
