//! Reads the arguments of a built-in tool. Must never guess what is missing: the agent is told and may call again.

use replygate_gate::At;
use replygate_gate::tools::{Reading, instant};
use replygate_ports::tools::ToolError;
use serde_json::Value;

/// A refusal of arguments: nothing was done.
pub(super) fn refused(name: &str, given: &str, allowed: &str) -> ToolError {
    ToolError::Failed {
        code: "bad_arguments".to_owned(),
        message: format!("`{name}` is {given}, allowed: {allowed}"),
    }
}

fn find<'a>(arguments: &'a Value, names: &[&str]) -> Option<&'a Value> {
    names
        .iter()
        .filter_map(|name| arguments.get(name))
        .find(|value| !value.is_null())
}

/// The text under the first of these names that is there.
pub(super) fn text(arguments: &Value, names: &[&str]) -> Result<String, ToolError> {
    match find(arguments, names) {
        Some(Value::String(text)) if !text.trim().is_empty() => Ok(text.trim().to_owned()),
        Some(other) => Err(refused(names[0], &other.to_string(), "a text")),
        None => Err(refused(names[0], "not given", "a text")),
    }
}

/// The instant under the first of these names that is there.
pub(super) fn time(arguments: &Value, names: &[&str]) -> Result<Option<At>, ToolError> {
    const ALLOWED: &str = "a time such as 2030-01-08T15:00:00-03:00";
    let Some(value) = find(arguments, names) else {
        return Ok(None);
    };
    let zone = arguments.get("time_zone").and_then(Value::as_str);
    instant(value, zone, &Reading::default())
        .map(Some)
        .ok_or_else(|| refused(names[0], &value.to_string(), ALLOWED))
}

/// A text or a list of texts under the first of these names that is there.
pub(super) fn texts(arguments: &Value, names: &[&str]) -> Result<Vec<String>, ToolError> {
    let one = |value: &Value| match value {
        Value::String(text) if !text.trim().is_empty() => Ok(text.trim().to_owned()),
        other => Err(refused(
            names[0],
            &other.to_string(),
            "a text or a list of texts",
        )),
    };
    match find(arguments, names) {
        None => Ok(Vec::new()),
        Some(Value::Array(items)) => items.iter().map(one).collect(),
        Some(value) => Ok(vec![one(value)?]),
    }
}
