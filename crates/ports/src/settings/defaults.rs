//! A channel's settings where nobody chose otherwise; the numbers that decisions read come from the gate's rules.

use replygate_gate::{Guarantee, Rules};

use super::Choice;

pub(super) fn operational_delay_ms() -> u64 {
    Rules::default().operational_delay_ms
}

pub(super) fn agent() -> Choice {
    Choice::named("demo")
}

pub(super) fn agent_timeout_ms() -> u64 {
    60_000
}

pub(super) fn evaluator() -> Choice {
    Choice::named("rules")
}

pub(super) fn ladder_ms() -> Vec<u64> {
    Rules::default().ladder_ms
}

pub(super) fn channel_ladder_ms() -> Vec<u64> {
    Rules::default().channel_ladder_ms
}

pub(super) fn guarantee() -> Guarantee {
    Guarantee::AtMostOnce
}

pub(super) fn send_timeout_ms() -> u64 {
    10_000
}

pub(super) fn history() -> u32 {
    30
}

/// Twelve hours: longer than an ordinary outage of a channel, shorter than yesterday.
pub(super) fn late_after_ms() -> u64 {
    43_200_000
}

pub(super) fn max_hold_ms() -> u64 {
    Rules::default().max_hold_ms
}

pub(super) fn park_age_ms() -> u64 {
    Rules::default().park_age_ms
}

pub(super) fn expire_age_ms() -> u64 {
    Rules::default().expire_age_ms
}
