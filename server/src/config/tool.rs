//! One of `[[tools]]`: every key checked on its own, so that all that is wrong is told at once.

use replygate_ports::tools::Tool;
use serde_json::{Map, Value, json};

use super::document::Document;
use super::keys;
use super::problem::Problem;

/// The keys of a tool.
const KEYS: [&str; 12] = [
    "name",
    "description",
    "arguments",
    "effect",
    "host",
    "recipe",
    "scope",
    "window_ms",
    "timeout_ms",
    "on_unknown",
    "channels",
    "enabled",
];
/// The keys that every tool has.
const NEEDED: [(&str, &str); 3] = [
    ("name", "1 to 64 letters a-z, A-Z, digits, -, _ and ."),
    ("effect", "read, write"),
    ("host", "a name, or a table with kind and options"),
];

/// Reads the table, or tells everything that is wrong with it.
pub(super) fn read(
    document: &Document,
    place: usize,
    table: &Map<String, Value>,
) -> Result<Tool, Vec<Problem>> {
    let name = match table.get("name").and_then(Value::as_str) {
        Some(name) => format!("tools.{name}"),
        None => format!("tools[{place}]"),
    };
    let problem = |key: &str, words: &str| {
        let origin = document.origin(&format!("tools.{place}.{key}"));
        Problem::new(origin, format!("`{name}.{key}` {words}"))
    };
    let mut problems: Vec<Problem> = table
        .iter()
        .filter_map(|(key, value)| Some(problem(key, &fault(key, value)?)))
        .collect();
    let missing = NEEDED.iter().filter(|(key, _)| !table.contains_key(*key));
    problems.extend(
        missing.map(|(key, allowed)| problem(key, &format!("is not set, allowed: {allowed}"))),
    );
    if !problems.is_empty() {
        return Err(problems);
    }
    let tool: Tool = serde_json::from_value(Value::Object(table.clone()))
        .map_err(|error| vec![problem("name", &format!("cannot be read: {error}"))])?;
    match tool.validate() {
        Ok(()) => Ok(tool),
        Err(errors) => Err(errors
            .iter()
            .map(|error| {
                let key = error.key.strip_prefix(&name).unwrap_or(&error.key);
                Problem::setting(document.origin(&format!("tools.{place}{key}")), error)
            })
            .collect()),
    }
}

/// Why a tool cannot have this value under this key.
fn fault(key: &str, value: &Value) -> Option<String> {
    if !KEYS.contains(&key) {
        return Some(format!("is no setting, allowed: {}", KEYS.join(", ")));
    }
    let mut sample = json!({ "name": "a", "effect": "write", "host": "a" });
    sample[key] = value.clone();
    let error = serde_json::from_value::<Tool>(sample).err()?;
    Some(format!("is `{}`: {error}", keys::show(value)))
}

/// Why a tool cannot stand beside the others.
pub(super) fn twin(others: &[Tool], tool: &Tool) -> Option<String> {
    let other = others
        .iter()
        .find(|other| other.model_name() == tool.model_name())?;
    Some(format!(
        "is `{}`, allowed: a name that models can tell from `{}`: they see . as _",
        tool.name, other.name
    ))
}
