//! Texts of the overview and of the health page.

use crate::view::{At, FlowStation, Health, HealthFact, HealthWord, Need};

/// The overview.
pub(crate) struct Overview {
    pub(crate) title: &'static str,
    pub(crate) needs: &'static str,
    /// What waits, with the age of the oldest where it is known.
    pub(crate) need: fn(&Need, Option<&str>) -> String,
    /// Nothing waits: deliveries in the last hour and the median.
    pub(crate) quiet: fn(u64, Option<&str>) -> String,
    pub(crate) flow: &'static str,
    pub(crate) station_of: fn(FlowStation) -> &'static str,
    pub(crate) range: &'static str,
    /// Ranges as terms of an address, with their words.
    pub(crate) ranges: &'static [(&'static str, &'static str)],
    pub(crate) outcomes: &'static str,
    /// How many replies, and when most.
    pub(crate) outcomes_summary: fn(u64, Option<&str>) -> String,
    pub(crate) times: &'static str,
    /// How long somebody waited, from milliseconds.
    pub(crate) wait: fn(u64) -> String,
    /// The worst.
    pub(crate) times_summary: fn(Option<&str>) -> String,
    /// On this chart each step of the scale is ten times the one before.
    pub(crate) tenfold: &'static str,
    pub(crate) median: &'static str,
    pub(crate) p95: &'static str,
    pub(crate) saved: &'static str,
    /// How many were merged and cancelled.
    pub(crate) saved_text: fn(u64, u64) -> String,
    pub(crate) time: &'static str,
    pub(crate) numbers: &'static str,
}

/// The health page.
pub(crate) struct HealthPage {
    pub(crate) title: &'static str,
    pub(crate) caption: &'static str,
    pub(crate) part: &'static str,
    pub(crate) state: &'static str,
    pub(crate) detail: &'static str,
    pub(crate) breaks: &'static str,
    pub(crate) name_of: fn(&Health) -> String,
    pub(crate) word_of: fn(HealthWord) -> &'static str,
    /// A fact; times come as the reader is told them.
    pub(crate) fact_of: fn(&HealthFact, &dyn Fn(At) -> String) -> String,
    pub(crate) breaks_of: fn(&Health) -> &'static str,
    /// The version, and since when it runs.
    pub(crate) version: fn(&str, &str) -> String,
    pub(crate) probes: &'static str,
}
