//! How replies are judged against newer messages.

use serde::{Deserialize, Serialize};

/// When held replies are judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Timing {
    /// On arrival of a newer message, and again when its window is over.
    #[default]
    Early,
    /// Only when the newer messages' window is over.
    AtTurn,
}

/// How held replies are judged; times in milliseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TriageSettings {
    /// When.
    pub timing: Timing,
    /// An evaluator that takes longer is reported as slow.
    pub soft_ms: u64,
    /// An evaluator that takes longer counts as unsure.
    pub hard_ms: u64,
    /// A verdict with less confidence counts as unsure. 0 to 1.
    pub threshold: f32,
}

impl Default for TriageSettings {
    fn default() -> Self {
        Self {
            timing: Timing::Early,
            soft_ms: 900,
            hard_ms: 2_000,
            threshold: 0.55,
        }
    }
}
