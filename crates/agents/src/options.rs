//! Reads the options of a choice. Must never let a misspelt option pass.

use std::collections::BTreeMap;

use replygate_ports::settings::{Choice, SettingError};
use serde_json::Value;

/// The options of one choice, and where they stand.
pub(crate) struct Options<'a> {
    key: &'a str,
    values: &'a BTreeMap<String, Value>,
}

impl<'a> Options<'a> {
    /// The options, none of which is unknown.
    pub(crate) fn read(
        choice: &'a Choice,
        key: &'a str,
        known: &[&str],
    ) -> Result<Self, SettingError> {
        let options = Self {
            key,
            values: &choice.options,
        };
        match choice
            .options
            .iter()
            .find(|(name, _)| !known.contains(&name.as_str()))
        {
            None => Ok(options),
            Some((name, value)) => {
                let allowed = if known.is_empty() {
                    format!("no option, for kind {}", choice.kind)
                } else {
                    format!("only {}, for kind {}", known.join(", "), choice.kind)
                };
                Err(SettingError::new(options.path(name), value, allowed))
            }
        }
    }

    pub(crate) fn number(
        &self,
        name: &str,
        least: u64,
        most: u64,
    ) -> Result<Option<u64>, SettingError> {
        let Some(value) = self.values.get(name) else {
            return Ok(None);
        };
        match value.as_u64() {
            Some(number) if (least..=most).contains(&number) => Ok(Some(number)),
            _ => Err(SettingError::new(
                self.path(name),
                value,
                format!("{least} to {most}"),
            )),
        }
    }

    pub(crate) fn text(&self, name: &str, allowed: &str) -> Result<Option<&'a str>, SettingError> {
        match self.values.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if !text.is_empty() => Ok(Some(text)),
            Some(other) => Err(self.wrong(name, other, allowed)),
        }
    }

    pub(crate) fn wrong(
        &self,
        name: &str,
        value: impl std::fmt::Display,
        allowed: &str,
    ) -> SettingError {
        SettingError::new(self.path(name), value, allowed)
    }

    fn path(&self, name: &str) -> String {
        format!("{}.{name}", self.key)
    }
}
