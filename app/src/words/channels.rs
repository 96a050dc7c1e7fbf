//! Texts of channels and their settings.

use replygate_gate::debounce::Windows;

/// The list of channels.
pub(crate) struct Channels {
    pub(crate) title: &'static str,
    pub(crate) caption: &'static str,
    pub(crate) columns: ChannelColumns,
    pub(crate) version: fn(u32) -> String,
    /// The shortest and the longest window.
    pub(crate) windows: fn(&Windows) -> String,
    /// Waits in milliseconds.
    pub(crate) ladder: fn(&[u64]) -> String,
    pub(crate) none: &'static str,
    pub(crate) never: &'static str,
    pub(crate) none_yet: &'static str,
}

/// Its columns.
pub(crate) struct ChannelColumns {
    pub(crate) name: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) last_inbound: &'static str,
    pub(crate) last_delivery: &'static str,
    pub(crate) debounce: &'static str,
    pub(crate) strategy: &'static str,
    pub(crate) ladder: &'static str,
    pub(crate) parked: &'static str,
    pub(crate) settings: &'static str,
}

/// A channel's page, and the page of one version.
pub(crate) struct Channel {
    pub(crate) title: fn(&str) -> String,
    /// The version that was saved, and the one in force now.
    pub(crate) saved: fn(u32, u32) -> String,
    pub(crate) version: &'static str,
    pub(crate) by: &'static str,
    pub(crate) at: &'static str,
    pub(crate) reason: &'static str,
    pub(crate) more: &'static str,
    pub(crate) lab: &'static str,
    pub(crate) parked: &'static str,
    /// Titles of groups, with the keys or the beginnings of keys in them.
    pub(crate) groups: &'static [(&'static str, &'static [&'static str])],
    /// The name of a setting and what it changes, by its key.
    pub(crate) setting: fn(&str) -> (String, &'static str),
    /// A value that is a word of ours, by key and word.
    pub(crate) value: fn(&str, &str) -> String,
    /// What a number of milliseconds or a ladder means.
    pub(crate) in_words: fn(&str, &str) -> Option<String>,
    /// What is allowed, and what it is if nobody sets it.
    pub(crate) allowed: fn(&str, &str) -> String,
    pub(crate) wrong: &'static str,
    pub(crate) why: &'static str,
    pub(crate) save: &'static str,
    pub(crate) save_hint: &'static str,
    pub(crate) versions: &'static str,
    pub(crate) changed: &'static str,
    pub(crate) nothing_changed: &'static str,
    pub(crate) not_set: &'static str,
    pub(crate) back: &'static str,
    pub(crate) roll_back: fn(u32) -> String,
    pub(crate) in_force: &'static str,
    pub(crate) version_title: fn(&str, u32) -> String,
    /// What a way back from the one to the other changes.
    pub(crate) difference: fn(u32, u32) -> String,
    pub(crate) all_settings: &'static str,
    pub(crate) name: &'static str,
    pub(crate) value_column: &'static str,
}
