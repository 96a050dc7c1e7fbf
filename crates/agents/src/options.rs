//! Reads the options of a choice. Must never let a misspelt option pass, and never show what could be a key.

use std::collections::BTreeMap;
use std::time::Duration;

use replygate_ports::settings::{Choice, SettingError};
use serde::Deserialize as _;
use serde_json::{Map, Value};

/// What an address may be, for people.
pub(crate) const ADDRESS: &str = "an http:// or https:// address";

/// Words in an option's name that mean its value may be a secret.
const SECRETIVE: [&str; 5] = ["key", "token", "secret", "password", "auth"];

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
                let name_folded = name.to_ascii_lowercase();
                let shown = if SECRETIVE.iter().any(|word| name_folded.contains(word)) {
                    "set".to_owned()
                } else {
                    value.to_string()
                };
                Err(options.wrong(name, shown, &allowed))
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
            _ => Err(self.wrong(name, value, &format!("{least} to {most}"))),
        }
    }

    /// A number of milliseconds.
    pub(crate) fn wait(
        &self,
        name: &str,
        least: u64,
        most: u64,
    ) -> Result<Option<Duration>, SettingError> {
        Ok(self.number(name, least, most)?.map(Duration::from_millis))
    }

    /// A number with a fraction.
    pub(crate) fn fraction(
        &self,
        name: &str,
        least: f64,
        most: f64,
    ) -> Result<Option<f64>, SettingError> {
        let Some(value) = self.values.get(name) else {
            return Ok(None);
        };
        match value.as_f64() {
            Some(number) if (least..=most).contains(&number) => Ok(Some(number)),
            _ => Err(self.wrong(name, value, &format!("{least} to {most}"))),
        }
    }

    pub(crate) fn switch(&self, name: &str) -> Result<Option<bool>, SettingError> {
        match self.values.get(name) {
            None => Ok(None),
            Some(Value::Bool(on)) => Ok(Some(*on)),
            Some(other) => Err(self.wrong(name, other, "true, false")),
        }
    }

    pub(crate) fn text(&self, name: &str, allowed: &str) -> Result<Option<&'a str>, SettingError> {
        match self.values.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if !text.is_empty() => Ok(Some(text)),
            Some(other) => Err(self.wrong(name, other, allowed)),
        }
    }

    pub(crate) fn value(&self, name: &str) -> Option<&'a Value> {
        self.values.get(name)
    }

    /// A text that may not be shown.
    pub(crate) fn hidden(
        &self,
        name: &str,
        allowed: &str,
    ) -> Result<Option<&'a str>, SettingError> {
        match self.values.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if !text.is_empty() => Ok(Some(text)),
            Some(_) => Err(self.wrong(name, "no text", allowed)),
        }
    }

    /// One of a few words, by the values they stand for.
    pub(crate) fn word<T: Copy>(
        &self,
        name: &str,
        words: &[(&str, T)],
    ) -> Result<Option<T>, SettingError> {
        let allowed = || {
            let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            names.join(", ")
        };
        let Some(text) = self.text(name, &allowed())? else {
            return Ok(None);
        };
        match words.iter().find(|(word, _)| *word == text) {
            Some((_, value)) => Ok(Some(*value)),
            None => Err(self.wrong(name, format!("`{text}`"), &allowed())),
        }
    }

    /// An address without a fragment.
    pub(crate) fn address(&self, name: &str) -> Result<Option<reqwest::Url>, SettingError> {
        let Some(text) = self.text(name, ADDRESS)? else {
            return Ok(None);
        };
        reqwest::Url::parse(text)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https"))
            .map(Some)
            .ok_or_else(|| self.wrong(name, format!("`{text}`"), ADDRESS))
    }

    /// A list of texts.
    pub(crate) fn texts(&self, name: &str) -> Result<Vec<String>, SettingError> {
        const ALLOWED: &str = "a list of texts";
        match self.values.get(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(items)) => items
                .iter()
                .map(|item| item.as_str().map(str::to_owned))
                .collect::<Option<_>>()
                .ok_or_else(|| self.wrong(name, Value::from(items.clone()), ALLOWED)),
            Some(other) => Err(self.wrong(name, other, ALLOWED)),
        }
    }

    /// A table with a `kind`.
    pub(crate) fn choice(&self, name: &str, allowed: &str) -> Result<Choice, SettingError> {
        match self.values.get(name) {
            None => Err(self.wrong(name, "not set", allowed)),
            Some(table @ Value::Object(_)) => Choice::deserialize(table)
                .map_err(|_| self.wrong(name, "a table without kind", allowed)),
            Some(other) => Err(self.wrong(name, other, allowed)),
        }
    }

    /// A table whose keys are none of `taken`.
    pub(crate) fn table(
        &self,
        name: &str,
        taken: &[&str],
    ) -> Result<Map<String, Value>, SettingError> {
        let allowed = format!("a table without {}", taken.join(", "));
        match self.values.get(name) {
            None => Ok(Map::new()),
            Some(Value::Object(table)) => {
                let taken = table.keys().find(|key| taken.contains(&key.as_str()));
                match taken {
                    None => Ok(table.clone()),
                    Some(key) => Err(self.wrong(&format!("{name}.{key}"), "set", &allowed)),
                }
            }
            Some(other) => Err(self.wrong(name, other, &allowed)),
        }
    }

    pub(crate) fn wrong(
        &self,
        name: &str,
        value: impl std::fmt::Display,
        allowed: &str,
    ) -> SettingError {
        SettingError::new(format!("{}.{name}", self.key), value, allowed)
    }
}
