//! Channels and their settings.
//!
//! Settings travel as a flat list of keys and texts, as they stand in the configuration file (`debounce.closed_ms` =
//! `1200`): so a plain HTML form can carry them, an error names exactly one of them, and a new setting needs no change
//! here.

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
