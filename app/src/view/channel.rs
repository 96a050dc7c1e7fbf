//! Channels and their settings.
//!
//! Settings travel as a flat list of keys and texts, as they stand in the configuration file (`debounce.closed_ms` =
//! `1200`): so a plain HTML form can carry them, an error names exactly one of them, and a new setting needs no change
//! here.

use replygate_gate::debounce::Windows;

use super::{At, ChannelId, ChannelRef, RequestId};
use serde::{Deserialize, Serialize};

/// A line of the channels list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Channel {
    /// Its id and name.
    pub channel: ChannelRef,
    /// The sort of channel, for example `webchat`.
    pub kind: String,
    /// The version of the settings in force.
    pub settings_version: u32,
    /// The debounce in force.
    pub debounce: Windows,
    /// What happens to messages that come while a reply is on its way, by stored word.
    pub strategy: String,
    /// Waits between attempts that meet a stuck lock, in milliseconds.
    pub ladder_ms: Vec<u64>,
    /// When the newest message came in.
    pub last_inbound: Option<At>,
    /// When the newest reply was accepted.
    pub last_delivery: Option<At>,
    /// How many of its replies wait for a person.
    pub parked: u32,
}

/// All settings of a channel as one version has them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelSettings {
    /// The channel.
    pub channel: ChannelRef,
    /// Which version, who made it and when.
    pub version: SettingsVersion,
    /// The settings, in the order in which a form shows them.
    pub settings: Vec<Setting>,
}

/// One version of a channel's settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettingsVersion {
    /// Counts from 1.
    pub number: u32,
    /// Who saved it; `configuration file` for what a file seeded.
    pub by: String,
    /// When.
    pub at: At,
    /// Why, in the words of who saved it.
    pub reason: Option<String>,
}

/// One setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// Its key, as in the configuration file: `debounce.closed_ms`.
    pub key: String,
    /// Its value.
    pub value: String,
    /// The value it would have if nobody had set it.
    pub default: String,
    /// What is allowed, for people: `0 to 60000`, `triage or off`.
    pub allowed: String,
}

impl Setting {
    /// The words that a form offers, where only words are allowed; otherwise none.
    #[must_use]
    pub fn choices(&self) -> Vec<&str> {
        let words: Vec<&str> = self.allowed.split(", ").collect();
        let is_word = |word: &&str| {
            let letters = |c: char| c.is_ascii_lowercase() || c == '_';
            !word.is_empty() && word.chars().all(letters)
        };
        if words.iter().all(is_word) {
            words
        } else {
            Vec::new()
        }
    }
}

/// A version with what it changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedVersion {
    /// The version.
    pub version: SettingsVersion,
    /// What differs from the version before; nothing for the first one.
    pub changes: Vec<SettingChange>,
}

/// A setting that differs between two versions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettingChange {
    /// Its key.
    pub key: String,
    /// Its value in the one version; empty where it is not set.
    pub before: String,
    /// Its value in the other.
    pub after: String,
}

impl SettingChange {
    /// What differs between these settings, in their order. Settings that only one of them has are left out.
    #[must_use]
    pub fn between(before: &[Setting], after: &[Setting]) -> Vec<Self> {
        let same_key = |setting: &Setting| before.iter().find(|old| old.key == setting.key);
        after
            .iter()
            .filter_map(|setting| Some((same_key(setting)?, setting)))
            .filter(|(old, new)| old.value != new.value)
            .map(|(old, new)| Self {
                key: new.key.clone(),
                before: old.value.clone(),
                after: new.value.clone(),
            })
            .collect()
    }
}

/// A key and its new value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SettingValue {
    /// A key of [`Setting::key`].
    pub key: String,
    /// The new value, as text.
    pub value: String,
}

/// New settings for a channel.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SaveSettings {
    /// The channel.
    pub channel: ChannelId,
    /// The version that was changed. Another one in force is a [`Conflict`](super::ConsoleError::Conflict).
    pub base: u32,
    /// What changes; settings that are left out stay as they are.
    pub changes: Vec<SettingValue>,
    /// Why; kept with the version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Minted with the form. The same one again returns the version it made.
    pub request_id: RequestId,
}

/// Back to the settings of an earlier version, as a new version.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RollBack {
    /// The channel.
    pub channel: ChannelId,
    /// The version in force that was seen. Another one is a [`Conflict`](super::ConsoleError::Conflict).
    pub base: u32,
    /// The version whose settings return.
    pub to: u32,
    /// Why; kept with the version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Minted with the form. The same one again returns the version it made.
    pub request_id: RequestId,
}

#[cfg(test)]
mod tests {
    use super::{Setting, SettingChange};

    fn setting(key: &str, value: &str, allowed: &str) -> Setting {
        Setting {
            key: key.to_owned(),
            value: value.to_owned(),
            default: String::new(),
            allowed: allowed.to_owned(),
        }
    }

    #[test]
    fn only_words_are_offered_as_a_choice() {
        let words = setting("guarantee", "", "at_most_once, at_least_once");
        assert_eq!(words.choices(), ["at_most_once", "at_least_once"]);
        for allowed in ["0 to 1", "a list of texts", "demo, echo, or a table", ""] {
            assert!(setting("x", "", allowed).choices().is_empty(), "{allowed}");
        }
    }

    #[test]
    fn a_difference_names_the_setting_and_both_values() {
        let old = [setting("a", "1", ""), setting("b", "2", "")];
        let new = [setting("a", "1", ""), setting("b", "3", "")];
        let changes = SettingChange::between(&old, &new);
        assert_eq!(changes.len(), 1);
        assert_eq!(
            (
                changes[0].key.as_str(),
                changes[0].before.as_str(),
                changes[0].after.as_str()
            ),
            ("b", "2", "3")
        );
    }
}
