//! A record of the guard as the console shows it: both calls, what was compared, and in what they differ. Must never show
//! an argument to whoever may not see texts.

use replygate_app::view::{
    ArgumentRow, DifferenceWord, DuplicateRow, DuplicateVerdict, FirstCall, OpinionWord, Personal,
};
use replygate_gate::tools::{Change, Comparison, Opinion, differences};
use replygate_ports::ledger::{Call, Duplicate};
use serde_json::Value;

use super::masking::Sight;
use super::{at, channel, masking};

/// The line of a record. `is_known` says whether its session exists.
pub(super) fn row(sight: Sight, found: &Duplicate, is_known: bool) -> DuplicateRow {
    let call = &found.call;
    let differs = found.first.as_ref().map(|first| {
        let each = differences(&first.arguments, &call.arguments).into_iter();
        each.map(|each| (difference(each.change), each.path))
            .collect()
    });
    DuplicateRow {
        id: call.id.to_string(),
        at: at(call.at),
        tool: call.tool.clone(),
        channel: channel(&call.whom.channel),
        contact: masking::contact(sight, &call.whom.contact),
        session: is_known.then(|| call.whom.session().to_string().into()),
        what: what(sight, &call.comparison),
        avoided: call.avoided.as_str().to_owned(),
        age_ms: call.age_ms,
        compared: call
            .comparison
            .compared
            .iter()
            .map(|field| field.name.clone())
            .collect(),
        differs: differs.unwrap_or_default(),
        note: call.note.clone(),
        verdict: found.verdict.as_ref().map(|verdict| DuplicateVerdict {
            word: word(verdict.opinion),
            comment: verdict.comment.clone(),
            by: verdict.by.clone(),
            at: at(verdict.at),
        }),
    }
}

/// What a call does: the values that make its identity. A hash tells nobody anything.
pub(super) fn what(sight: Sight, comparison: &Comparison) -> Personal {
    let telling = comparison
        .compared
        .iter()
        .filter(|field| !is_hash(&field.value));
    let values: Vec<&str> = telling.map(|field| field.value.as_str()).collect();
    masking::cut(sight, &values.join(" · "))
}

fn is_hash(value: &str) -> bool {
    value.len() == 64 && value.bytes().all(|byte| byte.is_ascii_hexdigit())
}

const fn difference(change: Change) -> DifferenceWord {
    match change {
        Change::Added => DifferenceWord::Added,
        Change::Removed => DifferenceWord::Removed,
        Change::Changed => DifferenceWord::Changed,
    }
}

/// The call that did the work.
pub(super) fn first(sight: Sight, call: &Call) -> FirstCall {
    FirstCall {
        id: call.entry.action.to_string(),
        at: at(call.entry.reserved_at),
        state: call.entry.state.as_str().to_owned(),
        result: call
            .result
            .as_ref()
            .filter(|result| !result.is_null())
            .map(|result| masking::text(sight, &result.to_string())),
        window_ms: call.entry.guarding.window_ms,
        settled_by: call.settled_by.clone(),
    }
}

/// Both calls' arguments by path.
pub(super) fn arguments(sight: Sight, found: &Duplicate) -> Vec<ArgumentRow> {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    if let Some(call) = &found.first {
        leaves(&call.arguments, String::new(), &mut before);
    }
    leaves(&found.call.arguments, String::new(), &mut after);
    let mut paths: Vec<&String> = after.iter().chain(&before).map(|(path, _)| path).collect();
    paths.sort();
    paths.dedup();
    let at = |side: &[(String, String)], path: &str| {
        let found = side.iter().find(|(own, _)| own == path);
        found.map(|(_, value)| value.clone())
    };
    let ignored = &found.call.comparison.ignored;
    paths
        .into_iter()
        .map(|path| {
            let (first, second) = (at(&before, path), at(&after, path));
            ArgumentRow {
                path: path.clone(),
                is_ignored: ignored.contains(path),
                differs: found.first.is_some() && first != second,
                first: first.map(|value| masking::text(sight, &value)),
                second: second.map(|value| masking::text(sight, &value)),
            }
        })
        .collect()
}

/// Every value that holds no other, by path; a list is one value.
fn leaves(value: &Value, path: String, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(table) if !table.is_empty() => {
            for (name, value) in table {
                let path = if path.is_empty() {
                    name.clone()
                } else {
                    format!("{path}.{name}")
                };
                leaves(value, path, found);
            }
        }
        Value::String(text) => found.push((path, text.clone())),
        other => found.push((path, other.to_string())),
    }
}

/// A verdict as the ledger has it.
pub(super) const fn opinion(word: OpinionWord) -> Opinion {
    match word {
        OpinionWord::Right => Opinion::Right,
        OpinionWord::ShouldHaveRun => Opinion::ShouldHaveRun,
        OpinionWord::Unsure => Opinion::Unsure,
    }
}

const fn word(opinion: Opinion) -> OpinionWord {
    match opinion {
        Opinion::Right => OpinionWord::Right,
        Opinion::ShouldHaveRun => OpinionWord::ShouldHaveRun,
        Opinion::Unsure => OpinionWord::Unsure,
    }
}

#[cfg(test)]
mod tests {
    use replygate_gate::tools::Compared;
    use serde_json::json;

    use super::*;

    fn compared(values: &[&str]) -> Comparison {
        let field = |value: &&str| Compared {
            name: "any".to_owned(),
            value: (*value).to_owned(),
        };
        Comparison {
            recipe: "email.send".to_owned(),
            compared: values.iter().map(field).collect(),
            ignored: Vec::new(),
            missing: None,
        }
    }

    #[test]
    fn what_a_call_does_is_told_without_hashes_and_only_to_whoever_may_see_texts() {
        let hash = "0a".repeat(32);
        let comparison = compared(&["ana@example.org", "your hours", &hash]);
        assert_eq!(
            what(Sight::Clear, &comparison),
            Personal::Shown("ana@example.org · your hours".to_owned())
        );
        assert_eq!(
            what(Sight::Veiled, &comparison),
            Personal::Masked("28 characters".to_owned())
        );
    }

    #[test]
    fn arguments_are_told_by_path_and_a_list_is_one_value() {
        let mut found = Vec::new();
        let arguments = json!({ "start": { "dateTime": "9" }, "to": ["a", "b"], "none": {} });
        leaves(&arguments, String::new(), &mut found);
        let found: Vec<(&str, &str)> = found
            .iter()
            .map(|(path, value)| (path.as_str(), value.as_str()))
            .collect();
        assert_eq!(
            found,
            [
                ("none", "{}"),
                ("start.dateTime", "9"),
                ("to", "[\"a\",\"b\"]"),
            ]
        );
    }
}
