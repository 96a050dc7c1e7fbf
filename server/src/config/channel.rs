//! One of `[[channels]]`: every key checked on its own, so that all that is wrong is told at once.

use replygate_ports::settings::{ChannelSettings, SettingError};
use serde_json::{Map, Value};

use super::document::Document;
use super::environment::Environment;
use super::problem::Problem;
use super::{ChannelConfig, keys, secret};

/// A channel's table on its way to settings.
pub(super) struct Reading<'a> {
    document: &'a Document,
    environment: &'a Environment,
    /// Its place in the document: `channels.0`.
    path: String,
    /// What problems call it: `channels.shop`, or its place when it has no id.
    name: String,
    problems: Vec<Problem>,
}

impl<'a> Reading<'a> {
    pub(super) fn new(
        document: &'a Document,
        environment: &'a Environment,
        place: usize,
        id: Option<&str>,
    ) -> Self {
        Self {
            document,
            environment,
            path: format!("channels.{place}"),
            name: id.map_or_else(
                || format!("channels[{place}]"),
                |id| format!("channels.{id}"),
            ),
            problems: Vec::new(),
        }
    }

    /// Reads the table, or tells everything that is wrong with it.
    pub(super) fn read(
        mut self,
        table: &Map<String, Value>,
    ) -> Result<ChannelConfig, Vec<Problem>> {
        let mut json = Value::Object(Map::new());
        let mut secrets = Vec::new();
        for (key, value) in table {
            if key == "signing_secret" {
                match secret::read(value, self.environment) {
                    Ok(read) => secrets = read,
                    Err(why) => self.wrong_words(key, &why),
                }
                continue;
            }
            self.take(key, value, &mut json);
        }
        for missing in ["id", "kind"]
            .into_iter()
            .filter(|key| !table.contains_key(*key))
        {
            let allowed = keys::key_of(missing).map_or("", |key| key.allowed);
            self.wrong(missing, "not set", allowed);
        }
        if !self.problems.is_empty() {
            return Err(self.problems);
        }
        let settings: ChannelSettings = match serde_json::from_value(json) {
            Ok(settings) => settings,
            Err(error) => {
                self.wrong_words("id", &error.to_string());
                return Err(self.problems);
            }
        };
        if let Err(errors) = settings.validate() {
            for error in &errors {
                self.setting(error);
            }
        }
        self.needs_secret(&settings, secrets.is_empty());
        if self.problems.is_empty() {
            Ok(ChannelConfig { settings, secrets })
        } else {
            Err(self.problems)
        }
    }

    fn take(&mut self, path: &str, value: &Value, json: &mut Value) {
        if let Some(key) = keys::key_of(path) {
            if keys::fits(key, value) {
                keys::put(json, path, value.clone());
            } else {
                self.wrong(path, &printed(value), key.allowed);
            }
            return;
        }
        match value {
            Value::Object(table) if keys::is_table(path) => {
                for (name, value) in table {
                    self.take(&format!("{path}.{name}"), value, json);
                }
            }
            _ if keys::is_table(path) => self.wrong(path, &printed(value), "a table"),
            _ => {
                let known = siblings(path);
                self.wrong_words(path, &format!("is no setting, allowed: {known}"));
            }
        }
    }

    fn needs_secret(&mut self, settings: &ChannelSettings, none: bool) {
        match settings.kind.as_str() {
            "generic" if none => self.wrong("signing_secret", "not set", secret::ALLOWED),
            "webchat" if !none => {
                self.wrong("signing_secret", "set", "nothing, for kind webchat");
            }
            _ => {}
        }
    }

    fn wrong(&mut self, key: &str, value: &str, allowed: &str) {
        self.wrong_words(key, &format!("is {value}, allowed: {allowed}"));
    }

    fn wrong_words(&mut self, key: &str, words: &str) {
        let origin = self.document.origin(&format!("{}.{key}", self.path));
        let message = format!("`{}.{key}` {words}", self.name);
        self.problems.push(Problem::new(origin, message));
    }

    fn setting(&mut self, error: &SettingError) {
        let key = error.key.strip_prefix(&self.name).unwrap_or(&error.key);
        let origin = self.document.origin(&format!("{}{key}", self.path));
        self.problems.push(Problem::setting(origin, error));
    }
}

fn printed(value: &Value) -> String {
    match value {
        Value::String(text) => format!("`{text}`"),
        other => keys::show(other),
    }
}

/// The keys that could have been meant: those in the same table.
fn siblings(path: &str) -> String {
    let table = path.rsplit_once('.').map_or("", |(table, _)| table);
    let mut names: Vec<&str> = keys::IDENTITY
        .iter()
        .chain(keys::SETTINGS)
        .filter_map(|key| {
            let rest = match table {
                "" => key.path,
                table => key.path.strip_prefix(table)?.strip_prefix('.')?,
            };
            rest.split('.').next()
        })
        .collect();
    if table.is_empty() {
        names.push("signing_secret");
    }
    names.dedup();
    names.join(", ")
}
