//! What is wrong with a setting. Must always name the key, the value and what is allowed.

use std::fmt;

/// A setting's value is not allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{key}` is {value}, allowed: {allowed}")]
pub struct SettingError {
    /// The key as in the configuration file, such as `channels.shop.operational_delay_ms`.
    pub key: String,
    /// The value that was given.
    pub value: String,
    /// What is allowed.
    pub allowed: String,
}

impl SettingError {
    /// A setting error from anything printable.
    pub fn new(
        key: impl Into<String>,
        value: impl fmt::Display,
        allowed: impl Into<String>,
    ) -> Self {
        Self {
            key: key.into(),
            value: value.to_string(),
            allowed: allowed.into(),
        }
    }
}
