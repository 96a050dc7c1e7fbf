//! Finding a value in a call's arguments, however the agent's author spells the keys: `start_time`, `startTime` and
//! `start-time` are one key. Must never prefer a key that only looks alike to the one that was asked for.

use serde_json::{Map, Value};

/// Keys under which APIs wrap what a call is about.
const WRAPPERS: &[&str] = &[
    "event",
    "appointment",
    "resource",
    "request_body",
    "message",
    "email",
    "params",
    "parameters",
    "input",
    "data",
    "payload",
    "args",
    "arguments",
];

/// A value and where it is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found<'a> {
    pub value: &'a Value,
    /// The keys that lead there, as they are spelt.
    pub path: Vec<&'a str>,
    /// The tables on the way, outermost first.
    pub around: Vec<&'a Map<String, Value>>,
}

/// The value at `path`, such as `start.dateTime`; nothing where it is null or empty. Looked for at the top, then inside
/// what wraps it.
pub(super) fn find<'a>(arguments: &'a Value, path: &str) -> Option<Found<'a>> {
    let Value::Object(top) = arguments else {
        return None;
    };
    let root = Found {
        value: arguments,
        path: Vec::new(),
        around: Vec::new(),
    };
    walk(root.clone(), path).or_else(|| {
        WRAPPERS.iter().find_map(|wrapper| {
            let inner = step(&root, top, wrapper)?;
            walk(inner, path)
        })
    })
}

fn walk<'a>(from: Found<'a>, path: &str) -> Option<Found<'a>> {
    let mut at = from;
    for key in path.split('.') {
        let Value::Object(table) = at.value else {
            return None;
        };
        at = step(&at, table, key)?;
    }
    Some(at).filter(|found| !is_empty(found.value))
}

fn step<'a>(from: &Found<'a>, table: &'a Map<String, Value>, key: &str) -> Option<Found<'a>> {
    let (key, value) = entry(table, key)?;
    let mut next = from.clone();
    next.value = value;
    next.path.push(key);
    next.around.push(table);
    Some(next)
}

/// The entry under that key, else the first one, by its spelling, whose key looks alike.
pub(super) fn entry<'a>(table: &'a Map<String, Value>, key: &str) -> Option<(&'a str, &'a Value)> {
    let exact = table.get_key_value(key);
    exact
        .or_else(|| {
            let wanted = loose(key);
            table
                .iter()
                .filter(|(other, _)| loose(other) == wanted)
                .min_by_key(|(other, _)| *other)
        })
        .map(|(key, value)| (key.as_str(), value))
}

fn loose(key: &str) -> String {
    key.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.iter().all(is_empty),
        Value::Object(table) => table.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The paths of everything in `value` that is no table, sorted.
pub(super) fn leaves(value: &Value) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    collect(value, String::new(), &mut found);
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    found
}

fn collect<'a>(value: &'a Value, path: String, found: &mut Vec<(String, &'a Value)>) {
    match value {
        Value::Object(table) if !(table.is_empty() && path.is_empty()) => {
            for (key, value) in table {
                let path = if path.is_empty() {
                    key.clone()
                } else {
                    format!("{path}.{key}")
                };
                collect(value, path, found);
            }
        }
        _ if path.is_empty() => {}
        _ => found.push((path, value)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn at(arguments: &Value, path: &str) -> Option<String> {
        find(arguments, path).map(|found| found.path.join("."))
    }

    #[test]
    fn keys_are_found_however_they_are_spelt() {
        for key in [
            "start_time",
            "startTime",
            "start-time",
            "StartTime",
            "START_TIME",
        ] {
            assert_eq!(
                at(&json!({ key: "9:00" }), "start_time").as_deref(),
                Some(key)
            );
        }
    }

    #[test]
    fn the_exact_key_is_preferred() {
        let arguments = json!({ "TITLE": "a", "title": "b" });
        assert_eq!(find(&arguments, "title").unwrap().value, "b");
    }

    #[test]
    fn nested_and_wrapped_values_are_found() {
        let arguments = json!({ "event": { "start": { "dateTime": "x" } } });
        assert_eq!(
            at(&arguments, "start.date_time").as_deref(),
            Some("event.start.dateTime")
        );
        assert_eq!(at(&json!({ "start": "x" }), "start.date_time"), None);
    }

    #[test]
    fn nothing_is_found_where_nothing_is_said() {
        for empty in [json!(null), json!(" "), json!([]), json!([""]), json!({})] {
            assert_eq!(at(&json!({ "title": empty }), "title"), None);
        }
        assert_eq!(at(&json!("title"), "title"), None);
    }

    #[test]
    fn leaves_are_listed_by_path() {
        let arguments = json!({ "b": [1], "a": { "y": 1, "x": {} } });
        let paths: Vec<String> = leaves(&arguments)
            .into_iter()
            .map(|(path, _)| path)
            .collect();
        assert_eq!(paths, ["a.y", "b"]);
    }
}
