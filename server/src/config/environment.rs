//! Environment variables that override the file: `REPLYGATE__SERVER__LISTEN`,
//! `REPLYGATE__CHANNELS__SHOP__DEBOUNCE__CLOSED_MS`. A channel is named by its id, with `_` in place of `-`, or by its
//! place in the file, from 0. Must never log a value: it may be a secret.

use std::collections::BTreeMap;

use serde_json::Value;

use super::document::Document;
use super::keys;
use super::problem::{Origin, Problem};

const PREFIX: &str = "REPLYGATE__";

/// Environment variables.
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<String, String>);

impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

impl Environment {
    /// Those of this process.
    #[must_use]
    pub fn of_process() -> Self {
        Self(std::env::vars_os().filter_map(pair).collect())
    }

    /// These.
    pub fn of(pairs: impl IntoIterator<Item = (&'static str, &'static str)>) -> Self {
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        Self(pairs.into_iter().map(owned).collect())
    }

    /// The variable's value.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Puts every override into `document`.
    pub(super) fn apply(&self, document: &mut Document, problems: &mut Vec<Problem>) {
        for (name, value) in &self.0 {
            let Some(rest) = name.strip_prefix(PREFIX) else {
                continue;
            };
            let path: Vec<String> = rest.split("__").map(str::to_ascii_lowercase).collect();
            let origin = Origin::Variable(name.clone());
            match place(document, path) {
                Ok(path) => {
                    let value = typed(&path, value);
                    document.set(&path, value, origin);
                }
                Err(message) => problems.push(Problem::new(Some(origin), message)),
            }
        }
    }
}

fn pair((name, value): (std::ffi::OsString, std::ffi::OsString)) -> Option<(String, String)> {
    Some((name.into_string().ok()?, value.into_string().ok()?))
}

/// The path with a channel's id replaced by its place in the list.
fn place(document: &Document, mut path: Vec<String>) -> Result<Vec<String>, String> {
    if path.len() < 2 || path.iter().any(String::is_empty) {
        return Err("names no key, allowed: REPLYGATE__SECTION__KEY".to_owned());
    }
    if path[0] != "channels" {
        return Ok(path);
    }
    let channels = document.root.get("channels").and_then(Value::as_array);
    let ids: Vec<&str> = channels
        .into_iter()
        .flatten()
        .map(|channel| channel["id"].as_str().unwrap_or_default())
        .collect();
    let by_id = |id: &&str| id.to_ascii_lowercase().replace('-', "_") == path[1].replace('-', "_");
    let by_place = path[1]
        .parse::<usize>()
        .ok()
        .filter(|place| *place < ids.len());
    match ids.iter().position(by_id).or(by_place) {
        Some(found) if path.len() > 2 => {
            path[1] = found.to_string();
            Ok(path)
        }
        Some(_) => Err("names no key of the channel".to_owned()),
        None => Err(format!(
            "there is no channel `{}`, allowed: {}",
            path[1],
            ids.join(", ")
        )),
    }
}

/// The value as the key wants it: words as they are, everything else as TOML writes it.
fn typed(path: &[String], text: &str) -> Value {
    let key = path.get(2..).map(|rest| rest.join(".")).unwrap_or_default();
    if path[0] == "channels"
        && let Some(key) = keys::key_of(&key)
    {
        return keys::parse(key, text).unwrap_or_else(|| Value::String(text.to_owned()));
    }
    let is_number = path.last().is_some_and(|last| last == "texts_days");
    let number = text.parse::<i64>().ok().filter(|_| is_number);
    if let Some(number) = number {
        return Value::from(number);
    }
    if text.starts_with('[')
        && let Some(list) = keys::toml_value(text)
    {
        return list;
    }
    Value::String(text.to_owned())
}
