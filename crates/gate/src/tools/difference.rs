//! In what two calls differ, for people who judge whether they are the same. Must never decide anything.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{canonical, path};

/// How a value differs between two calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Only the second call has it.
    Added,
    /// Only the first call has it.
    Removed,
    /// Both have it, and not alike.
    Changed,
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// Where: `start.timeZone`.
    pub path: String,
    /// How.
    pub change: Change,
}

/// Everything in which `second` differs from `first`, by path.
#[must_use]
pub fn differences(first: &Value, second: &Value) -> Vec<Difference> {
    let (first, second) = (path::leaves(first), path::leaves(second));
    let at = |side: &[(String, &Value)], path: &str| {
        side.iter()
            .find(|(other, _)| other == path)
            .map(|(_, value)| canonical(value))
    };
    let mut paths: Vec<&String> = first.iter().chain(&second).map(|(path, _)| path).collect();
    paths.sort();
    paths.dedup();
    paths
        .into_iter()
        .filter_map(|path| {
            let change = match (at(&first, path), at(&second, path)) {
                (None, Some(_)) => Change::Added,
                (Some(_), None) => Change::Removed,
                (before, after) if before != after => Change::Changed,
                _ => return None,
            };
            Some(Difference {
                path: path.clone(),
                change,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_added_removed_and_changed_is_told_by_path() {
        let first = json!({ "title": "A", "start": { "dateTime": "9", "zone": "x" }, "n": 1.0 });
        let second = json!({ "title": "a", "start": { "dateTime": "9" }, "end": "10", "n": 1 });
        let found: Vec<(String, Change)> = differences(&first, &second)
            .into_iter()
            .map(|one| (one.path, one.change))
            .collect();
        assert_eq!(
            found,
            [
                ("end".to_owned(), Change::Added),
                ("start.zone".to_owned(), Change::Removed),
                ("title".to_owned(), Change::Changed),
            ]
        );
    }
}
