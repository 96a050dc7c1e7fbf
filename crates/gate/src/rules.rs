//! The numbers a decision depends on. Must never hold anything that a decision does not read.

use serde::{Deserialize, Serialize};

use crate::debounce::Windows;
use crate::status::Guarantee;
use crate::strategy::Strategy;

/// The settings of a channel as far as `decide` reads them; all times in milliseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rules {
    /// Windows, maximum wait and message bound of the debounce.
    pub windows: Windows,
    /// How long a finished reply waits before it is handed over.
    pub operational_delay_ms: u64,
    /// Waits between attempts that meet a stuck outside lock.
    pub ladder_ms: Vec<u64>,
    /// Waits between attempts after a definite failure of the channel.
    pub channel_ladder_ms: Vec<u64>,
    /// What happens to messages that come while the session is busy.
    #[serde(default)]
    pub strategy: Strategy,
    /// What happens to a hand-over whose outcome is not known.
    pub guarantee: Guarantee,
    /// Below this confidence a verdict counts as unsure, and unsure means `RELEASE_FIRST`. 0 to 1.
    pub threshold: f32,
    /// Life of a turn's lease; renewed every third of it.
    pub lease_ms: u64,
    /// Life of a claim; the send must have ended before.
    pub claim_ms: u64,
    /// How much earlier than due a claim may be made, so that it is durable when the due time comes.
    pub claim_ahead_ms: u64,
    /// After this time a held reply that nobody judged is released.
    pub max_hold_ms: u64,
    /// A reply that waits longer goes to a person.
    pub park_age_ms: u64,
    /// A reply that waits longer is dropped as expired.
    pub expire_age_ms: u64,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            windows: Windows::default(),
            operational_delay_ms: 600,
            ladder_ms: vec![300, 600, 1_200],
            channel_ladder_ms: vec![1_000, 5_000, 30_000, 120_000],
            strategy: Strategy::default(),
            guarantee: Guarantee::AtMostOnce,
            threshold: 0.55,
            lease_ms: 15_000,
            claim_ms: 30_000,
            claim_ahead_ms: 50,
            max_hold_ms: 60_000,
            park_age_ms: 600_000,
            expire_age_ms: 86_400_000,
        }
    }
}
