//! Texts of a session's page besides its conversation: how it stands, what may be done, and its lanes of time.

use crate::view::{HoldWhy, LaneWord, SessionTab, SpanWord};

/// The page.
pub(crate) struct SessionPage {
    /// The name of the three ways to look at it.
    pub(crate) tabs: &'static str,
    pub(crate) tab: fn(SessionTab) -> &'static str,
    pub(crate) standing: &'static str,
    pub(crate) since: &'static str,
    /// What lets held replies go.
    pub(crate) ends_when: fn(HoldWhy) -> &'static str,
    pub(crate) answers: &'static str,
    pub(crate) window: &'static str,
    pub(crate) turn: &'static str,
    pub(crate) messages: fn(u32) -> String,
    pub(crate) lock: &'static str,
    pub(crate) lease_ends: &'static str,
    pub(crate) in_flight: &'static str,
    pub(crate) channel: &'static str,
    pub(crate) first_seen: &'static str,
    pub(crate) id: &'static str,
    pub(crate) take_over: &'static str,
    pub(crate) take_over_hint: &'static str,
    pub(crate) hand_back: &'static str,
    pub(crate) hand_back_hint: &'static str,
    /// Somebody else has it, by name.
    pub(crate) others: fn(&str) -> String,
    pub(crate) release_hold: &'static str,
    /// By the name of the holder.
    pub(crate) unlock: fn(&str) -> String,
    pub(crate) may_not_act: &'static str,
    pub(crate) write: &'static str,
    pub(crate) send: &'static str,
    pub(crate) send_hint: &'static str,
    /// The way to the page on which a waiting reply is decided.
    pub(crate) decide: &'static str,
    pub(crate) timeline: &'static str,
    pub(crate) timeline_summary: &'static str,
    pub(crate) timeline_hint: &'static str,
    pub(crate) as_table: &'static str,
    pub(crate) when: &'static str,
    pub(crate) lane: &'static str,
    pub(crate) what: &'static str,
    pub(crate) length: &'static str,
    pub(crate) about: &'static str,
    pub(crate) lane_of: fn(LaneWord) -> &'static str,
    pub(crate) span_of: fn(SpanWord) -> &'static str,
}
